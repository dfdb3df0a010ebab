import PQueue from 'p-queue';
import type { Clock } from '../../lib/clock.ts';

/**
 * What one investigation may cost the systems it reads: requests, samples and time. One budget is shared by all
 * sources of an investigation.
 */
export interface Budget {
  /** Aborted when the time is over, or when the investigation is. */
  readonly signal: AbortSignal;
  /** Runs work of one request; a few at a time. */
  perform<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a request, or answers with a sentence that says why there is none left. */
  takeRequest(): { granted: true } | { granted: false; reason: string };
  /** Counts samples that were read. False once there were too many: what was read counts, nothing more is read. */
  takeSamples(count: number): boolean;
  /** What was spent until now, for logs and metrics. */
  spent(): { requests: number; samples: number; ms: number };
}

/** For what runs on a simulation: nothing is counted. */
export const UNLIMITED: Budget = {
  signal: new AbortController().signal,
  perform: (work) => work(),
  takeRequest: () => ({ granted: true }),
  takeSamples: () => true,
  spent: () => ({ requests: 0, samples: 0, ms: 0 }),
};

interface Limits {
  /** `TELEMETRY_MAX_REQUESTS`. */
  requests: number;
  /** `TELEMETRY_MAX_SECONDS`, in milliseconds. */
  ms: number;
  samples?: number;
}

/** Two million samples are 32 MB in memory. */
const SAMPLES = 2_000_000;
/** Requests at a time. */
const CONCURRENT = 8;

/** A budget that begins now; `stop` cancels what runs on it. Call `end` when the work is done: it frees the timer. */
export function createBudget(
  limits: Limits,
  { clock, stop }: { clock: Clock; stop?: AbortSignal },
): Budget & { end(): void } {
  const began = clock.now();
  const over = new AbortController();
  const ended = new AbortController();
  const signal = stop ? AbortSignal.any([over.signal, stop]) : over.signal;
  const maxSamples = limits.samples ?? SAMPLES;
  const queue = new PQueue({ concurrency: CONCURRENT });
  let requests = 0;
  let samples = 0;
  clock.sleep(limits.ms, ended.signal).then(
    () => {
      if (!ended.signal.aborted) over.abort(new Error('the time for this investigation is over'));
    },
    () => undefined,
  );
  return {
    signal,
    perform: (work) => queue.add(work),
    takeRequest: () => {
      if (signal.aborted) return { granted: false, reason: overAfter(limits.ms) };
      if (requests >= limits.requests)
        return { granted: false, reason: `The limit of ${limits.requests} requests is used up.` };
      requests++;
      return { granted: true };
    },
    takeSamples: (count) => {
      samples += count;
      return samples <= maxSamples;
    },
    spent: () => ({ requests, samples, ms: clock.now() - began }),
    end: () => ended.abort(),
  };
}

function overAfter(ms: number): string {
  return ms === 0
    ? 'There was no time left for this investigation: too many were running at once.'
    : `The time for this investigation is over (${Math.round(ms / 1000)} s).`;
}
