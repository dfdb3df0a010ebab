import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json.ts';
import { decode } from './decode.ts';
import {
  CancelledError,
  CircuitOpenError,
  type KeyVariable,
  RateLimitedError,
  RejectedError,
  ServiceError,
  StreamFailedError,
  TimedOutError,
  UnreachableError,
  UnreadableAnswerError,
  UnsendableError,
} from './errors.ts';
import {
  type Breaker,
  type CallReport,
  createBreaker,
  createKeyGuard,
  createServiceHealth,
  type ServiceHealth,
} from './guard.ts';
import {
  BodyTooLargeError,
  type Call,
  changesSomething,
  createTransport,
  excerpt,
  type OpenAnswer,
  readText,
  type TransportOptions,
  withoutKey,
} from './transport.ts';

/** A call as described by a resource; the signal is optional here. */
export interface Request extends Omit<Call, 'signal'> {
  signal?: AbortSignal | undefined;
  /** Whether repeating the call has no further effect; by default true of all but `POST`. */
  idempotent?: boolean;
}

/** Parts of a response that could not be used and were left out. */
export interface DropReport {
  operation: string;
  requestId: string | null;
  /** Their paths, such as `data.3`. */
  paths: string[];
}

interface HttpOptions extends TransportOptions {
  random: () => number;
  /** The variable that holds the key, for error messages; `ISSUE_SERVICE_API_KEY` by default. */
  keyVariable?: KeyVariable;
  onCall?: ((call: CallReport) => void) | undefined;
  onDropped?: ((drop: DropReport) => void) | undefined;
}

/** What the resources are built on: calls with retries, and responses that have passed their schema. */
export interface Http {
  json<S extends z.ZodType>(request: Request, schema: S): Promise<z.infer<S>>;
  /** A deletion: any success will do, and so will 404 if an earlier attempt may have succeeded. */
  gone(request: Request): Promise<void>;
  /**
   * The head of a streamed response, for a stream reader. Retries and the breaker end with the head: what arrives after it
   * must be neither lost nor requested twice.
   */
  stream(request: Request): Promise<StreamedAnswer>;
  /** Whether the service is this project's own, as its answers say; `null` before the first. */
  isOurs(): boolean | null;
  health(): ServiceHealth;
  close(): Promise<void>;
}

export interface StreamedAnswer extends OpenAnswer {
  /** The error for a response that violates the contract. */
  unreadable(problem: string, text: string, field?: string): UnreadableAnswerError;
  /** The error for a failure reported within the stream. */
  failed(body: Readonly<Record<string, unknown>>): StreamFailedError;
  /** Reports parts of the response that were left out. */
  dropped(paths: string[]): void;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

export function createHttp(options: HttpOptions): Http {
  const transport = createTransport(options);
  const { keyVariable = 'ISSUE_SERVICE_API_KEY' } = options;
  const closing = new AbortController();
  const breakers = new Map<string, Breaker>();
  const health = createServiceHealth(options.clock);
  const keyGuard = createKeyGuard({
    clock: options.clock,
    onRefused: health.keyRefused,
    keyVariable,
  });

  function reported(call: CallReport): void {
    health.called(call);
    options.onCall?.(call);
  }

  /** One attempt, reported whether it succeeds or not. */
  async function attempt<T>(call: Call, use: (answer: OpenAnswer) => Promise<T>): Promise<T> {
    const start = options.clock.now();
    const seen: { answer: OpenAnswer | null } = { answer: null };
    const report = (outcome: string, error: ServiceError | null): void =>
      reported({
        operation: call.operation,
        status: error?.status ?? seen.answer?.status ?? null,
        ms: options.clock.now() - start,
        requestId: error?.requestId ?? seen.answer?.requestId ?? null,
        outcome,
      });
    try {
      seen.answer = await transport.open(call);
      const value = await use(seen.answer);
      report('ok', null);
      return value;
    } catch (error) {
      const known = error instanceof ServiceError ? error : null;
      report(known?.name ?? 'Error', known);
      throw error;
    }
  }

  function withSignal(request: Request): Call & Pick<Request, 'idempotent'> {
    const { signal } = request;
    return { ...request, signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal };
  }

  /** Runs the attempts of a call, if its resource's breaker lets it through. */
  async function guarded<T>(
    call: Call & Pick<Request, 'idempotent'>,
    attempts: (previous: ServiceError | null) => Promise<T>,
  ): Promise<T> {
    const { operation, signal } = call;
    const what = { operation, idempotent: call.idempotent ?? call.method !== 'POST', signal };
    try {
      return await keyGuard.run(operation, () =>
        breakerFor(operation).run(operation, () => withRetries(options, what, attempts)),
      );
    } catch (error) {
      if (error instanceof ServiceError) error.keyVariable = keyVariable;
      if (error instanceof CircuitOpenError) {
        reported({ operation, status: null, ms: 0, requestId: null, outcome: error.name });
      }
      throw error;
    }
  }

  /** Of each resource one: an agent that is down or slow must not hold up the filing of alerts. */
  function breakerFor(operation: string): Breaker {
    const resource = operation.split('.', 1)[0] ?? operation;
    const breaker = breakers.get(resource) ?? createBreaker(options.clock);
    breakers.set(resource, breaker);
    return breaker;
  }

  function retrying<T>(request: Request, use: (answer: OpenAnswer, call: Call) => Promise<T>): Promise<T> {
    const call = withSignal(request);
    return guarded(call, () => attempt(call, (answer) => use(answer, call)));
  }

  const dropped = (call: Call, answer: OpenAnswer, paths: string[]): void => {
    if (paths.length > 0) {
      options.onDropped?.({ operation: call.operation, requestId: answer.requestId, paths });
    }
  };

  const unreadable =
    (call: Call, answer: OpenAnswer) =>
    (problem: string, text: string, field?: string, isTooLarge = false): UnreadableAnswerError =>
      new UnreadableAnswerError({
        operation: call.operation,
        ambiguous: changesSomething(call),
        status: answer.status,
        requestId: answer.requestId,
        bodyExcerpt: excerpt(withoutKey(text, options.apiKey)),
        problem,
        field: field ?? null,
        isTooLarge,
      });

  const failed =
    (call: Call, answer: OpenAnswer) =>
    (body: Readonly<Record<string, unknown>>): StreamFailedError => {
      const text = (key: string): string | null => {
        const value = body[key];
        return typeof value === 'string' ? withoutKey(value, options.apiKey) : null;
      };
      return new StreamFailedError({
        operation: call.operation,
        ambiguous: changesSomething(call),
        status: answer.status,
        type: text('type'),
        requestId: text('request_id') ?? answer.requestId,
        reason: text('message'),
      });
    };

  async function wholeText(call: Call, answer: OpenAnswer): Promise<string> {
    try {
      return await readText(answer.chunks, MAX_BODY_BYTES);
    } catch (error) {
      answer.discard();
      if (error instanceof BodyTooLargeError) {
        throw unreadable(call, answer)(error.message, '', undefined, true);
      }
      throw error;
    }
  }

  return {
    json: (request, schema) =>
      retrying(request, async (answer, call) => {
        const text = await wholeText(call, answer);
        const parsed = parseJson(text);
        if (parsed === undefined) throw unreadable(call, answer)('the answer is not JSON', text);
        const decoded = decode(schema, parsed);
        if (!decoded.ok) {
          throw unreadable(call, answer)(
            `the answer's ${decoded.field}: ${decoded.problem}`,
            '',
            decoded.field,
          );
        }
        dropped(call, answer, decoded.dropped);
        return decoded.value;
      }),

    gone(request) {
      const call = withSignal(request);
      return guarded(call, async (previous) => {
        try {
          await attempt(call, (answer) => wholeText(call, answer));
        } catch (error) {
          const done = error instanceof ServiceError && error.status === 404 && previous?.ambiguous === true;
          if (!done) throw error;
        }
      });
    },

    stream: (request) =>
      retrying(request, async (answer, call) => ({
        ...answer,
        unreadable: unreadable(call, answer),
        failed: failed(call, answer),
        dropped: (paths) => dropped(call, answer, paths),
      })),

    isOurs: transport.isOurs,

    health: () => health.read(keyGuard.refusal()),

    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await transport.close();
    },
  };
}

/**
 * Checks a request against its schema, so that a limit of the contract (section 8) is reported by name, without a
 * request. Throws `UnsendableError` with every invalid field.
 */
export function assertSendable<S extends z.ZodType>(operation: string, schema: S, input: z.input<S>): void {
  const result = schema.safeParse(input);
  if (result.success) return;
  const problems = result.error.issues.map(({ path, message }) => [path.map(String).join('.'), message]);
  throw new UnsendableError({ operation, details: Object.fromEntries(problems) });
}

const MAX_REPEATS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** If the service asks for a longer wait than this, its error is shown instead. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** Statuses by which a service, or a proxy in front of it, says that a retry may help. */
const PASSING_STATUSES = new Set([408, 500, 502, 503, 504]);

interface RetryDeps {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** The call to retry: whether it is idempotent, and the signal that cancels it. */
interface Repeatable {
  operation: string;
  /** Repeating it has no further effect; true of all calls but creating and asking. */
  idempotent: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a call, and retries it if that may help and cannot double its effect: a call that is not idempotent only if the
 * service cannot have seen it (no connection) or says that it did nothing (429). Each attempt is passed the failure of
 * the one before it.
 */
async function withRetries<T>(
  deps: RetryDeps,
  what: Repeatable,
  attempt: (previous: ServiceError | null) => Promise<T>,
): Promise<T> {
  let previous: ServiceError | null = null;
  for (let repeats = 0; ; repeats += 1) {
    if (previous !== null) await waitBefore(repeats, previous, deps, what);
    try {
      return await attempt(previous);
    } catch (error) {
      const isWorthRepeating = error instanceof ServiceError && mayRepeat(error, what.idempotent);
      if (!isWorthRepeating || repeats === MAX_REPEATS) throw error;
      previous = error;
    }
  }
}

function mayRepeat(error: ServiceError, idempotent: boolean): boolean {
  if (error instanceof RateLimitedError) return (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS;
  if (error instanceof UnreachableError) return idempotent || !error.ambiguous;
  if (!idempotent) return false;
  if (error instanceof TimedOutError) return true;
  return (
    error instanceof RejectedError &&
    PASSING_STATUSES.has(error.status ?? 0) &&
    (error.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS
  );
}

async function waitBefore(
  attempt: number,
  previous: ServiceError,
  deps: RetryDeps,
  what: Repeatable,
): Promise<void> {
  const ceiling = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  // Half of the wait is fixed, so that a retry is never immediate; the other half is jitter.
  const jittered = ceiling / 2 + deps.random() * (ceiling / 2);
  const asked =
    previous instanceof RateLimitedError || previous instanceof RejectedError ? previous.retryAfterMs : null;
  const spread = asked === null ? jittered : asked + deps.random() * FIRST_WAIT_MS;
  try {
    await deps.clock.sleep(spread, what.signal);
  } catch (error) {
    throw new CancelledError({ operation: what.operation, ambiguous: previous.ambiguous, cause: error });
  }
}
