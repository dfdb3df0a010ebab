import { SOURCE, type Variable } from './environment.ts';
import type { Environment } from './io.ts';
import { editsBetween, nearest } from './text.ts';

/** In a name of this length two slips are likelier than another program's variable. */
const LONG = 12;

/**
 * A question for each variable that is set, that nothing here reads, and whose name is a slip away from one that is read
 * and not set: `PROMETEUS_URL`.
 */
export function misspeltVariables(env: Environment, variables: readonly Variable[]): string[] {
  const names = variables.flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name]));
  const known = new Set(names);
  const prefixes = names.filter((name) => name.endsWith(SOURCE)).map((name) => name.slice(0, -SOURCE.length));
  const isSet = (name: string) => (env[name] ?? '') !== '';
  const unset = names.filter((name) => !isSet(name));
  return Object.keys(env)
    .filter((name) => isSet(name) && !known.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .flatMap((name) => {
      const most = name.length >= LONG ? 2 : 1;
      const near = unset.filter(
        (one) => Math.abs(one.length - name.length) <= most && editsBetween(name, one) <= most,
      );
      // Two letters that changed places are two edits, and the likeliest slip.
      const meant = near.find((one) => lettersOf(one) === lettersOf(name)) ?? near[0];
      return meant === undefined
        ? []
        : [`${name} is set, but Gumshoe reads no such variable: did you mean ${meant}?`];
    });
}

function lettersOf(name: string): string {
  return [...name].sort().join('');
}

/** Of a body's fields so many are looked at, and so much of a name. */
const MOST_FIELDS = 100;
const MOST_NAME = 60;

/** The fields of a body that are not known, each with the known one that it probably means and that is not given. */
export function misspeltFields(body: unknown, known: readonly string[]): { name: string; meant: string }[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const given = Object.keys(body);
  const missing = known.filter((name) => !Object.hasOwn(body, name));
  return given
    .filter((name) => name.length <= MOST_NAME && !known.includes(name))
    .slice(0, MOST_FIELDS)
    .flatMap((name) => {
      const meant = nearest(name.toLowerCase(), missing);
      return meant === null ? [] : [{ name, meant }];
    });
}
