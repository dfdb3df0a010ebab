import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { z } from 'zod';
import { type Clock, systemClock, timeoutSignal } from '../../lib/clock.ts';
import { redactor } from '../../lib/redact.ts';
import type { Budget } from './budget.ts';
import { known, type Reading, unknown } from './model.ts';
import { readJson } from './read-json.ts';

export interface SourceAddress {
  /** For people: `Prometheus`. */
  title: string;
  /** Prefix of the variables: `PROMETHEUS` for `PROMETHEUS_URL`, `PROMETHEUS_TOKEN` … */
  variable: string;
  /** The variable to check if it is not found, if not the one that ends in `_URL`: `KUBERNETES`. */
  location?: string;
  /** The variable to check if it refuses the credentials, if not the token's. */
  credentials?: string;
  /** May include a path prefix. */
  url: string;
  /** Where people open it, if not there. */
  publicUrl?: string | undefined;
  /** Another path prefix, for a server that may refuse the first: the first answer that is none decides. */
  otherPath?: string | undefined;
  token?: string | undefined;
  /** How the token is sent; `Bearer` by default. */
  scheme?: 'Bearer' | 'ApiKey' | undefined;
  user?: string | undefined;
  password?: string | undefined;
  /** `X-Scope-OrgID`. */
  orgId?: string | undefined;
  /** For a token that changes: read for each request. */
  readToken?: (() => Promise<string>) | undefined;
  /** In PEM: a certificate authority trusted for this source only, and a client certificate. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined;
}

/** A source's address; it knows by itself how it is called, unless it is reached through another. */
export type SourceSettings = Omit<SourceAddress, 'title' | 'variable'> &
  Partial<Pick<SourceAddress, 'title' | 'variable'>>;

interface SourceRequest {
  method?: 'GET' | 'POST';
  /** Relative to the base address. */
  path: string;
  /** In the query string of a GET, as a form in the body of a POST. */
  parameters?: readonly (readonly [string, string])[];
  /** Posted, with the parameters in the query string. */
  body?: { type: string; text: string };
  headers?: Record<string, string>;
  /** One JSON value a line, read as an array. */
  lines?: boolean;
  /**
   * Called at the beginning of each answer, of which there are two if the first ends early. What it returns gets the
   * items of each outermost array while they arrive, with the array's key, and returns what is kept of them; `null`
   * ends the reading.
   */
  take?: () => (items: readonly unknown[], key: string) => readonly unknown[] | null;
}

/** A source's answer, or a sentence on why there is none. */
type SourceAnswer =
  | {
      ok: true;
      /** `undefined` if it is no JSON. */
      json: unknown;
      /** Whether it claims to be JSON, and ends before it is. */
      endsEarly: boolean;
      /** That it was too long, or that its clock is off. */
      caveats: readonly string[];
    }
  | {
      ok: false;
      reason: string;
      /** Whether the path is not served, or not to us. */
      isClosed: boolean;
    };

export interface SourceClient {
  /**
   * Sends a request on a budget. Never rejects; a status of 400 and above becomes a reason unless `accept` allows it.
   */
  ask(request: SourceRequest, budget: Budget, accept?: (status: number) => boolean): Promise<SourceAnswer>;
  /** The base address without credentials and trailing slash, for links. */
  readonly base: string;
  close(): Promise<void>;
}

/** The limit for one request, whatever is left of the budget. */
const TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer answers are not read to the end: a query that returns this much is wrong. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;
const ERROR_CHARACTERS = 300;
/** How a server answers where a path is not served, or not to us. */
const CLOSED = [403, 404, 405, 500, 501, 502];
/** A clock that is off by this many minutes is reported. */
const CLOCK_MINUTES = 2;

/**
 * A client of a source. Honors proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) and Node's extra certificate
 * authorities (`NODE_EXTRA_CA_CERTS`). Does not follow redirects, which would carry the credentials along.
 */
export function createSourceClient(address: SourceAddress, clock: Clock = systemClock): SourceClient {
  const dispatcher: Dispatcher = new EnvHttpProxyAgent({
    connections: 8,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...address.tls },
    ...(address.tls && { requestTls: address.tls }),
  });
  const url = new URL(address.url);
  const ownPath = url.pathname.replace(/\/+$/u, '');
  const base = `${url.origin}${ownPath}`;
  const headers = headersOf(address, url);
  const secrets = [address.token ?? '', address.password ?? '', decodeURIComponent(url.password)];
  const clean = redactor(secrets);

  async function send(
    request: SourceRequest,
    prefix: string,
    budget: Budget,
    accept: (status: number) => boolean,
  ): Promise<SourceAnswer> {
    const { body, path, parameters = [], take, lines } = request;
    const method = request.method ?? (body ? 'POST' : 'GET');
    const form = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
    const isForm = method === 'POST' && body === undefined;
    const type = isForm ? 'application/x-www-form-urlencoded' : body?.type;
    const response = await dispatcher.request({
      origin: url.origin,
      path: `${prefix}${path}${!isForm && form !== '' ? `?${form}` : ''}`,
      method,
      headers: {
        ...headers,
        ...(address.readToken && { authorization: `Bearer ${await address.readToken()}` }),
        ...(type && { 'content-type': type }),
        ...request.headers,
      },
      body: isForm ? form : (body?.text ?? null),
      signal: timeoutSignal(TIMEOUT_MS, budget.signal),
    });
    const { statusCode: status } = response;
    if ((status < 200 || status >= 300) && !accept(status))
      return refuse(
        sentenceFor(status, await beginningOf(response.body), address, at),
        CLOSED.includes(status),
      );
    const { value, isCut } = await readJson(response.body, { most: MOST_BYTES, lines, take: take?.() });
    const long = `${at} answered with more than ${MOST_BYTES / 1_048_576} MiB; the rest was not read.`;
    const caveats = [...(isCut ? [long] : []), ...clockCaveat(response.headers.date)];
    if (isCut && value === undefined) return refuse(long);
    const endsEarly = value === undefined && /json/iu.test(String(response.headers['content-type']));
    return { ok: true, json: value, endsEarly, caveats };
  }

  /** The path that has answered. */
  let path = address.otherPath === undefined ? ownPath : null;

  async function sendToEither(request: SourceRequest, budget: Budget, accept: (status: number) => boolean) {
    const answer = await send(request, path ?? ownPath, budget, accept);
    if (path !== null) return answer;
    if (answer.ok) path = ownPath;
    if (answer.ok || !answer.isClosed || address.otherPath === undefined || !budget.takeRequest().granted)
      return answer;
    const other = await send(request, address.otherPath, budget, accept);
    if (other.ok) path = address.otherPath;
    return other.ok ? other : answer;
  }

  /** Alerts and samples are timed by two clocks: if those differ, so do onsets. */
  const clockCaveat = (header: string | string[] | undefined): string[] => {
    const date = typeof header === 'string' ? Date.parse(header) : Number.NaN;
    const minutes = Math.round((date - clock.now()) / 60_000);
    if (Number.isNaN(minutes) || Math.abs(minutes) < CLOCK_MINUTES) return [];
    const way = minutes > 0 ? 'ahead of' : 'behind';
    return [`The clock of ${at} is ${Math.abs(minutes)} min ${way} ours, so times may be off by that much.`];
  };

  const at = `${address.title} at ${base}`;
  const refuse = (reason: string, isClosed = false): SourceAnswer => ({
    ok: false,
    reason: clean(reason),
    isClosed,
  });
  return {
    base,
    ask: async (request, budget, accept = () => false) =>
      budget.perform(async () => {
        const permission = budget.takeRequest();
        if (!permission.granted) return refuse(permission.reason);
        const send = () => sendToEither(request, budget, accept);
        const mayRepeat = () => !budget.signal.aborted && budget.takeRequest().granted;
        try {
          // All requests are reads. A proxy that restarts cuts answers short, and the same question again is answered.
          const answer = await send().catch((error: unknown) => {
            if (CUT.includes(codeOf(error)) && mayRepeat()) return send();
            throw error;
          });
          return answer.ok && answer.endsEarly && mayRepeat() ? await send() : answer;
        } catch (error) {
          return refuse(sentenceForFailure(error, address, at, budget.signal.aborted));
        }
      }),
    close: () => dispatcher.close(),
  };
}

function headersOf(
  { token, scheme = 'Bearer', user, password, orgId }: SourceAddress,
  url: URL,
): Record<string, string> {
  const name = user ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  const basic = name === '' ? null : Buffer.from(`${name}:${secret}`).toString('base64');
  const authorization = token !== undefined ? `${scheme} ${token}` : basic === null ? null : `Basic ${basic}`;
  return {
    accept: 'application/json',
    ...(authorization === null ? {} : { authorization }),
    ...(orgId === undefined ? {} : { 'x-scope-orgid': orgId }),
  };
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > MOST_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MOST_ERROR_BYTES);
}

function sentenceFor(
  status: number,
  text: string,
  { variable, location = `${variable}_URL`, credentials, url, token }: SourceAddress,
  at: string,
): string {
  const error = errorIn(text);
  const why = error === '' ? '' : `: ${error}`;
  if (status === 401 || status === 403) {
    const what =
      token === undefined
        ? `${variable}_TOKEN, or ${variable}_USER and ${variable}_PASSWORD`
        : `${variable}_TOKEN`;
    return `${at} refused the credentials (${status}): check ${credentials ?? what}.`;
  }
  if (status === 404)
    return `${at} has no API at this address (404): check ${location}${location !== `${variable}_URL` ? '' : new URL(url).pathname === '/' ? ', which may need a path prefix' : ' and its path prefix'}.`;
  if (status >= 300 && status < 400)
    return `${at} redirects elsewhere (${status}): set ${location} to the final address.`;
  if (status === 400 || status === 422) return `${at} could not evaluate a query (${status})${why}.`;
  if (status === 429)
    return `${at} limits how often it may be asked (429): raise its limits, or lower TELEMETRY_MAX_REQUESTS.`;
  if (status === 503 || status === 504)
    return `${at} gave up on a query, or is overloaded (${status})${why}.`;
  return `${at} answered with ${status}${why}.`;
}

function errorIn(text: string): string {
  const found = /"(?:error|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/u.exec(text)?.[1] ?? '';
  return found.slice(0, ERROR_CHARACTERS).replaceAll(/\s+/gu, ' ').replace(/\.$/u, '');
}

/** What a connection failed of, by the error's code. */
export const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  PROTOCOL_CONNECTION_LOST: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was cut',
};

/** A connection that was open, and broke. */
const CUT = ['ECONNRESET', 'UND_ERR_SOCKET'];

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

function sentenceForFailure(
  error: unknown,
  { variable, location = `${variable}_URL` }: SourceAddress,
  at: string,
  isOver: boolean,
): string {
  if (isOver) return `${at} did not answer before the time for this investigation was over.`;
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError')
    return `${at} did not answer within ${TIMEOUT_MS / 1000} s.`;
  const code = codeOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_/u.test(code))
    return `${at} has a certificate that is not trusted (${code}): set NODE_EXTRA_CA_CERTS to your certificate authority.`;
  const what = NETWORK[code] ?? (error instanceof Error ? error.message : String(error));
  return `${at} could not be reached (${what}): check ${location}, and that it is running.`;
}

/** Requests JSON of a given schema from a source; any failure becomes a reason that says what to do. */
export async function askJson<T>(
  { http, address }: { http: SourceClient; address: Pick<SourceAddress, 'title' | 'variable' | 'location'> },
  request: SourceRequest,
  schema: z.ZodType<T>,
  budget: Budget,
): Promise<Reading<T>> {
  const answer = await http.ask(request, budget);
  if (!answer.ok) return unknown(answer.reason);
  const at = `${address.title} at ${http.base}`;
  if (answer.json === undefined)
    return unknown(
      `${at} answered with something other than JSON, or cut it short: check that ${address.location ?? `${address.variable}_URL`} leads to ${address.title} itself, not to a login page.`,
    );
  const parsed = schema.safeParse(answer.json);
  return parsed.success
    ? known(parsed.data, answer.caveats)
    : unknown(`${at} answered in a form that ${address.title} does not have.`);
}
