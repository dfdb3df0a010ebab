import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, cutEscaped, literal } from '../escape.ts';

/** So much of a text is read, and twice of what is shown, however long it is. */
const LEAST_READ = 20_000;

function beginning(text: string, max: number): string {
  const most = Math.max(LEAST_READ, 2 * max);
  return clean(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** An untrusted text on one line, cut at a word; empty if it is missing or blank. Not escaped yet. */
export function phrase(text: string | undefined, max: number): string {
  return cutAtWord(oneLine(beginning(text ?? '', max)), max);
}

/** An untrusted text of several lines, cut at a word; empty if it is missing or blank. Not escaped yet. */
export function passage(text: string | undefined, max: number): string {
  return cutAtWord(beginning(text ?? '', max).trim(), max);
}

/** ` (high · follow up)` in safe mrkdwn of those that are stated, `follow_up` in words; empty if none is. */
export function tags(...values: (string | undefined)[]): string {
  const stated = values
    .map((value) => literal(phrase(value?.replaceAll('_', ' '), 60)))
    .filter((value) => value !== '');
  return stated.length === 0 ? '' : ` (${stated.join(' · ')})`;
}

/** `confidence high` for `high`; `undefined` if nothing is known. Not escaped yet. */
export function confidence(value: string | undefined): string | undefined {
  const stated = phrase(value, 40);
  return stated === '' || stated.toLowerCase() === 'unknown' ? undefined : `confidence ${stated}`;
}

const NOTE_ROOM = 32;
/** More items than ever find room, each of a few characters at least. */
const MOST_RENDERED = 1_000;
const NOT_RENDERED = '•';

/**
 * The items of a list for `pages`. Of a long one only as many are rendered as may find room; the others are counted.
 *
 * @param hasText whether an element says anything: what renders to nothing is no item
 */
export function itemsOf<T>(
  list: readonly T[],
  render: (element: T, index: number) => string,
  hasText: (element: T) => boolean,
): string[] {
  const items: string[] = [];
  for (const [index, element] of list.entries()) {
    const item = items.length < MOST_RENDERED ? render(element, index) : hasText(element) ? NOT_RENDERED : '';
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

/** Before it is escaped. */
const CHUNK = 2400;

/**
 * An untrusted text as safe mrkdwn, whole: in as many pieces as it takes, parted at lines and words where there are
 * any, each at most `max` characters.
 *
 * @param render what makes a piece safe: `body`, `literal` or `code`
 */
export function pieces(text: string, max: number, render: (text: string) => string): string[] {
  return parted(clean(text).trim(), CHUNK).flatMap((piece) => rendered(piece, max, render));
}

function rendered(text: string, max: number, render: (text: string) => string): string[] {
  const safe = render(text);
  if (safe.trim() === '') return [];
  if (safe.length <= max || text.length <= 1) return [safe];
  return parted(text, Math.ceil(text.length / 2)).flatMap((half) => rendered(half, max, render));
}

function parted(text: string, size: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > size) {
    const at = breakIn(rest, size);
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return rest === '' ? found : [...found, rest];
}

function breakIn(text: string, size: number): number {
  const head = text.slice(0, size);
  for (const mark of ['\n', ' ']) {
    const at = head.lastIndexOf(mark);
    if (at > size / 2) return at + 1;
  }
  // Never within a surrogate pair.
  const last = head.charCodeAt(size - 1);
  return last >= 0xd800 && last <= 0xdbff && size > 1 ? size - 1 : size;
}
