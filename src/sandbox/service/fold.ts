/**
 * Folds case, letters beyond ASCII included, so that folded texts can be compared as they are. Each character
 * by itself: the lower case of a final sigma depends on its neighbours, which a search term does not have.
 */
export function fold(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => character.toUpperCase().toLowerCase()).join('');
}
