import type { IssuePage, IssueSummary } from '../../../contract/answers.ts';

/** The service's maximum, since most of them may belong to other channels. */
const FETCHED = 100;
/** Then the list ends, for everybody in the same way: it looks like the last page. */
const MOST_FETCHES = 50;

export interface PageCursor {
  startingAfter?: string;
  endingBefore?: string;
}

/** @param page at the service (contract 4.1) */
type FetchPage = (page: PageCursor & { limit: number }) => Promise<IssuePage>;

/**
 * A page of what a reader may see of the service's issues, in the service's order. The page is full, and `isMore` is said,
 * by what `read` returns alone: whether issues that it returns `null` for exist changes neither. So cursors are made of
 * issues on the page, never of skipped ones.
 */
export async function readablePage<T>(
  { startingAfter, endingBefore }: PageCursor,
  size: number,
  fetch: FetchPage,
  read: (issue: IssueSummary) => Promise<T | null>,
): Promise<{ found: T[]; isMore: boolean }> {
  const isBackwards = endingBefore !== undefined;
  const found: T[] = [];
  let at = endingBefore ?? startingAfter;
  for (let fetches = 0, isThereMore = true; isThereMore && fetches < MOST_FETCHES; fetches += 1) {
    const from = at === undefined ? {} : isBackwards ? { endingBefore: at } : { startingAfter: at };
    const page = await fetch({ ...from, limit: FETCHED });
    const inOrder = isBackwards ? page.data.toReversed() : page.data;
    for (const issue of inOrder) {
      const shown = await read(issue);
      if (shown === null) continue;
      if (found.length === size) return { found: isBackwards ? found.toReversed() : found, isMore: true };
      found.push(shown);
    }
    const last = inOrder.at(-1)?.uuid;
    isThereMore = page.has_more && last !== undefined && last !== at;
    at = last;
  }
  return { found: isBackwards ? found.toReversed() : found, isMore: false };
}
