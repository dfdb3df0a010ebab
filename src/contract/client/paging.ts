import type { IssuePage, IssueSummary } from '../schema/issue.ts';
import { UnreadableAnswerError } from './errors.ts';

/** Where a page begins; at most one of the two. */
export interface Cursor {
  startingAfter?: string;
  endingBefore?: string;
}

/**
 * Every issue of a list, page by page (contract 4.1). From `endingBefore` it walks backwards, nearest
 * first. Cursors are issue ids, so where a page names none its outermost issue is in. What changes
 * while it walks may be seen twice or not at all. Rejects with `UnreadableAnswerError`
 * where the cursors lead nowhere: following them would never end.
 */
export async function* walkPages(
  start: Cursor,
  fetchPage: (cursor: Cursor) => Promise<IssuePage>,
): AsyncGenerator<IssueSummary> {
  const backwards = start.endingBefore !== undefined;
  const seen = new Set<string>();
  let cursor = start;
  while (true) {
    const page = await fetchPage(cursor);
    yield* backwards ? page.data.toReversed() : page.data;
    if (!page.has_more) return;
    const next = backwards ? (page.before ?? page.data[0]?.uuid) : (page.after ?? page.data.at(-1)?.uuid);
    // A page with nothing usable in it, and more of them behind it, would be walked for as long as there are pages.
    if (next === undefined || seen.has(next) || page.data.length === 0) throw stuck(next);
    seen.add(next);
    cursor = backwards ? { endingBefore: next } : { startingAfter: next };
  }
}

function stuck(cursor: string | undefined): UnreadableAnswerError {
  return new UnreadableAnswerError({
    operation: 'issues.page',
    ambiguous: false,
    problem: `the list claims another page, but its cursor (${cursor ?? 'none'}) does not advance`,
    field: 'after',
  });
}
