import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageCursor, readablePage } from '../../../../src/bot/slack/access/readable-page.ts';
import type { IssueSummary } from '../../../../src/contract/answers.ts';
import { uuidOf } from '../../../support/issues.ts';

function summary(number: number): IssueSummary {
  const id = { uuid: uuidOf(number), number, title: `Trouble ${number}`, description: '' };
  const rest = {
    severity: 'high',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00Z',
    seedCount: 1,
  };
  return { ...id, status: 'ready_to_fix', ...rest };
}

/** A service that has these issues, in pages as the contract has them. */
function serving(numbers: readonly number[]) {
  const all = numbers.map(summary);
  return async ({ limit, startingAfter, endingBefore }: PageCursor & { limit: number }) => {
    const at = all.findIndex(({ uuid }) => uuid === (startingAfter ?? endingBefore));
    const end = endingBefore === undefined ? all.length : at;
    const from = endingBefore === undefined ? at + 1 : Math.max(0, at - limit);
    const has_more = endingBefore === undefined ? from + limit < all.length : from > 0;
    return { object: 'list', data: all.slice(from, Math.min(end, from + limit)), has_more };
  };
}

const MANY = Array.from({ length: 230 }, (_, i) => 230 - i);
const every = (n: number) => async (issue: IssueSummary) => (issue.number % n === 0 ? issue.number : null);

describe('a page of what may be read', () => {
  it('is full, forward and back', async () => {
    const turn = (cursor: PageCursor) => readablePage(cursor, 10, serving(MANY), every(10));
    const first = await turn({});
    expect(first).toEqual({ found: [230, 220, 210, 200, 190, 180, 170, 160, 150, 140], isMore: true });
    const second = await turn({ startingAfter: uuidOf(140) });
    expect(second).toEqual({ found: [130, 120, 110, 100, 90, 80, 70, 60, 50, 40], isMore: true });
    expect(await turn({ startingAfter: uuidOf(40) })).toEqual({ found: [30, 20, 10], isMore: false });
    expect(await turn({ endingBefore: uuidOf(30) })).toEqual(second);
    expect(await turn({ endingBefore: uuidOf(130) })).toEqual({ ...first, isMore: false });
  });

  it('is the same whether or not there are issues that may not be read', async () => {
    const hidden = fc.uniqueArray(fc.integer({ min: 1, max: 1_000 }), { maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(hidden, fc.integer({ min: 0, max: 12 }), async (others, size) => {
        const shown = [900, 700, 500, 300, 100];
        const both = [...new Set([...shown, ...others])].sort((a, b) => b - a);
        const read = async ({ number }: IssueSummary) => (shown.includes(number) ? number : null);
        const page = (numbers: number[]) => readablePage({}, size, serving(numbers), read);
        expect(await page(both)).toEqual(await page(shown));
      }),
      { numRuns: 50 },
    );
  });

  it('ends where the service repeats a page', async () => {
    const stuck = async () => ({ object: 'list', data: [summary(7), summary(5)], has_more: true });
    expect((await readablePage({}, 10, stuck, every(1))).isMore).toBe(false);
  });
});
