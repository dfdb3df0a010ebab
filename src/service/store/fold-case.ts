/**
 * Folds case, including non-ASCII letters, so that folded texts can be compared directly. Folds each character
 * separately: the lower case of a final sigma depends on its neighbours, which a search term does not have. NUL is
 * replaced, because SQLite's text index stops at it.
 */
export function foldCase(text: string): string {
  const characters = Array.from(text.normalize('NFC').replaceAll('\0', '\uFFFD'));
  return characters.map((character) => character.toUpperCase().toLowerCase()).join('');
}
