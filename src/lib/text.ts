const ELLIPSIS = '…';

/**
 * Shortens to at most `max` UTF-16 units, at a word boundary if there is one in the last quarter, and never inside a
 * surrogate pair. A cut is marked with `…` (counted in `max`), without punctuation before it.
 */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return text.length > 0 && max === 1 ? ELLIPSIS : '';
  const head = text.slice(0, max - ELLIPSIS.length);
  const lastSpace = head.search(/\s\S*$/u);
  const cut = lastSpace > max * 0.75 ? head.slice(0, lastSpace) : withoutHalfPair(head);
  return `${withoutStops(cut)}${ELLIPSIS}`;
}

function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** All runs of white space become one space; the ends are trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
