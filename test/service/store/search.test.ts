import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf } from '../../../src/service/store/database.ts';
import { openSqlite, phraseFor } from '../../../src/service/store/dialects/sqlite.ts';
import { createIssueStore, createListing, type Filter } from '../../../src/service/store/issues.ts';

const COUNT = 450;

/** 450 issues, of which the 300 of production say `slow` and the others `late`; each has a reference of its own. */
async function filled() {
  const opened = openSqlite(':memory:');
  onTestFinished(opened.close);
  const db = databaseOf(opened);
  const issues = createIssueStore(db);
  for (let i = 1; i <= COUNT; i++) {
    const [environment, word] = i % 3 === 0 ? ['staging', 'late'] : ['production', 'slow'];
    const description = `gumshoe-${(i * 7_919).toString(16).padStart(6, '0')}`;
    const fields = { title: `Checkout is ${word}`, description, environment, triggeredAt: i };
    const { uuid } = await issues.create('acme', { ...fields, number: i, severity: 'low', context: {} }, i);
    if (i % 3 !== 0) await issues.setStatus(uuid, 'resolved', i);
  }
  const list = createListing(db);
  return {
    phraseFor: (search: string) => phraseFor(db.query, search),
    page: async (filter: Filter, start: Parameters<typeof list>[2] = null) => {
      const { issues: rows, older, newer } = await list('acme', filter, start, 3);
      return { numbers: rows.map(({ number }) => number), older, newer };
    },
  };
}

describe('a search', () => {
  it('is looked up by its rare part where it has one', async () => {
    const { phraseFor } = await filled();
    const reference = `gumshoe-${(77 * 7_919).toString(16).padStart(6, '0')}`;
    expect(reference).toBe('gumshoe-094de3');
    expect(await phraseFor(reference)).toBe('"e-094de3"');
    expect(await phraseFor('checkout')).toBe('"checkout"');
    expect(await phraseFor('say "late"')).toBe('"say ""late"""');
    expect(await phraseFor('gumshoe-""')).toBe('"e-"""""');
  });

  it('finds the same by a part as by the whole', async () => {
    const { page } = await filled();
    expect(await page({ search: 'GUMSHOE-094de3' })).toEqual({ numbers: [77], older: false, newer: false });
    expect(await page({ search: 'gumshoe 094de3' })).toEqual({ numbers: [], older: false, newer: false });
  });

  it('reads few issues in place of the index, and finds the same', async () => {
    const { page } = await filled();
    expect(await page({ search: 'late', environment: 'staging' })).toEqual({
      numbers: [450, 447, 444],
      older: true,
      newer: false,
    });
    expect((await page({ search: 'slow', environment: 'staging' })).numbers).toEqual([]);
    expect((await page({ search: 'slow', status: 'muted' })).numbers).toEqual([]);
    expect((await page({ search: 'slow', status: 'resolved', environment: 'production' })).numbers).toEqual([
      449, 448, 446,
    ]);
  });

  it('knows what lies beyond a page, whether the cursor is found by it or not', async () => {
    const { page } = await filled();
    const late = { search: 'late' };
    expect(await page(late, { after: 447 })).toEqual({ numbers: [444, 441, 438], older: true, newer: true });
    expect(await page(late, { after: 449 })).toEqual({ numbers: [447, 444, 441], older: true, newer: true });
    expect(await page(late, { after: 451 })).toEqual({ numbers: [450, 447, 444], older: true, newer: false });
    expect(await page(late, { before: 3 })).toEqual({ numbers: [12, 9, 6], older: true, newer: true });
    expect(await page(late, { before: 2 })).toEqual({ numbers: [9, 6, 3], older: false, newer: true });
  });
});
