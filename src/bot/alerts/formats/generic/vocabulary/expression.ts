/** A regular expression of whole words for lower-case text. Part of a path or of a name is not a word. */
export function words(...pieces: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w/.-])(?:${pieces.join('|')})(?!\\w|[-/.]\\w)`, 'u');
}

/** The same, for all matches. */
export function all(expression: RegExp): RegExp {
  return new RegExp(expression.source, `${expression.flags}g`);
}

/** A set of words separated by spaces. */
export function setOf(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}
