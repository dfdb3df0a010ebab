/** Pieces of a regular expression as one of whole words, for a text in small letters. A piece of a path or of a name is no word. */
export function words(...pieces: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w/.-])(?:${pieces.join('|')})(?!\\w|[-/.]\\w)`, 'u');
}

/** The same for every place where it stands. */
export function all(expression: RegExp): RegExp {
  return new RegExp(expression.source, `${expression.flags}g`);
}

/** Words between spaces as a set. */
export function setOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}
