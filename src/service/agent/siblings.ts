import { joinNames } from '../investigation/format.ts';
import type { Catalog } from './catalog/find.ts';
import type { Subject } from './understand.ts';

/** `and the other two?` */
const OTHERS =
  /^\W*(?:(?:and|what about|how about)\s+)?(?:the\s+)?(?:others?|other\s+(one|ones|two|three|four|[1-9]))\W*$/iu;
/** `and a?`, `and reminders.send?` */
const ANOTHER = /^\W*(?:and|what about|how about)\s+(?:the\s+)?([a-z0-9][\w./:-]*)\W*$/iu;
/** A name of which only the end is said. */
const SHORT = /^(?:[a-z]|\d{1,3})$/iu;
const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4 };
const MOST_OTHERS = 4;
const MOST_SAID = 8;

/** What a question goes on with: the question before, asked of other objects, or what is said where it is not known which. */
export type GoneOn = { questions: readonly string[] } | { text: string };

/**
 * A question that puts another object in the place of the one before; `null` where it is none.
 *
 * @param services the names that the other ways of going on know
 */
export function goneOn(
  text: string,
  before: Pick<Subject, 'question' | 'services' | 'tools'> | null,
  services: readonly string[],
  catalog: Catalog | null,
): GoneOn | null {
  const others = OTHERS.exec(text);
  const name = ANOTHER.exec(text)?.[1]?.toLowerCase() ?? null;
  if (before === null || before.tools.length === 0 || (others === null && name === null)) return null;
  const groups = [services, ...valuesIn(catalog)];
  const last = before.tools.at(-1)?.question || before.question;
  const { object, own } = objectIn(last, groups);
  const known = siblingsOf(object, own);
  const asked = (names: readonly string[]): GoneOn => ({
    questions: names.map((one) => last.replace(object, one)),
  });
  if (others !== null) {
    const count =
      others[1] === undefined ? known.length : (COUNTS[others[1]] ?? (Number(others[1]) || known.length));
    return known.length > 0 && known.length === count && count <= MOST_OTHERS
      ? asked(known)
      : { text: which(object, known) };
  }
  if (name === null || object === '' || services.some((one) => one.toLowerCase() === name)) return null;
  const exact = own.flat().find((one) => one.toLowerCase() === name);
  const ending = known.filter((one) => one.toLowerCase().slice(stemOf(object).length) === name);
  if (exact !== undefined || ending.length === 1) return asked([exact ?? ending[0] ?? '']);
  return SHORT.test(name) && known.length > 0 ? { text: which(object, known) } : null;
}

function which(object: string, known: readonly string[]): string {
  if (object === '') return 'Which one? Name it, and I look.';
  return known.length === 0
    ? `Which one? I know nothing else that is named as ${object} is.`
    : `Which one? Beside ${object} I know ${joinNames(known.slice(0, MOST_SAID))}${known.length > MOST_SAID ? ' and others' : ''}.`;
}

/** What the labels of each metric name. */
function valuesIn(catalog: Catalog | null): string[][] {
  return [...(catalog?.metrics.values() ?? [])].flatMap(({ labels }) =>
    Object.values(labels).map((values) => [...values]),
  );
}

/** The longest name in a question, and the groups that it belongs to; an empty one if there is none. */
function objectIn(question: string, groups: readonly (readonly string[])[]) {
  const words = (question.match(/[a-z0-9][\w./:-]*[a-z0-9]/giu) ?? []).toSorted(
    (a, b) => b.length - a.length,
  );
  for (const word of words) {
    const own = groups.filter(
      (group) => group.includes(word) && (/[^a-z]/iu.test(word) || group === groups[0]),
    );
    if (own.length > 0) return { object: word, own };
  }
  return { object: '', own: [] };
}

/** `clinicdb-` of `clinicdb-b`; a name without an end of its own has none. */
function stemOf(name: string): string {
  return /^.*[a-z].*?[-_.:/](?=[a-z]?\d*$)|^.*[a-z](?=\d+$)/iu.exec(name)?.[0] ?? '';
}

/** The others of a kind: those whose names differ from it in their end alone. */
function siblingsOf(object: string, groups: readonly (readonly string[])[]): string[] {
  const stem = stemOf(object);
  const isSibling = (name: string) => name !== object && stem !== '' && stemOf(name) === stem;
  return [...new Set(groups.flat().filter(isSibling))].sort();
}
