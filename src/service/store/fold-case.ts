/**
 * Folds case, letters beyond ASCII included, so that folded texts can be compared as they are. Each character
 * by itself: the lower case of a final sigma depends on its neighbours, which a search term does not have.
 * NUL is replaced, because SQLite's index of texts ends at it.
 */
export function foldCase(text: string): string {
  const characters = Array.from(text.normalize('NFC').replaceAll('\0', '\uFFFD'));
  return characters.map((character) => character.toUpperCase().toLowerCase()).join('');
}
