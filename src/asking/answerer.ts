import { createRounds, type Worker } from '../lib/rounds.ts';
import type { Question } from '../store/questions.ts';
import { answer } from './answer.ts';
import type { AnswererOptions } from './options.ts';

const AT_ONCE = 4;
const IDLE_MS = 1_000;

/** Asks the agent: one question at a time in each conversation, different ones side by side. */
export function createAnswerer(options: AnswererOptions): Worker {
  const { store, clock, log, asked } = options;
  const running = new Map<string, Promise<void>>();
  let tookUp = false;

  function begin(question: Question, signal: AbortSignal): void {
    const work = answer(question, options, signal)
      .catch((error) => log.error({ err: error, question: question.id }, 'an answer could not be kept'))
      .finally(() => {
        running.delete(question.conversation);
        asked.ring();
      });
    running.set(question.conversation, work);
  }

  const rounds = createRounds({
    round: async (signal) => {
      // What an earlier process was asking is asked again.
      if (!tookUp) await store.questions.requeueAsking(clock.now());
      tookUp = true;
      const free = AT_ONCE - running.size;
      for (const question of free > 0 ? await store.questions.next(AT_ONCE * 2) : []) {
        if (running.size < AT_ONCE && !running.has(question.conversation)) begin(question, signal);
      }
    },
    rest: (signal) => asked.wait(IDLE_MS, signal),
    onError: (error) => log.error({ err: error }, 'waiting questions could not be read'),
  });

  return {
    start: rounds.start,
    stop: async () => {
      await rounds.stop();
      await Promise.allSettled([...running.values()]);
    },
  };
}
