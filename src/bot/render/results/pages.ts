import { cutEscaped } from '../cut.ts';

const NOTE_ROOM = 32;
/** More items than ever find room, each of a few characters at least. */
const MOST_RENDERED = 1_000;
const NOT_RENDERED = '•';

/**
 * The items of a list for `pages`. Of a long one only as many are rendered as may find room; the others are counted.
 *
 * @param says whether an element says anything: what renders to nothing is no item
 */
export function itemsOf<T>(
  list: readonly T[],
  render: (element: T, index: number) => string,
  says: (element: T) => boolean,
): string[] {
  const items: string[] = [];
  for (const [index, element] of list.entries()) {
    const item = items.length < MOST_RENDERED ? render(element, index) : says(element) ? NOT_RENDERED : '';
    if (item !== '') items.push(item);
  }
  return items;
}

/**
 * Puts items below one another on pages of at most `size` characters. What does not find room on
 * `maxPages` pages is counted in a line at the end.
 * @param items safe mrkdwn; one longer than a page is cut
 */
export function pages(items: readonly string[], size: number, maxPages: number): string[] {
  const room = size - NOTE_ROOM;
  const done: string[] = [];
  let page: string | null = null;
  for (const [index, item] of items.entries()) {
    const fitted = cutEscaped(item, room);
    const joined: string = page === null ? fitted : `${page}\n${fitted}`;
    if (page !== null && joined.length > room) {
      if (done.length === maxPages - 1)
        return [...done, `${page}\n… shortened: ${items.length - index} more`];
      done.push(page);
      page = fitted;
    } else {
      page = joined;
    }
  }
  return page === null ? done : [...done, page];
}
