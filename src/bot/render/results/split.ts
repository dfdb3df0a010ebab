import { clean } from '../escape.ts';

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
