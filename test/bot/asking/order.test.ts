import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QueryEvent } from '../../../src/contract/client/query.ts';
import { rejected } from '../../support/fake-service.ts';
import { runs } from '../../support/property-runs.ts';
import { until } from '../../support/until.ts';
import { asking, done } from './support.ts';

type Move = { move: 'ask' | 'restart' | 'let go' } | { move: 'stop' | 'again'; which: number };

const which = fc.nat(5);
const moves = fc.array(
  fc.oneof<[fc.Arbitrary<Move>, fc.Arbitrary<Move>, fc.Arbitrary<Move>]>(
    fc.constant({ move: 'ask' }),
    fc.record({ move: fc.constantFrom('stop', 'again'), which }),
    fc.record({ move: fc.constantFrom('restart', 'let go') }),
  ),
  { minLength: 3, maxLength: 14 },
);
const ways = fc.infiniteStream(fc.constantFrom('whole', 'held', 'broken', 'cut'));

/** An agent that answers each question in the next of these ways, and notes how it was asked. */
function agent(next: () => string) {
  const asked: string[] = [];
  const held = new Set<() => void>();
  let atOnce = 0;
  let mostAtOnce = 0;
  return {
    asked,
    mostAtOnce: () => mostAtOnce,
    letGo: () => {
      for (const go of held) go();
    },
    async *answering(
      { question }: { question: string },
      signal: AbortSignal | undefined,
    ): AsyncGenerator<QueryEvent> {
      const id = question.split(' ').at(-1) ?? '';
      asked.push(id);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      try {
        yield { kind: 'delta', text: 'so ' };
        const way = next();
        if (way === 'broken') throw rejected(500, 'x');
        if (way === 'cut') return yield { kind: 'done', response: null, text: 'so ', complete: false };
        if (way === 'held') {
          await new Promise<void>((go, giveUp) => {
            held.add(go);
            signal?.addEventListener('abort', () => giveUp(new Error('cancelled')), { once: true });
            if (signal?.aborted) giveUp(new Error('cancelled'));
          });
        }
        yield done(`so ${id}`);
      } finally {
        atOnce -= 1;
      }
    },
  };
}

it('whatever is stopped, fails or dies, each question of a thread ends in one way, with its own answer, in its turn', async () => {
  await fc.assert(
    fc.asyncProperty(moves, ways, async (script, stream) => {
      await using test = await asking();
      const wayOf = stream[Symbol.iterator]();
      const { answering, asked, letGo, mostAtOnce } = agent(() => wayOf.next().value);
      test.service.answers.push(...Array.from({ length: 200 }, () => answering));
      let answerer = test.answerer;
      answerer.start();
      const ids: string[] = [];
      const repeated = new Set<string>();
      for (const it of script) {
        await test.opened.clock.sleep(1);
        if (it.move === 'ask') {
          const id = `q${ids.length}`;
          ids.push(id);
          await test.ask(id, { threadTs: '1.0' });
        } else if (it.move === 'let go') {
          letGo();
        } else if (it.move === 'restart') {
          await answerer.stop();
          answerer = test.restarted();
          answerer.start();
        } else if ('which' in it) {
          const id = `q${it.which}`;
          const did = it.move === 'stop' ? await test.stop(id) : (await test.again(id)) === 'asked';
          if (did && it.move === 'again') repeated.add(id);
        }
      }
      const questions = () => Promise.all(ids.map((id) => test.store.questions.get(id)));
      const ended = await until('all have ended', async () => {
        letGo();
        const all = await questions();
        return all.every((it) => ['complete', 'failed', 'stopped'].includes(it?.state ?? '')) && all;
      });
      for (const question of ended) {
        if (question?.state === 'complete') expect(question.answer).toBe(`so ${question.id}`);
        else expect(['', 'so ']).toContain(question?.answer);
        expect(question?.state === 'failed').toBe(question?.note !== null);
        expect(question?.state === 'stopped').toBe(question?.stoppedBy !== null);
      }
      expect(mostAtOnce()).toBeLessThanOrEqual(1);
      // In the order in which they were asked, but for those that somebody asked for again.
      const first = [...new Set(asked)].filter((id) => !repeated.has(id));
      expect(first).toEqual(ids.filter((id) => first.includes(id)));
    }),
    { numRuns: runs(15) },
  );
});
