import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { withTimeout } from '../../../lib/abort.ts';
import type { Clock } from '../../../lib/clock.ts';

/** Matches patterns off the event loop, with a deadline. */
export interface Matcher {
  /**
   * For each pattern, which messages it matches; `too_slow` if it missed its deadline twice.
   *
   * @param subjects the texts of each message
   */
  match(patterns: readonly string[], subjects: readonly (readonly string[])[]): Promise<Matched[]>;
  close(): Promise<void>;
}

export type Matched = readonly boolean[] | 'too_slow';

/** The job given to the thread. */
export interface MatchJob {
  patterns: readonly string[];
  subjects: readonly (readonly string[])[];
}

const WorkerSays = z.union([z.literal('ready'), z.object({ matched: z.array(z.boolean()) })]);
/** The messages from the thread: that it has started, then one per pattern. */
export type WorkerSays = z.infer<typeof WorkerSays>;

export interface MatcherOptions {
  clock: Clock;
  /** How long one pattern may take; 2 seconds by default. A pattern within the size limits takes a fraction of that. */
  timeoutMs?: number;
  /** The program that the thread runs. */
  program?: URL;
}

const PROGRAM = new URL('./worker.ts', import.meta.url);
/** The thread may start slowly on a busy machine; that is no pattern's fault. */
const START_MS = 60_000;
const TIMEOUT_MS = 2_000;

/** Creates a matcher. Its thread starts with the first pattern, and does not keep the process alive. */
export function createMatcher({ clock, timeoutMs = TIMEOUT_MS, program = PROGRAM }: MatcherOptions): Matcher {
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function dismiss(): Promise<void> {
    const gone = thread;
    thread = null;
    await gone?.end();
  }

  async function started(): Promise<Thread> {
    if (isClosed) throw new Error('The matcher is closed.');
    if (thread) return thread;
    thread = new Thread(program);
    if ((await thread.next(clock, START_MS)) === 'ready') return thread;
    await dismiss();
    throw new Error('The pattern-matching thread did not start.');
  }

  /** The results for as many patterns as are answered in time. */
  async function answered(patterns: readonly string[], subjects: MatchJob['subjects']): Promise<Matched[]> {
    const worker = await started();
    const found: Matched[] = [];
    worker.give({ patterns, subjects });
    while (found.length < patterns.length) {
      const says = await worker.next(clock, timeoutMs);
      if (says === null || says === 'ready') {
        await dismiss();
        break;
      }
      found.push(says.matched);
    }
    return found;
  }

  async function match(patterns: readonly string[], subjects: MatchJob['subjects']): Promise<Matched[]> {
    const found: Matched[] = [];
    while (found.length < patterns.length) {
      found.push(...(await answered(patterns.slice(found.length), subjects)));
      const late = patterns[found.length];
      if (late === undefined) break;
      // Once more, alone: the machine may have stalled, not the pattern.
      found.push((await answered([late], subjects))[0] ?? 'too_slow');
    }
    return found;
  }

  return {
    match: (patterns, subjects) => {
      const result = last.then(() => match(patterns, subjects));
      last = result.catch(() => undefined);
      return result;
    },
    close: async () => {
      isClosed = true;
      await dismiss();
      await last;
    },
  };
}

/** A thread, and its messages that have not been read yet. */
class Thread {
  readonly #worker: Worker;
  readonly #said: (WorkerSays | null)[] = [];
  #hear: (() => void) | null = null;

  constructor(program: URL) {
    // No environment: what reads untrusted text needs no tokens.
    this.#worker = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } });
    this.#worker.unref();
    this.#worker.on('message', (message: unknown) => this.#take(WorkerSays.safeParse(message).data ?? null));
    this.#worker.on('error', () => this.#take(null));
    this.#worker.on('exit', () => this.#take(null));
  }

  give(job: MatchJob): void {
    this.#worker.postMessage(job);
  }

  /** The next message; `null` if there is none in time, or the thread has ended. */
  async next(clock: Clock, timeoutMs: number): Promise<WorkerSays | null> {
    if (this.#said.length === 0) {
      const spoken = new Promise<void>((resolve) => {
        this.#hear = resolve;
      });
      await withTimeout(spoken, { ms: timeoutMs, clock, onTimeout: () => undefined });
      this.#hear = null;
    }
    return this.#said.shift() ?? null;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: WorkerSays | null): void {
    this.#said.push(message);
    this.#hear?.();
  }
}
