import { expect, it } from 'vitest';
import { pages } from '../../../../src/bot/render/results/pages.ts';

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
