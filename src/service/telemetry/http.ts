import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { z } from 'zod';
import { timeoutSignal } from '../../lib/clock.ts';
import { redactor } from '../../lib/redact.ts';
import type { Budget } from './budget.ts';
import { type Answer, known, unknown } from './model.ts';

/** A source's address and credentials. */
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
  token?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  /** `X-Scope-OrgID`. */
  orgId?: string | undefined;
  /** For a token that changes: read for each request. */
  readToken?: (() => Promise<string>) | undefined;
  /** In PEM: a certificate authority trusted for this source only, and a client certificate. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined;
}

interface SourceRequest {
  method?: 'GET' | 'POST';
  /** Relative to the base address. */
  path: string;
  /** In the query string of a GET, as a form in the body of a POST. */
  parameters?: readonly (readonly [string, string])[];
  headers?: Record<string, string>;
}

/** A source's answer, or a sentence on why there is none. */
type SourceAnswer =
  | {
      ok: true;
      status: number;
      text: string /** Its clock, by the header `Date`, in milliseconds. */;
      date: number | null;
    }
  | { ok: false; reason: string };

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
const MOST_BYTES = 64 * 1024 * 1024;
const ERROR_CHARACTERS = 300;

/**
 * A client of a source. Honours proxies (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) and Node's extra certificate
 * authorities (`NODE_EXTRA_CA_CERTS`). Does not follow redirects, which would carry the credentials along.
 */
export function createSourceClient(address: SourceAddress): SourceClient {
  const dispatcher: Dispatcher = new EnvHttpProxyAgent({
    connections: 8,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...address.tls },
    ...(address.tls && { requestTls: address.tls }),
  });
  const url = new URL(address.url);
  const prefix = url.pathname.replace(/\/+$/u, '');
  const base = `${url.origin}${prefix}`;
  const headers = headersOf(address, url);
  const secrets = [address.token ?? '', address.password ?? '', decodeURIComponent(url.password)];
  const clean = redactor(secrets);

  async function send(request: SourceRequest, budget: Budget, accept: (status: number) => boolean) {
    const { method = 'GET', path, parameters = [] } = request;
    const form = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
    const isForm = method === 'POST';
    const response = await dispatcher.request({
      origin: url.origin,
      path: `${prefix}${path}${!isForm && form !== '' ? `?${form}` : ''}`,
      method,
      headers: {
        ...headers,
        ...(address.readToken && { authorization: `Bearer ${await address.readToken()}` }),
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...request.headers,
      },
      body: isForm ? form : null,
      signal: timeoutSignal(TIMEOUT_MS, budget.signal),
    });
    const { statusCode: status } = response;
    const text = await readBody(response.body);
    if (text === null)
      return refuse(`${at} answered with more than ${MOST_BYTES / 1_048_576} MiB; the rest was not read.`);
    return (status >= 200 && status < 300) || accept(status)
      ? ({ ok: true, status, text, date: dateIn(response.headers.date) } as const)
      : refuse(sentenceFor(status, text, address, at));
  }

  const at = `${address.title} at ${base}`;
  const refuse = (reason: string): SourceAnswer => ({ ok: false, reason: clean(reason) });
  return {
    base,
    ask: async (request, budget, accept = () => false) =>
      budget.perform(async () => {
        const permission = budget.takeRequest();
        if (!permission.granted) return refuse(permission.reason);
        try {
          return await send(request, budget, accept);
        } catch (error) {
          return refuse(sentenceForFailure(error, address, at, budget.signal.aborted));
        }
      }),
    close: () => dispatcher.close(),
  };
}

function headersOf({ token, user, password, orgId }: SourceAddress, url: URL): Record<string, string> {
  const name = user ?? decodeURIComponent(url.username);
  const secret = password ?? decodeURIComponent(url.password);
  const basic = name === '' ? null : Buffer.from(`${name}:${secret}`).toString('base64');
  const authorization = token !== undefined ? `Bearer ${token}` : basic === null ? null : `Basic ${basic}`;
  return {
    accept: 'application/json',
    ...(authorization === null ? {} : { authorization }),
    ...(orgId === undefined ? {} : { 'x-scope-orgid': orgId }),
  };
}

function dateIn(header: string | string[] | undefined): number | null {
  const at = typeof header === 'string' ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** `null` if it is too long. */
async function readBody(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sentenceFor(
  status: number,
  text: string,
  { variable, location = `${variable}_URL`, credentials, url, token }: SourceAddress,
  at: string,
): string {
  const said = errorIn(text);
  const why = said === '' ? '' : `: ${said}`;
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

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was cut',
};

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
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
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
): Promise<Answer<T>> {
  const answer = await http.ask(request, budget);
  if (!answer.ok) return unknown(answer.reason);
  const at = `${address.title} at ${http.base}`;
  const json = parseJson(answer.text);
  if (json === undefined)
    return unknown(
      `${at} answered with something other than JSON, or cut it short: check that ${address.location ?? `${address.variable}_URL`} leads to ${address.title} itself, not to a login page.`,
    );
  const parsed = schema.safeParse(json);
  return parsed.success
    ? known(parsed.data)
    : unknown(`${at} answered in a form that ${address.title} does not have.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
