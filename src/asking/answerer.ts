import type { Question } from '../store/questions.ts';
import { answer } from './answer.ts';
import type { AnswererOptions } from './options.ts';

const AT_ONCE = 4;
const IDLE_MS = 1_000;

/** Asks the agent: one question at a time in each conversation, different ones side by side. */
export function createAnswerer(options: AnswererOptions): { start(): void; stop(): Promise<void> } {
  const { store, clock, log, asked } = options;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let loop: Promise<void> = Promise.resolve();

  function begin(question: Question): void {
    const work = answer(question, options, stopping.signal)
      .catch((error) => log.error({ err: error, question: question.id }, 'an answer could not be kept'))
      .finally(() => {
        running.delete(question.conversation);
        asked.ring();
      });
    running.set(question.conversation, work);
  }

  async function run(): Promise<void> {
    await store.questions.requeueAsking(clock.now());
    while (!stopping.signal.aborted) {
      try {
        const free = AT_ONCE - running.size;
        for (const question of free > 0 ? await store.questions.next(AT_ONCE * 2) : []) {
          if (running.size < AT_ONCE && !running.has(question.conversation)) begin(question);
        }
      } catch (error) {
        log.error({ err: error }, 'waiting questions could not be read');
      }
      await asked.wait(IDLE_MS, stopping.signal);
    }
  }

  return {
    start: () => {
      loop = run().catch((error) => log.error({ err: error }, 'the answerer has stopped'));
    },
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.allSettled([...running.values()]);
    },
  };
}
