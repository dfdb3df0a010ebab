import { z } from 'zod';
import { WILDCARD } from '../../../lib/templates.ts';
import { workloadOf } from '../details.ts';
import { fingerprintOf } from '../identity.ts';
import type { Alert } from '../types.ts';
import { headOf, type Kind, linesOf, valueAt } from './kinds.ts';
import type { Observation } from './observation.ts';
import { CLOCK } from './words.ts';

/**
 * Messages that are worded alike: lines that each of them has, in lower case. `*` is any word, `#time` a time, `{object}` what
 * tells problems apart; a line like `#good` is its color or the sign before it. What ends a field is the rest of it.
 */
const Pattern = z.array(z.string().min(1).max(500)).min(1).max(10);
export type Pattern = z.output<typeof Pattern>;

/** How a sender's messages are read, as a person confirmed it: `messages` of an `ALERT_MAP`. It wins over everything else. */
export const SenderMap = z.strictObject({
  /** What reports a problem, and what ends it: both name the same objects. */
  problems: z
    .array(z.strictObject({ trouble: z.array(Pattern).min(1).max(20), recovery: z.array(Pattern).max(20) }))
    .max(50),
  noAlert: z.array(Pattern).max(50),
});
export type SenderMap = z.output<typeof SenderMap>;

const OBJECT = '{object}';
const MARK = '#';

/** What the map says of a message. */
interface Told extends Pick<Alert, 'kind' | 'fingerprint'> {
  /** Which of its problems, and what tells that apart. */
  problem: number | null;
  objects: readonly string[];
}

/** How a message is read by what was confirmed of its sender; `null` where that says nothing of it. */
export function readWith(
  { problems, noAlert }: SenderMap,
  source: string,
  observation: Observation,
): Told | null {
  const lines = linesOf(observation).map(({ words }) => words.join(' ').split(' '));
  const marks = new Set([observation.color, observation.sign].map((mark) => `${MARK}${mark}`));
  const objectsBy = (pattern: Pattern) => objectsIn(pattern, lines, marks);
  if (noAlert.some((pattern) => objectsBy(pattern) !== null))
    return { kind: 'not_an_alert', fingerprint: null, problem: null, objects: [] };
  for (const [at, { trouble, recovery }] of problems.entries())
    for (const pattern of [...trouble, ...recovery]) {
      const objects = objectsBy(pattern);
      if (objects === null) continue;
      const worded = trouble.map((one) => one.join('\n')).sort();
      const fingerprint = fingerprintOf('confirmed', source, ...worded, ...objects.sort());
      return { kind: trouble.includes(pattern) ? 'firing' : 'resolved', fingerprint, problem: at, objects };
    }
  return null;
}

/** What a message has in the places of the objects; `null` if it is worded otherwise. */
function objectsIn(
  pattern: Pattern,
  lines: readonly string[][],
  marks: ReadonlySet<string>,
): string[] | null {
  const left = [...lines];
  const objects: string[] = [];
  for (const wanted of pattern) {
    if (marks.has(wanted)) continue;
    const words = wanted.split(' ');
    const at = left.findIndex((line) => objectsOfLine(words, line) !== null);
    if (at < 0) return null;
    const [line = []] = left.splice(at, 1);
    objects.push(...(objectsOfLine(words, line) ?? []));
  }
  return objects;
}

function objectsOfLine(wanted: readonly string[], line: readonly string[]): string[] | null {
  const isField = wanted.slice(0, -1).some((word) => word.endsWith(':'));
  const rest = isField ? line.slice(wanted.length - 1).join(' ') : (line[wanted.length - 1] ?? '');
  const words = isField && rest !== '' ? [...line.slice(0, wanted.length - 1), rest] : line;
  if (words.length !== wanted.length) return null;
  const fits = wanted.every((word, at) => word === WILDCARD || word === OBJECT || word === words[at]);
  return fits ? wanted.flatMap((word, at) => (word === OBJECT ? [workloadOf(words[at] ?? '')] : [])) : null;
}

/** How the messages of a kind are worded, with these places as what tells their problems apart. */
export function patternOf(kind: Kind, objects: readonly string[]): Pattern {
  const [first] = kind.messages;
  if (first === undefined) return [];
  const wanted = new Set([...objects, ...(kind.state === undefined ? [] : [kind.state])]);
  const uses = new Map<number, number>();
  const lines = first.templates.flatMap((template, line) => {
    const before = uses.get(template.id) ?? 0;
    uses.set(template.id, before + 1);
    const keys = template.words.map((_, at) => `${template.id}.${at}${before === 0 ? '' : `.${before}`}`);
    const isField = template.words[0]?.endsWith(':') === true;
    const isHead = line === 0 || (line < headOf(first) && !isField);
    if (!isHead && !keys.some((key) => wanted.has(key))) return [];
    return [template.words.map((word, at) => placeOf(kind, keys[at] ?? '', word, objects)).join(' ')];
  });
  // A field is named by its label alone.
  const labels = [...wanted].filter((key) => key.endsWith(':'));
  const fields = labels.map((key) => `${key} ${objects.includes(key) ? OBJECT : valueAt(first, key)}`);
  const said = lines.filter(
    (line) =>
      (!line.startsWith(MARK) || line.includes(' ')) && !labels.some((key) => line.startsWith(`${key} `)),
  );
  return [...new Set([...said, ...first.states, ...fields])];
}

/** What stands in a place of all messages of a kind. */
function placeOf(kind: Kind, key: string, word: string, objects: readonly string[]): string {
  if (objects.includes(key)) return OBJECT;
  const slots = kind.messages.map(({ slots }) => slots.get(key));
  const [slot] = slots;
  if (slot === undefined) return word;
  const isFixed = slots.every((one) => one?.value === slot.value) && ['word', 'state'].includes(slot.holds);
  return isFixed || slot.value === CLOCK ? slot.value : WILDCARD;
}

/** What `ALERT_MAP_…` is called for a sender, whose names follow its channel. */
export function variableName(sender: string): string {
  const [, ...words] = sender.toLowerCase().split(/[^a-z0-9]+/u);
  return words.filter((word) => word !== '').join('_');
}
