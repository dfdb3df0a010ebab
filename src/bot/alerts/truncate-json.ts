import { cutMrkdwn } from './slack-text.ts';

/** How much of a value from outside is copied. */
export interface Reach {
  /** UTF-16 units of all strings together. */
  characters: number;
  /** UTF-16 units of one string: what one says at length leaves room for what the others say. */
  perString: number;
  /** Values, with those inside others. */
  values: number;
  /** How deep values may stand inside each other. */
  depth: number;
}

/**
 * The beginning of a JSON value, in its own order: strings, lists and objects, until so much has been read. What comes
 * behind is not looked at, so that the work does not grow with what somebody sends.
 */
export function beginningOf(value: unknown, reach: Reach): unknown {
  const left = { ...reach };
  return copy(value, reach.depth, left);
}

function copy(value: unknown, depth: number, left: Reach): unknown {
  left.values -= 1;
  if (typeof value === 'string') return copyString(value, left);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return copyList(value, depth - 1, left);
  const kept: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (isUsedUp(left)) break;
    kept.push([key, copy(Reflect.get(value, key), depth - 1, left)]);
  }
  return Object.fromEntries(kept);
}

function copyString(text: string, left: Reach): string {
  const length = Math.min(text.length, left.perString, Math.max(0, left.characters));
  left.characters -= length;
  return length === text.length ? text : cutMrkdwn(text, length);
}

function copyList(list: readonly unknown[], depth: number, left: Reach): unknown[] {
  const kept: unknown[] = [];
  // By index: an iterator takes the next one before anybody can say that it is enough.
  for (let index = 0; index < list.length && !isUsedUp(left); index += 1) {
    kept.push(copy(list[index], depth, left));
  }
  return kept;
}

function isUsedUp({ characters, values }: Reach): boolean {
  return characters <= 0 || values <= 0;
}
