/** A line's template: its words, of which those that vary are {@link WILDCARD}. */
export interface Template {
  id: number;
  /** What all of its lines have in common besides their words, such as their level. */
  group: string;
  words: string[];
}

export const WILDCARD = '*';

/** How lines are compared. */
export interface TemplateOptions {
  /** How many first words lines of one template share. */
  depth: number;
  /** The share of equal words from which two lines are one template. */
  alike: number;
  /** Whether two words may differ without telling two templates apart, as names of objects do. */
  areNames?(one: string, other: string): boolean;
}

/** What floating point adds to a share. */
const EPSILON = 1e-9;
/** Templates that begin alike; lines that are like none of so many are one more, together. Drain has the same bound. */
const MOST_CHILDREN = 100;

/**
 * Groups lines that differ only in their parameters, with Drain's fixed-depth tree (He et al., 2017): lines of one group
 * that begin alike are compared word by word, and words that vary become a wildcard.
 */
export class Templates {
  readonly #options: TemplateOptions;
  readonly #leaves = new Map<string, Template[]>();
  readonly #all: Template[] = [];

  constructor(options: TemplateOptions) {
    this.#options = options;
  }

  /** The template of a line's words; the same object for lines that belong together. */
  of(group: string, words: readonly string[]): Template {
    const { depth } = this.#options;
    const leaf = `${group}\n${words.slice(0, depth).join(' ')}`;
    const near = this.#leaves.get(leaf) ?? [];
    this.#leaves.set(leaf, near);
    let found = near.find((one) => this.#areAlike(one.words, words));
    if (found === undefined && near.length > MOST_CHILDREN) found = near.at(-1);
    if (found === undefined) {
      const isRest = near.length === MOST_CHILDREN;
      found = {
        id: this.#all.length,
        group,
        words: isRest ? [...words.slice(0, depth), WILDCARD] : [...words],
      };
      near.push(found);
      this.#all.push(found);
    } else found.words = found.words.map((word, i) => (word === words[i] ? word : WILDCARD));
    return found;
  }

  at(id: number): Template | undefined {
    return this.#all[id];
  }

  /** Whether enough words are equal, names left out; it ends as soon as too many are not. */
  #areAlike(known: readonly string[], words: readonly string[]): boolean {
    const { alike, areNames } = this.#options;
    const length = Math.min(known.length, words.length);
    const isName = (i: number) =>
      areNames !== undefined && (known[i] === WILDCARD || areNames(known[i] ?? '', words[i] ?? ''));
    const names = areNames === undefined ? 0 : Array.from({ length }, (_, i) => i).filter(isName).length;
    const of = Math.max(1, length - names);
    let left = of - Math.ceil(of * alike - EPSILON);
    for (let i = 0; i < length; i++) {
      if (known[i] === words[i] || known[i] === WILDCARD || isName(i)) continue;
      left -= 1;
      if (left < 0) return false;
    }
    return true;
  }
}
