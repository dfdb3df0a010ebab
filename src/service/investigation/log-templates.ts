/**
 * Groups lines that differ only in their parameters, with Drain's fixed-depth tree (He et al., 2017): lines of one level
 * that begin alike are compared word by word, and words that vary become a wildcard.
 */
export class LogTemplates {
  readonly #leaves = new Map<string, Template[]>();
  readonly #known = new Map<string, Template>();
  readonly #all: Template[] = [];

  /** The template of a line; the same object for lines that belong together. */
  of(level: string | null, message: string): Template {
    const masked = mask(message);
    const key = `${level ?? ''}\n${masked}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const words = masked
      .split(SEPARATORS)
      .filter((word) => word !== '')
      .slice(0, MOST_WORDS);
    const leaf = `${level ?? ''}\n${words.slice(0, DEPTH).join(' ')}`;
    const near = this.#leaves.get(leaf) ?? [];
    this.#leaves.set(leaf, near);
    let found = near.find((one) => areAlike(one.words, words));
    if (found === undefined && near.length > MOST_CHILDREN) found = near.at(-1);
    if (found === undefined) {
      const isRest = near.length === MOST_CHILDREN;
      found = { id: this.#all.length, level, words: isRest ? [...words.slice(0, DEPTH), WILDCARD] : words };
      near.push(found);
      this.#all.push(found);
    } else found.words = found.words.map((word, i) => (word === words[i] ? word : WILDCARD));
    this.#known.set(key, found);
    return found;
  }

  at(id: string): Template | undefined {
    return this.#all[Number(id)];
  }
}

export interface Template {
  id: number;
  level: string | null;
  words: string[];
}

const SEPARATORS = /[\s,;:=()[\]{}"'|<>]+/u;
/** Words by which lines are sorted before they are compared. */
const DEPTH = 3;
/** The beginning of a line says what it reports; lists of any length follow. */
const MOST_WORDS = 24;
/** The share of equal words from which two lines are one template. */
const ALIKE = 0.7;
const WILDCARD = '*';
/** What floating point adds to a share. */
const EPSILON = 1e-9;
/** Templates that begin alike; lines that are like none of so many are one more, together. Drain has the same bound. */
const MOST_CHILDREN = 100;

/** Whether enough words are equal; it ends as soon as too many are not. */
function areAlike(known: readonly string[], words: readonly string[]): boolean {
  const of = Math.max(1, Math.min(known.length, words.length));
  let left = of - Math.ceil(of * ALIKE - EPSILON);
  for (let i = 0; i < of; i++) {
    if (known[i] === words[i] || known[i] === WILDCARD) continue;
    left -= 1;
    if (left < 0) return false;
  }
  return true;
}

/** A message without its numbers and ids. */
function mask(message: string): string {
  return message.slice(0, 300).replaceAll(/\b[0-9a-f]{8}[0-9a-f-]*\b|\d+/giu, '#');
}
