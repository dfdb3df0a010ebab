import { describe, expect, it } from 'vitest';
import { beginningWhileOpen } from '../../../../src/bot/render/asking/answer.ts';
import { itemsOf, pages, phrase } from '../../../../src/bot/render/results/phrases.ts';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import type { Evidence, TimelineEntry } from '../../../../src/contract/answers.ts';

const items = Array.from({ length: 9 }, (_, index) => `item ${index} ${'x'.repeat(12)}`);

it('items share a page while there is room', () => {
  expect(pages(items.slice(0, 3), 100, 1)).toEqual([items.slice(0, 3).join('\n')]);
});

it('what finds no room on the last page is counted', () => {
  expect(pages(items, 75, 2)).toEqual([
    `${items[0]}\n${items[1]}`,
    `${items[2]}\n${items[3]}\n… shortened: 5 more`,
  ]);
});

it('no items fill no page', () => {
  expect(pages([], 100, 2)).toEqual([]);
});

const MANY = 20_000;

describe('of a long list', () => {
  it('no more is rendered than may find room, and all that says something is counted', () => {
    let rendered = 0;
    const list = Array.from({ length: MANY }, (_, i) => (i % 2 === 0 ? `item ${i}` : ''));
    const render = (text: string) => {
      rendered += 1;
      return text;
    };
    const items = itemsOf(list, render, (text) => text !== '');
    expect(items).toHaveLength(MANY / 2);
    expect(items.slice(0, 2)).toEqual(['item 0', 'item 2']);
    expect(rendered).toBeLessThanOrEqual(2_001);
  });

  it('results read the words of few, and say how many more there are', () => {
    let read = 0;
    const evidence = Array.from(
      { length: MANY },
      (_, i): Evidence => ({
        title: `evidence ${i}`,
        get description() {
          read += 1;
          return 'what was found '.repeat(20);
        },
      }),
    );
    const timeline = Array.from({ length: MANY }, (_, i): TimelineEntry => ({ title: `moment ${i}` }));
    const rootCause = { rootCauseSummary: 'The disk is full.', relevantEvidence: evidence };
    const view = { issueId: '', number: 1, version: 1, title: 'Disk', simulated: false } as const;
    const words = JSON.stringify(renderResults({ ...view, results: { rootCause, timeline } }));
    // A thousand, once as they are and once as long as a tick can make them.
    expect(read).toBeLessThanOrEqual(2_200);
    expect(words).toContain(`… shortened: ${MANY - 12} more`);
    const shown = new Set([...words.matchAll(/evidence (\d+)/gu)].map(([found]) => found)).size;
    expect(words).toContain(`… shortened: ${MANY - shown} more`);
  });
});

it('a text that is cut at its beginning says so, also where what follows the cut is blank', () => {
  expect(phrase(`word${' '.repeat(50_000)}${'more '.repeat(100)}`, 200)).toBe('word …');
});

describe('an answer', () => {
  const answer = 'word '.repeat(200_000);

  it.each(['queued', 'growing'] as const)('that is %s is read at its beginning alone', (state) => {
    const beginning = beginningWhileOpen({ state, answer });
    expect(answer.startsWith(beginning)).toBe(true);
    expect(beginning.length).toBeGreaterThan(12_000);
    expect(beginning.length).toBeLessThan(40_000);
  });

  it.each(['complete', 'failed', 'stopped'] as const)('that is %s counts whole', (state) => {
    expect(beginningWhileOpen({ state, answer })).toBe(answer);
  });
});
