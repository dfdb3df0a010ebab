import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrowingAnswer } from '../../../src/contract/client/answer-stream.ts';

/** Feeds events, given as name and data; answers what was added, joined, and the answer. */
function grow(...events: Array<[string | null, unknown]>) {
  const answer = createGrowingAnswer();
  let added = '';
  for (const [event, value] of events) {
    const data = typeof value === 'string' ? value : JSON.stringify(value);
    added += answer.take({ event, data, cut: false }).added;
  }
  return { added, answer };
}

describe('a growing answer', () => {
  test('is its deltas joined, whatever they are, and the whole at the end adds nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (pieces) => {
        const whole = pieces.join('');
        const deltas = pieces.map((delta): [string, unknown] => ['delta', { delta }]);
        const { added, answer } = grow(...deltas, ['done', { conversation_id: 'c', answer: whole }]);
        expect([added, answer.text(), answer.isWhole()]).toEqual([whole, whole, true]);
      }),
    );
  });

  test('is the last of the growing answers', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (pieces) => {
        const grown = pieces.map((_, index) => pieces.slice(0, index + 1).join(''));
        const { added, answer } = grow(...grown.map((text): [null, unknown] => [null, { answer: text }]));
        expect([added, answer.text()]).toEqual([pieces.join(''), pieces.join('')]);
      }),
    );
  });

  test('takes any JSON under any name without failing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.option(fc.string()), fc.json())), (events) => {
        expect(typeof grow(...events).answer.text()).toBe('string');
      }),
    );
  });

  test('is not exhausted by an object without a bottom', () => {
    const deep = `{"data":${'{"data":'.repeat(5_000)}{"text":"x"}${'}'.repeat(5_001)}`;
    const list = `{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(grow([null, deep], [null, list]).answer.text()).toBe('');
  });

  test('lists an artifact once, however often it is named', () => {
    const a = { id: 'a' };
    const { answer } = grow(
      ['artifact', a],
      ['artifacts', [a, { id: 'b' }]],
      [null, { artifact: { id: 'c' } }],
      ['done', { answer: 'Hi', artifacts: [a] }],
    );
    expect(answer.response()).toEqual({ answer: 'Hi', artifacts: [a, { id: 'b' }, { id: 'c' }] });
  });

  test('keeps the fields of the whole that nobody names', () => {
    const { answer } = grow([null, { answer: 'Hi', usage: { tokens: 3 } }]);
    expect(answer.response()).toEqual({ answer: 'Hi', artifacts: [], usage: { tokens: 3 } });
  });

  test('is empty until text or artifacts arrive', () => {
    expect(grow(['start', { conversation_id: 'c' }]).answer.isEmpty()).toBe(true);
    expect(grow([null, 'Hi']).answer.isEmpty()).toBe(false);
    expect(grow(['artifacts', [{ id: 'a' }]]).answer.isEmpty()).toBe(false);
  });
});
