const NOTE_ROOM = 48;
const FENCE = '```';

/**
 * Shortens text that is escaped already to at most `max` characters: at a word, never within an entity,
 * a `<…>` token or a character; and says how many characters are missing.
 */
export function cutEscaped(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= NOTE_ROOM) return max < 1 ? '' : `${whole(text.slice(0, max - 1)).trimEnd()}…`;
  const head = whole(atWord(text.slice(0, max - NOTE_ROOM))).trimEnd();
  const note = `… shortened: ${text.length - head.length} more characters`;
  return isInsideFence(head) ? `${head}\n${FENCE}\n${note}` : `${head}${note}`;
}

/** Shortens escaped text to at most `max` UTF-8 bytes, as `cutEscaped` does. */
export function cutEscapedBytes(text: string, max: number): string {
  let room = Math.min(text.length, max);
  let cut = cutEscaped(text, room);
  while (Buffer.byteLength(cut) > max) {
    room = Math.min(room - 1, Math.floor((room * max) / Buffer.byteLength(cut)));
    cut = cutEscaped(text, room);
  }
  return cut;
}

function atWord(text: string): string {
  const space = text.search(/\s\S*$/u);
  return space > text.length * 0.75 ? text.slice(0, space) : text;
}

function whole(text: string): string {
  const open = text.lastIndexOf('<');
  const outsideToken = open > text.lastIndexOf('>') ? text.slice(0, open) : text;
  return outsideToken.replace(/&[a-z]{0,3}$/u, '').replace(/[\ud800-\udbff]$/, '');
}

function isInsideFence(text: string): boolean {
  return text.split(FENCE).length % 2 === 0;
}
