import { createHash } from 'node:crypto';
import { type Clock, raceAbort } from '../../lib/clock.ts';
import { createMasking, type Masking } from '../../lib/masking.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { ModelRequestStore } from '../store/model-requests.ts';
import type { ModelSettings, ModelUse } from './settings.ts';
import { createWire, type Prompt, type Reply, type Wire } from './wire.ts';

/** Whose question, or investigation, the model is asked for. */
export interface Asking {
  organization: string;
  issue: number | null;
  use: ModelUse | 'check';
}

/** What one question may have of the model: seconds, requests and tokens. */
export interface ModelSession {
  /** @throws ModelUnavailable whatever is wrong: without a model there is always an answer too */
  complete(prompt: Prompt, asking: Asking): Promise<Reply>;
  /** Frees the timer. */
  end(): void;
}

/** The language model, if one is configured. */
export interface Model {
  name: string;
  /** Of `MODEL_URL`: the only one that anything is sent to. */
  host: string;
  uses(use: ModelUse): boolean;
  settings: Pick<ModelSettings, 'private' | 'shareTalk' | 'maxCalls'>;
  /** Tokens taken today (UTC), and the ceiling. */
  today(): Promise<{ tokens: number; ceiling: number }>;
  begin(stop: AbortSignal): ModelSession;
}

/** Why the model was not asked, or did not answer, in words for the operator: never in the server's. */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
  readonly outcome: string;

  constructor(outcome: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

interface ModelParts {
  requests: ModelRequestStore;
  clock: Clock;
  log: ServiceLog;
  metrics: Pick<ServiceMetrics, 'modelAsked'>;
  /** For tests: in place of the network. */
  fetch?: typeof globalThis.fetch;
  masking?: Masking;
}

/** Longer is no question. */
const MOST_BYTES = 200_000;
/** Fewer bytes a token than any language has, so that an estimate is never too low by much. */
const BYTES_A_TOKEN = 3;
/** More than what is sent here has: a server that counts less than this does not count. */
const MOST_BYTES_COUNTED_A_TOKEN = 8;
/** Of an answer on the wire, where a token may be an event of its own. */
const MOST_BYTES_A_TOKEN = 1_000;
const LONGEST_REST_MS = 10 * 60_000;

const WHY_UNUSED = { answer: 'answers are computed, and no model words them' } as const;

export function createModel(settings: ModelSettings, parts: ModelParts): Model {
  const { requests, clock, log, metrics } = parts;
  const masking = parts.masking ?? createMasking();
  const wire = createWire(settings);
  const { host } = new URL(settings.url);
  /** Until when the server wants to be left alone. */
  let restsUntil = 0;
  let lastFull = '';
  for (const one of settings.unused)
    log.warn({}, `MODEL_USE names \`${one}\`, which does nothing: ${WHY_UNUSED[one]}. Remove it`);

  function begin(stop: AbortSignal): ModelSession {
    const over = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([over.signal, stop]);
    clock.sleep(settings.maxSeconds * 1000, ended.signal).then(
      () =>
        over.abort(new ModelUnavailable('timeout', `the model took longer than ${settings.maxSeconds} s`)),
      () => undefined,
    );
    let calls = 0;
    let tokens = 0;
    return {
      complete: async (prompt, asking) => {
        signal.throwIfAborted();
        if (calls >= settings.maxCalls)
          throw new ModelUnavailable('limit', `a question may ask the model ${settings.maxCalls} times`);
        if (clock.now() < restsUntil)
          throw new ModelUnavailable('limited', 'the model’s server wants to be asked later');
        calls++;
        // Whatever the server still sends once this is over is not waited for: its connection is given up.
        const done = new AbortController();
        const sending = send(asking, prompt.mostOutput, {
          left: () => settings.maxTokens - tokens,
          done: AbortSignal.any([signal, done.signal]),
        });
        try {
          const reply = await raceAbort(signal, wire(prompt, sending.fetch, signal));
          tokens += await sending.settle('answered', reply.tokens);
          return reply;
        } catch (error) {
          const failure = failureOf(signal.aborted ? signal.reason : error);
          tokens += await sending.settle(failure.outcome, null);
          log.warn(
            { outcome: failure.outcome, host, use: asking.use },
            `the model was not used: ${failure.message}`,
          );
          throw failure;
        } finally {
          done.abort();
        }
      },
      end: () => ended.abort(),
    };
  }

  /** One request: masked, within the limits, stored before it leaves, to the model's host alone. */
  function send(
    asking: Asking,
    mostOutput: number,
    { left, done }: { left: () => number; done: AbortSignal },
  ) {
    const began = clock.now();
    let id: string | null = null;
    let reserved = 0;
    let sent = 0;
    let status = 0;
    const fetchMasked: Wire extends (prompt: Prompt, fetch: infer Fetch, signal: AbortSignal) => unknown
      ? Fetch
      : never = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.host !== host || typeof init?.body !== 'string')
        throw new ModelUnavailable('refused', 'only requests to the host of MODEL_URL leave');
      const body = JSON.stringify(masking.value(JSON.parse(init.body)));
      const bytes = Buffer.byteLength(body);
      sent = bytes;
      reserved = Math.ceil(bytes / BYTES_A_TOKEN) + mostOutput;
      if (bytes > MOST_BYTES || reserved > left())
        throw new ModelUnavailable('limit', 'the request is larger than MODEL_MAX_TOKENS allows');
      const { organization, issue, use: purpose } = asking;
      const payload = settings.audit === 'full' ? body.replaceAll('\0', '') : null;
      const digest = createHash('sha256').update(body).digest('hex');
      const row = { organization, issue, purpose, model: settings.name, host, reserved, digest, payload };
      id = await requests.reserve(row, { ceiling: settings.dayTokens, now: began });
      if (id === null) {
        reportFull(began);
        throw new ModelUnavailable('day limit', 'the tokens of the day (MODEL_DAY_TOKENS) are used up');
      }
      // A redirect would take the request, and the key, to another host.
      const response = await (parts.fetch ?? globalThis.fetch)(url, { ...init, body, redirect: 'manual' });
      status = response.status;
      if (status === 429) restAfter(response.headers.get('retry-after'));
      if (!response.ok) {
        await response.body?.cancel();
        throw refusalOf(status);
      }
      return bounded(response, { most: mostOutput * MOST_BYTES_A_TOKEN, done });
    };
    return {
      fetch: fetchMasked,
      /** @returns the tokens that it counts with */
      settle: async (outcome: string, tokens: number | null): Promise<number> => {
        metrics.modelAsked(asking.use, outcome);
        if (id === null) return 0;
        // Of what was not answered, nothing was taken; where nobody says how much was, it is what was reserved. A server
        // that says is believed between what was certainly sent and what was reserved.
        const least = Math.ceil(sent / MOST_BYTES_COUNTED_A_TOKEN);
        const counted = Math.min(reserved, Math.max(least, tokens ?? reserved));
        const taken = status < 200 || status > 299 ? 0 : counted;
        await requests.settle(id, { tokens: taken, ms: clock.now() - began, outcome });
        return taken;
      },
    };
  }

  function restAfter(header: string | null): void {
    const seconds = Number(header);
    const ms = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 10_000;
    restsUntil = clock.now() + Math.min(ms, LONGEST_REST_MS);
  }

  /** Once a day. */
  function reportFull(now: number): void {
    const day = new Date(now).toISOString().slice(0, 10);
    if (day === lastFull) return;
    lastFull = day;
    log.warn(
      { ceiling: settings.dayTokens },
      'the model’s tokens of today are used up: until midnight (UTC) answers are made without it; raise MODEL_DAY_TOKENS for more',
    );
  }

  return {
    name: settings.name,
    host,
    settings,
    uses: (use) => settings.uses.includes(use),
    today: async () => ({ tokens: await requests.spentOn(clock.now()), ceiling: settings.dayTokens }),
    begin,
  };
}

/** An answer that does not end, whatever it consists of, is cut off; so is what goes on once it is no longer read. */
function bounded(response: Response, { most, done }: { most: number; done: AbortSignal }): Response {
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > most) controller.error(new Error('the answer is longer than was asked for'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(count, { signal: done }) ?? null, response);
}

/** A server's own words may hold the key, so only the status is passed on. */
function refusalOf(status: number): ModelUnavailable {
  if (status === 401 || status === 403)
    return new ModelUnavailable('key', `the server refuses the key (${status}): check MODEL_KEY`);
  if (status === 404)
    return new ModelUnavailable(
      'not found',
      'the server knows no such address or model (404): check MODEL_URL and MODEL_NAME',
    );
  if (status === 429) return new ModelUnavailable('limited', 'the server takes no more requests now (429)');
  if (status >= 300 && status < 400)
    return new ModelUnavailable(
      'redirect',
      `the server redirects (${status}): set MODEL_URL to where it answers`,
    );
  return new ModelUnavailable('status', `the server answers with ${status}`);
}

function failureOf(error: unknown): ModelUnavailable {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof ModelUnavailable) return one;
  const code = codeOf(error);
  return code === null
    ? new ModelUnavailable('unreadable', 'its answer could not be read', { cause: error })
    : new ModelUnavailable('unreachable', `it cannot be reached (${code}): check MODEL_URL`, {
        cause: error,
      });
}

/** `ECONNREFUSED` … of an error, or of what caused it. */
function codeOf(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string' && /^[A-Z_]{3,40}$/u.test(one.code)) return one.code;
  return null;
}
