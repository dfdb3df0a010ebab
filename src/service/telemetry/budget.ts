import PQueue from 'p-queue';
import type { Clock } from '../../lib/clock.ts';

/**
 * The limits for one investigation on the systems it reads: requests, samples and time. All sources of an investigation
 * share one budget.
 */
export interface Budget {
  /** Aborted when the time is up, or the investigation is aborted. */
  readonly signal: AbortSignal;
  /** Runs the work of one request; a few at a time. */
  perform<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a request, or returns a sentence on why there is none left. */
  takeRequest(): { granted: true } | { granted: false; reason: string };
  /** Counts samples read. False once there were too many: these still count, but nothing more is read. */
  takeSamples(count: number): boolean;
  /** The amount spent so far, for logs and metrics. */
  spent(): { requests: number; samples: number; ms: number };
}

/** For simulations: nothing is counted. */
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
  /** Milliseconds. */
  ms: number;
  samples?: number;
}

/** Two million samples take 32 MB of memory. */
const SAMPLES = 2_000_000;
const CONCURRENT = 8;
const TOO_MANY_SAMPLES = 'More samples than an investigation may read: the rest was not read.';

/** A budget that starts now; `stop` cancels what runs on it. Call `end` when the work is done, to free the timer. */
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
      if (samples > maxSamples) return { granted: false, reason: TOO_MANY_SAMPLES };
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

/** Does work on a budget of its own. @param onEnd gets what was spent, whether the work succeeded or not */
export async function onBudget<T>(
  limits: Limits,
  {
    onEnd,
    ...options
  }: Parameters<typeof createBudget>[1] & { onEnd?: (requests: number, samples: number) => void },
  work: (budget: Budget) => Promise<T>,
): Promise<T> {
  const budget = createBudget(limits, options);
  try {
    return await work(budget);
  } finally {
    const { requests, samples } = budget.spent();
    onEnd?.(requests, samples);
    budget.end();
  }
}

function overAfter(ms: number): string {
  return ms === 0
    ? 'There was no time left for this investigation: too many were running at once.'
    : `The time for this investigation is over (${Math.round(ms / 1000)} s).`;
}
