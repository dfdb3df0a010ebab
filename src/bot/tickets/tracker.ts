import { z } from 'zod';
import { type Clock, timeoutSignal } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';

/** A ticket at a tracker. */
export interface Ticket {
  /** As people call it: `FIX-12`, `#12`. */
  key: string;
  url: string;
}

/** What a ticket says: plain text of one line each, untrusted. Each tracker writes it in its own markup. */
export interface TicketDraft {
  title: string;
  paragraphs: readonly string[];
  steps: readonly { text: string; done: boolean }[];
  /** Our link to the thread. */
  slackUrl: string | null;
  /** Ours, at the end of the ticket: by it the ticket is found again. */
  reference: string;
  /** The same for every attempt to make this ticket, for a tracker that lets its client choose. */
  uuid: string;
}

/** How a ticket is found that an earlier attempt may have made. */
export interface Search {
  reference: string;
  isSought: (description: string) => boolean;
  /** Milliseconds; no ticket is older. */
  since: number;
}

/** A comment: plain text, untrusted. */
export interface Comment {
  text: string;
  uuid: string;
}

export interface Tracker {
  name: string;
  /** The ticket that bears a reference; `null` if there is none. */
  find(search: Search, signal?: AbortSignal): Promise<Ticket | null>;
  /** Whether a ticket is where this tracker is configured for, and not where an earlier configuration made it. */
  owns(ticket: Ticket): boolean;
  create(draft: TicketDraft, signal?: AbortSignal): Promise<Ticket>;
  /** Its state in the tracker's words, and its name, which changes where it is moved; `null` if it is gone. */
  stateOf(key: string, signal?: AbortSignal): Promise<(Ticket & { status: string }) | null>;
  /** Whether an earlier attempt has made a comment. */
  hasComment(key: string, comment: Comment, signal?: AbortSignal): Promise<boolean>;
  comment(key: string, comment: Comment, signal?: AbortSignal): Promise<void>;
  /** Whether tickets could be made, without making one; in words. @throws TrackerError if not */
  check(): Promise<string>;
}

/** A tracker refused or failed; in words for people, which never hold a token. */
export class TrackerError extends Error {
  override name = 'TrackerError';
  /** What went wrong, without the fix. */
  readonly what: string;
  /** What to fix; `null` if there is nothing to do but wait. */
  readonly fix: string | null;
  /** Whether trying again cannot help until somebody has fixed it. */
  readonly isFinal: boolean;
  /** When the tracker wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | null;
  /** Whether what was asked may have been done all the same. */
  readonly isAmbiguous: boolean;
  /** Whether what was asked about is not there. */
  readonly isGone: boolean;
  /** The status of a refusal that nothing more is known of. */
  readonly status: number | null;
  constructor(
    what: string,
    more: Partial<
      Pick<TrackerError, 'fix' | 'isFinal' | 'retryAfterMs' | 'isAmbiguous' | 'isGone' | 'status'>
    > = {},
  ) {
    const { fix = null } = more;
    super(fix === null ? `${what}.` : `${what}: ${fix}.`);
    this.what = what;
    this.fix = fix;
    this.isFinal = more.isFinal ?? fix !== null;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.isAmbiguous = more.isAmbiguous ?? false;
    this.isGone = more.isGone ?? false;
    this.status = more.status ?? null;
  }
}

export type Fetch = typeof globalThis.fetch;

/** What the trackers have in common: how they are called, and how each explains a refusal. */
export interface Service {
  name: string;
  headers: Readonly<Record<string, string>>;
  fetch: Fetch;
  clock: Pick<Clock, 'now'>;
  /** What a refusal says; `null` for what is the same everywhere. `body` is JSON, if it was. */
  explain(status: number, body: unknown): TrackerError | null;
}

const Failure = z.looseObject({
  name: z.string().catch(''),
  cause: z.looseObject({ code: z.string().catch('') }).catch({ code: '' }),
});

interface Request {
  url: string;
  method?: 'GET' | 'POST';
  body?: unknown;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 15_000;
/** A hundred long issues. */
const MAX_BYTES = 10_000_000;
const MAX_DETAIL = 300;
const MOST_REDIRECTS = 3;
const LONGEST_WAIT_MS = 65 * 60_000;

/** @throws TrackerError */
export async function ask<T>(request: Request, shape: z.ZodType<T>, service: Service): Promise<T> {
  const { name } = service;
  const strange = () =>
    new TrackerError(`${name} answered something that cannot be understood`, { isAmbiguous: true });
  const { response, text } = await send(request, service);
  if (text === null) throw strange();
  if (!response.ok) throw refusal(response, parseJson(text), service);
  const answer = shape.safeParse(parseJson(text));
  if (!answer.success) throw strange();
  return answer.data;
}

async function send(
  { url, method = 'GET', body, signal }: Request,
  { name, headers, fetch }: Service,
): Promise<{ response: Response; text: string | null }> {
  const sent = {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'gumshoe',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // The token goes to no other host.
    redirect: 'manual',
    signal: timeoutSignal(TIMEOUT_MS, signal),
  } as const;
  try {
    let at = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(at, sent);
      const next = redirects < MOST_REDIRECTS ? redirectOf(response, at, method) : null;
      if (next === null) return { response, text: await bounded(response) };
      await response.body?.cancel();
      at = next;
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { cause, name: kind } = Failure.parse(error);
    const why = cause.code || (kind === 'TimeoutError' ? `no answer in ${TIMEOUT_MS / 1000} seconds` : '');
    throw new TrackerError(`${name} cannot be reached${why === '' ? '' : ` (${why})`}; I will keep trying`, {
      isAmbiguous: true,
    });
  }
}

/** Where a moved repository or issue is now, on the same host. */
function redirectOf(response: Response, from: string, method: string): string | null {
  const { status, headers } = response;
  const keepsMethod = status === 307 || status === 308;
  if (!keepsMethod && !(method === 'GET' && [301, 302, 303].includes(status))) return null;
  const to = URL.parse(headers.get('location') ?? '', from);
  return to !== null && to.origin === new URL(from).origin ? to.href : null;
}

/** The body as text; `null` if it is too long. */
async function bounded(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(response: Response, body: unknown, service: Service): TrackerError {
  const { name, clock } = service;
  const { status, headers } = response;
  const isLimited =
    status === 429 ||
    (status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after'))) ||
    isRateLimit(body);
  if (isLimited)
    return new TrackerError(`${name} allows no more requests for now`, {
      retryAfterMs: waitOf(headers, RESETS, clock.now()) ?? 60_000,
    });
  if (status >= 500 || status === 408)
    return new TrackerError(`${name} answers with ${status}`, {
      isAmbiguous: true,
      retryAfterMs: waitOf(headers, [], clock.now()),
    });
  const explained = service.explain(status, body);
  if (explained !== null) return explained;
  const detail = detailOf(body);
  const what = `${name} refuses it (${status})${detail === '' ? '' : `: ${detail}`}`;
  return new TrackerError(what, { isFinal: true, status });
}

/** GitHub's second limit comes as a plain 403, Linear's as a 400. */
function isRateLimit(body: unknown): boolean {
  const { message = '', errors } = Refusal.safeParse(body).data ?? {};
  const codes = z.array(LinearError).safeParse(errors).data ?? [];
  return (
    /secondary rate limit/iu.test(message) ||
    codes.some(({ extensions }) => extensions.code === 'RATELIMITED')
  );
}

/** Of GitHub and Jira, and Linear's two: each with how much is left until then. */
const RESETS = ['x-ratelimit', 'x-ratelimit-requests', 'x-ratelimit-complexity'];

/** When to ask again: in seconds, or at a moment in seconds, in milliseconds or as a date. */
function waitOf(headers: Headers, resets: readonly string[], now: number): number | null {
  const after = headers.get('retry-after');
  const moments = resets
    .filter((name) => (headers.get(`${name}-remaining`) ?? '0') === '0')
    .flatMap((name) => headers.get(`${name}-reset`) ?? []);
  const waits = (
    after === null
      ? moments.map((at) => momentOf(at) - now)
      : [/^\d+$/u.test(after) ? Number(after) * 1000 : Date.parse(after) - now]
  ).filter((ms) => Number.isFinite(ms));
  return waits.length === 0 ? null : Math.min(Math.max(...waits, 1_000), LONGEST_WAIT_MS);
}

function momentOf(text: string): number {
  if (!/^\d+$/u.test(text)) return Date.parse(text);
  const number = Number(text);
  return number > 1e11 ? number : number * 1000;
}

export const LinearError = z.looseObject({
  message: z.string().catch(''),
  extensions: z
    .looseObject({
      code: z.string().catch(''),
      type: z.string().catch(''),
      userPresentableMessage: z.string().catch(''),
    })
    .catch({ code: '', type: '', userPresentableMessage: '' }),
});
const Refusal = z.looseObject({
  message: z.string().optional().catch(undefined),
  errors: z.unknown().optional(),
  errorMessages: z.array(z.string()).optional().catch(undefined),
});
const FieldErrors = z.array(
  z.union([
    z.string(),
    z.looseObject({
      field: z.string().optional(),
      message: z.string().optional(),
      code: z.string().optional(),
    }),
  ]),
);

/** What a tracker says of a refusal, with the fields that it demands. */
export function detailOf(body: unknown): string {
  const { message = '', errorMessages = [], errors } = Refusal.safeParse(body).data ?? {};
  const listed = (FieldErrors.safeParse(errors).data ?? []).map((one) =>
    typeof one === 'string'
      ? one
      : [one.field, one.message ?? one.code].filter((part) => part !== undefined && part !== '').join(': '),
  );
  const named = Object.entries(fieldsOf(body)).map(([field, why]) => `${field}: ${why}`);
  return [message, ...errorMessages, ...listed, ...named]
    .filter((part) => part !== '')
    .map((part) => part.replace(/[.\s]+$/u, ''))
    .join('; ')
    .slice(0, MAX_DETAIL);
}

/** Jira's errors by field. */
export function fieldsOf(body: unknown): Readonly<Record<string, string>> {
  return z.record(z.string(), z.string()).safeParse(Refusal.safeParse(body).data?.errors).data ?? {};
}

/** What was asked for; `null` where it is not there. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TrackerError && error.isGone) return null;
    throw error;
  }
}
