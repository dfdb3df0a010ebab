import type { Organization } from '../../../lib/issue-number.ts';
import { type Word, wordsOf } from './words.ts';

/** What is known of an issue by which a text may name it. All of it is text from outside. */
export interface Nameable {
  /** Our id, as in `gumshoe-<id>`; `null` for an issue that is none of ours. */
  id: string | null;
  number: number | null;
  uuid: string | null;
  /** As we sent it, and as the service has it. */
  titles: readonly string[];
  rootCause: string | null;
}

/** The most words that are compared at once: what is longer is known by its parts. */
export const MOST_WORDS = 8;
const LEAST_PART = 3;
const MOST_PART = 6;
/** A name of so many letters is no everyday word. */
const LEAST_LETTERS = 6;
const LEAST_BEGINNING = 8;
/** An alert’s name, e.g. `HighErrorRate`: no service is called so. */
const ALERT_NAME = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{Ll}\p{N}]+){3,}(?![\p{L}\p{N}])/gu;
const COMMON = new Set(
  'a an and are as at be by for from has have in is it its not of on or than that the this to was were which with'.split(
    ' ',
  ),
);

/** By what some issues that a text’s readers may not see are named, compared with what names the others. */
export class Names {
  readonly #phrases = new Set<number>();
  /** Names like everyday words: they count only where they stand as a name. */
  readonly #bare = new Set<number>();
  /** The words that follow each beginning of a title. */
  readonly #beginnings = new Map<number, Set<string>>();
  readonly #alertNames = new Set<string>();
  readonly #ids = new Map<string, boolean>();
  readonly #uuids = new Map<string, boolean>();
  readonly #channels = new Map<string, boolean>();
  readonly hidden = new Set<number>();
  readonly shown = new Set<number>();
  /** Whose issues the numbers in a text are. */
  readonly organization: Organization;
  #longest = 0;
  #hasCauses = false;

  constructor(organization: Organization = 'default') {
    this.organization = organization;
  }

  /** Nothing is known that its readers may not see. */
  get isEmpty(): boolean {
    return (
      this.#phrases.size === 0 &&
      this.#bare.size === 0 &&
      this.hidden.size === 0 &&
      !this.#hidesAny(this.#ids)
    );
  }

  /** Something is known of what was found for them. */
  get hidesCauses(): boolean {
    return this.#hasCauses;
  }

  /** After so many words more no name can end that began before them. */
  get reach(): number {
    return Math.max(0, this.#longest - 1);
  }

  /** An issue that the readers may not see. */
  hide({ id, number, uuid, titles, rootCause }: Nameable): void {
    if (id !== null) this.#ids.set(id.toLowerCase(), true);
    if (number !== null) this.hidden.add(number);
    for (const part of uuidKeys(uuid)) this.#uuids.set(part, true);
    for (const title of new Set(titles)) this.#hideTitle(title);
    if (rootCause !== null) this.#hideCause(wordsOf(rootCause));
  }

  /** One that they may see: what names it too names nothing that is hidden. After all that is hidden. */
  show({ id, number, uuid, titles, rootCause }: Nameable): void {
    if (id !== null) this.#ids.set(id.toLowerCase(), false);
    if (number !== null) {
      this.shown.add(number);
      this.hidden.delete(number);
    }
    for (const part of uuidKeys(uuid)) this.#uuids.set(part, false);
    if (this.#phrases.size === 0 && this.#bare.size === 0) return;
    for (const title of titles) this.#showWords(wordsOf(title));
    if (rootCause !== null) this.#showWords(wordsOf(rootCause));
  }

  /** A channel by its id. */
  channel(id: string, isHidden: boolean): void {
    this.#channels.set(id.toLowerCase(), isHidden);
  }

  /** How many of the last words, the newest last, are a name; 0 if they are none. */
  ends(words: readonly string[]): number {
    let key = SEED;
    let found = 0;
    const most = Math.min(words.length, this.#longest);
    for (let length = 1; length <= most; length += 1) {
      key = keyWith(key, words[words.length - length] ?? '');
      if (this.#phrases.has(keyOf(key))) found = length;
    }
    return found;
  }

  /** Whether a passage that stands by itself, or is set off in bold or quotes, is a name. */
  isBareName(text: string): boolean {
    if (this.#bare.size === 0 || text.length > 200) return false;
    return this.#bare.has(keyOfWords(wordsOf(text).map(({ word }) => word)));
  }

  /** Whether a title begins with the last words, of which the newest may be cut anywhere. */
  isBeginning(words: readonly string[]): boolean {
    const last = words.at(-1) ?? '';
    if (last.length >= LEAST_BEGINNING) {
      for (const name of this.#alertNames) if (name.startsWith(last)) return true;
    }
    for (let length = 1; length < Math.min(words.length, MOST_WORDS); length += 1) {
      const before = words.slice(-1 - length, -1);
      if (before.join('').length + last.length < LEAST_BEGINNING) continue;
      const next = this.#beginnings.get(keyOfWords(before));
      if (next !== undefined && [...next].some((word) => word.startsWith(last))) return true;
    }
    return false;
  }

  /** `true` for an issue that is hidden, `false` for one that is not, `null` for none that is known. */
  uuid(text: string): boolean | null {
    return this.#uuids.get(text) ?? null;
  }

  /** The same of the id in a reference. What is not known is of nobody knows where. */
  reference(id: string): boolean {
    return this.#ids.get(id) ?? true;
  }

  /** `gumshoe-<id>` without what stands before it. */
  isHiddenId(id: string): boolean {
    return this.#ids.get(id) === true;
  }

  isHiddenChannel(id: string): boolean {
    return this.#channels.get(id) === true;
  }

  /** Of a link: a channel that nobody knows is private until Slack says otherwise. */
  isHiddenPlace(id: string): boolean {
    return this.#channels.get(id) ?? true;
  }

  #hidesAny(some: ReadonlyMap<string, boolean>): boolean {
    for (const isHidden of some.values()) if (isHidden) return true;
    return false;
  }

  #hideTitle(title: string): void {
    const words = wordsOf(title);
    if (words.length === 0) return;
    const all = words.map(({ word }) => word);
    if (lettersOf(all) < LEAST_LETTERS) this.#bare.add(keyOfWords(all));
    else if (all.length <= LEAST_PART) this.#add(all);
    else this.#hideParts(words, Math.min(MOST_PART, Math.max(LEAST_PART, Math.ceil(all.length / 2))));
    for (const [name] of title.matchAll(ALERT_NAME)) {
      this.#add([name.toLowerCase()]);
      this.#alertNames.add(name.toLowerCase());
    }
    this.#begin(all);
  }

  #hideCause(words: readonly Word[]): void {
    this.#hasCauses = true;
    this.#hideParts(words, MOST_PART);
    this.#begin(words.map(({ word }) => word));
  }

  #begin(all: readonly string[]): void {
    for (let length = 1; length < Math.min(all.length, MOST_WORDS); length += 1) {
      const key = keyOfWords(all.slice(0, length));
      const next = this.#beginnings.get(key) ?? new Set();
      this.#beginnings.set(key, next.add(all[length] ?? ''));
    }
  }

  #hideParts(words: readonly Word[], size: number): void {
    const all = words.map(({ word }) => word);
    if (all.length < LEAST_PART) return;
    const most = Math.min(size, all.length);
    for (let from = 0; from + most <= all.length; from += 1) {
      const part = all.slice(from, from + most);
      if (lettersOf(part) >= LEAST_LETTERS) this.#add(part);
    }
  }

  #add(words: readonly string[]): void {
    this.#phrases.add(keyOfWords(words));
    this.#longest = Math.max(this.#longest, words.length);
  }

  #showWords(words: readonly Word[]): void {
    const all = words.map(({ word }) => word);
    for (let from = 0; from < all.length; from += 1) {
      let key = SEED;
      // As `keyOfWords` reads: from the last word back.
      for (let length = 1; length <= Math.min(MOST_WORDS, from + 1); length += 1) {
        key = keyWith(key, all[from + 1 - length] ?? '');
        this.#phrases.delete(keyOf(key));
      }
    }
    this.#bare.delete(keyOfWords(all));
    for (const word of all) this.#alertNames.delete(word);
    for (let length = 1; length < Math.min(all.length, MOST_WORDS); length += 1) {
      this.#beginnings.get(keyOfWords(all.slice(0, length)))?.delete(all[length] ?? '');
    }
  }
}

/** Whether a text ends in an ellipsis, or before one. */
export function isCutShort(gap: string): boolean {
  return /^\s?(?:…|\.{2,})/u.test(gap);
}

function lettersOf(words: readonly string[]): number {
  return words.filter((word) => !COMMON.has(word)).join('').length;
}

/** Without dashes; and its first group, by which people call it for short. */
function uuidKeys(uuid: string | null): string[] {
  if (uuid === null) return [];
  const whole = uuid.toLowerCase().replaceAll('-', '');
  return whole.length === 32 ? [whole, whole.slice(0, 8)] : [whole];
}

type Key = readonly [number, number];
const SEED: Key = [0x811c9dc5, 0x9e3779b9];

function keyWith([a, b]: Key, word: string): Key {
  let [x, y] = [Math.imul(a ^ 0x1f, 0x01000193), Math.imul(b ^ 0x2f, 0x85ebca6b)];
  for (let i = 0; i < word.length; i += 1) {
    const code = word.charCodeAt(i);
    x = Math.imul(x ^ code, 0x01000193);
    y = Math.imul(y ^ code, 0xc2b2ae35) ^ (y >>> 15);
  }
  return [x, y];
}

/** 53 bits of it: two phrases with the same key are not to be met. */
function keyOf([a, b]: Key): number {
  return (a >>> 0) * 0x200000 + (b >>> 11);
}

function keyOfWords(words: readonly string[]): number {
  let key = SEED;
  for (let i = words.length - 1; i >= 0; i -= 1) key = keyWith(key, words[i] ?? '');
  return keyOf(key);
}
