const ATOM = /&(?:amp|lt|gt);|./gsu;

/**
 * Cuts one line of escaped Markdown into pieces that cost at most `room` (see `measure.ts`), at a space
 * where one is in the last quarter; never within an entity or a character.
 */
export function piecesOf(line: string, room: number): string[] {
  // Nothing costs more than five times its length.
  if (line.length * 5 <= room) return [line];
  const pieces: string[] = [];
  let start = 0;
  let cost = 0;
  let space = 0;
  for (const { 0: atom, index } of line.matchAll(ATOM)) {
    const next = atom.startsWith('&') ? atom.length + 4 : atom.length;
    if (cost + next > room) {
      const end = space - start > (index - start) * 0.75 ? space : index;
      pieces.push(line.slice(start, end));
      cost = costOf(line.slice(end, index));
      start = end;
    }
    cost += next;
    if (atom === ' ') space = index;
  }
  return [...pieces, line.slice(start)];
}

function costOf(text: string): number {
  return text.length + 4 * (text.match(/&/gu)?.length ?? 0);
}
