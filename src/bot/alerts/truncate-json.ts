import { truncateMrkdwn } from './slack-text.ts';

/** How much of a JSON value is kept. */
export interface JsonLimits {
  /** UTF-16 code units of all strings together. */
  characters: number;
  /** UTF-16 code units of one string, so that a long one leaves room for the others. */
  perString: number;
  /** Values, nested ones included. */
  values: number;
  /** How deep values may be nested. */
  depth: number;
}

/**
 * The beginning of a JSON value, in its own order, up to the limits. The rest is never read, so the work does not grow
 * with the size of the input.
 */
export function truncateJson(value: unknown, reach: JsonLimits): unknown {
  const left = { ...reach };
  return copy(value, reach.depth, left);
}

function copy(value: unknown, depth: number, left: JsonLimits): unknown {
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

function copyString(text: string, left: JsonLimits): string {
  const length = Math.min(text.length, left.perString, Math.max(0, left.characters));
  left.characters -= length;
  return length === text.length ? text : truncateMrkdwn(text, length);
}

function copyList(list: readonly unknown[], depth: number, left: JsonLimits): unknown[] {
  const kept: unknown[] = [];
  // By index, because an iterator would read one more element than allowed.
  for (let index = 0; index < list.length && !isUsedUp(left); index += 1) {
    kept.push(copy(list[index], depth, left));
  }
  return kept;
}

function isUsedUp({ characters, values }: JsonLimits): boolean {
  return characters <= 0 || values <= 0;
}
