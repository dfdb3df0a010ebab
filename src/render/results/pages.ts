import { cutEscaped } from '../cut.ts';

const NOTE_ROOM = 32;

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
