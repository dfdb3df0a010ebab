import { createQueueWorker, type Worker } from '../../lib/worker-loop.ts';
import { traced } from '../shared/tracing/spans.ts';
import type { Question } from '../store/questions.ts';
import type { AnswererOptions } from './agent-context.ts';
import { answer } from './answer.ts';
import { refreshAnswer, refreshQueued } from './question.ts';

/** So many threads at once: each holds a connection for minutes, of which the service's client has sixteen for everything. */
export const AT_ONCE = 4;
/** While questions are being asked: their answers are shown to go on. */
const BUSY_MS = 1_000;
/** After waiting this long for a free slot, people are shown so; refreshed more than once, since a round may come late. */
const WAITS_FROM_MS = 1_000;
const WAITS_UNTIL_MS = 5_000;

/** A question that is being asked. */
interface Run {
  question: string;
  stopping: AbortController;
  silence: Keepalive;
  work: Promise<void>;
}

/** Asks the agent: one question at a time in each conversation, different ones side by side. */
export function createAnswerer(options: AnswererOptions): Worker {
  const { store, clock, log, asked } = options;
  /** By conversation. */
  const running = new Map<string, Run>();
  /** What an earlier process was asking, or what could not be kept, is being asked by nobody. */
  let someLeft = true;

  function begin(queued: Question, shutdown: AbortSignal): void {
    const { id, conversation } = queued;
    const stopping = new AbortController();
    const silence = createKeepalive(clock.now());
    const attempt = { shutdown, stopped: stopping.signal, onActivity: () => silence.restart(clock.now()) };
    const work = traced(`question:${id}`, 'ask the agent', () => answer(queued, attempt, options)).then(
      () => {
        running.delete(conversation);
        asked.wake();
      },
      (error) => {
        running.delete(conversation);
        // Without a wake-up: what cannot be stored now is not tried again before the next round.
        someLeft = true;
        if (!shutdown.aborted) log.error({ err: error, question: id }, 'could not store an answer');
      },
    );
    running.set(conversation, { question: id, stopping, silence, work });
  }

  async function endStopped(): Promise<void> {
    const runs = [...running.values()];
    const stopped = new Set(await store.questions.stopped(runs.map(({ question }) => question)));
    for (const run of runs) if (stopped.has(run.question)) run.stopping.abort();
  }

  async function takeUp(): Promise<void> {
    if (!someLeft) return;
    const asking = [...running.values()].map(({ question }) => question);
    someLeft = false;
    try {
      await store.transaction(async (tx) => {
        for (const { id, conversation } of await tx.questions.requeueAsking(asking, clock.now())) {
          await refreshAnswer(tx, id);
          await refreshQueued(tx, conversation);
        }
      });
    } catch (error) {
      someLeft = true;
      throw error;
    }
  }

  async function showThatItGoesOn(): Promise<void> {
    for (const { question, silence } of running.values()) {
      if (!silence.due(clock.now())) continue;
      await refreshAnswer(store, question);
    }
  }

  async function showThatItWaits(): Promise<void> {
    if (running.size < AT_ONCE) return;
    for (const { id, createdAt: since } of await store.questions.next(AT_ONCE * 2)) {
      const waited = clock.now() - since;
      if (waited < WAITS_FROM_MS || waited > WAITS_UNTIL_MS) continue;
      await refreshAnswer(store, id);
    }
  }

  const rounds = createQueueWorker({
    round: async (signal) => {
      await endStopped();
      await takeUp();
      await showThatItGoesOn();
      const free = AT_ONCE - running.size;
      for (const question of free > 0 ? await store.questions.next(AT_ONCE * 2) : []) {
        if (running.size < AT_ONCE && !running.has(question.conversation)) begin(question, signal);
      }
      await showThatItWaits();
      return running.size > 0 || someLeft ? BUSY_MS : Number.POSITIVE_INFINITY;
    },
    wakeup: asked,
    onError: (error) => log.error({ err: error }, 'could not read the queued questions'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.allSettled([...running.values()].map(({ work }) => work));
    },
  };
}

const FIRST_MS = 5_000;
const THEN_MS = 10_000;

/** Tracks the silence of an answer in progress: after 5 seconds, and then every 10, its message shows that it continues. */
export interface Keepalive {
  restart(now: number): void;
  /** Whether people should be shown that it is still running; true once for each time. */
  due(now: number): boolean;
}

export function createKeepalive(now: number): Keepalive {
  let nextAt = now + FIRST_MS;
  return {
    restart: (at) => {
      nextAt = at + FIRST_MS;
    },
    due: (at) => {
      if (at < nextAt) return false;
      nextAt = at + THEN_MS;
      return true;
    },
  };
}
