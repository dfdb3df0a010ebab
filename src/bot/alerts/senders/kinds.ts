import { type Template, Templates, WILDCARD } from '../../../lib/templates.ts';
import { workloadOf } from '../details.ts';
import { severityOf } from '../state.ts';
import { kindOf } from '../values.ts';
import { stateNamed } from '../wording.ts';
import type { Observation } from './observation.ts';
import {
  areInterchangeable,
  CLOCK,
  classOf,
  type Lexicon,
  statesIn,
  type WordClass,
  wordsOfLine,
} from './words.ts';

/** A place in a template of a sender's lines, and what a message has there. */
export interface Slot {
  key: string;
  value: string;
  holds: WordClass;
  /** It is in the first lines, or the short value of a label: in other lines words tell of the problem, and seldom name it. */
  isNaming: boolean;
  /** A number behind a noun that may name it: `line 4`, and neither `restarts 4` nor `4 restarts`. */
  isNumber: boolean;
}

/** A message among its sender's others. */
export interface Seen {
  at: number;
  observation: Observation;
  /** The templates of its lines, those left out that all messages have. */
  templates: readonly Template[];
  slots: ReadonlyMap<string, Slot>;
  /** Of its fields those that say a state, or that it is for information only. */
  states: readonly string[];
  /** One of its lines that not every message has says that something fails. */
  isFailing: boolean;
  /** Its first line is one that every message has. */
  hasLetterhead: boolean;
  /** The first line that not every message has, and its words. */
  headline: string | null;
  words: readonly string[];
  /** Those of its very first line. */
  headWords: readonly string[];
}

/** Messages that are worded alike, and were read alike. */
export interface Kind {
  key: string;
  messages: readonly Seen[];
  /** The place whose word tells it from kinds that are worded alike otherwise. */
  state?: string;
}

/** The share of messages that have a line from which it is the sender's letterhead. */
const EVERYWHERE = 0.8;
const FEWEST = 3;
/** The lines at the top that say what it is about. */
const HEAD = 2;
/** More distinct values than this in a row of numbers that only grow are those of runs, tickets and the like. */
const COUNTED = 5;

/** The messages of a sender with their templates and what these hold. */
export function seenOf(observations: readonly Observation[]): Seen[] {
  const templates = new Templates({ depth: 0, alike: 0.6, areNames: areInterchangeable });
  const all = observations.map((observation) =>
    linesOf(observation).map((line) => ({
      ...line,
      template: templates.of(groupOf(line.words), line.words),
    })),
  );
  const columns = columnsOf(all.flat());
  const stateLabels = stateLabelsOf(all.flat());
  const uses = new Map<Template, number>();
  for (const lines of all)
    for (const template of new Set(lines.map((one) => one.template)))
      uses.set(template, (uses.get(template) ?? 0) + 1);
  // A number behind the name of an id is a name where it comes again: an account, and not a delivery.
  const holdsAt = (template: Template, at: number, word: string): WordClass => {
    const values = columns.get(`${template.id}.${at}`) ?? [];
    const isLasting =
      at === 1 && OF_ID.test(template.words[0] ?? '') && new Set(values).size * 2 <= values.length;
    return isLasting ? 'name' : classOf(word);
  };
  const isLetterhead = (template: Template) =>
    all.length >= FEWEST &&
    template.words.every(
      (word, at) =>
        word !== WILDCARD ||
        columns.get(`${template.id}.${at}`)?.every((one) => holdsAt(template, at, one) === 'changing'),
    ) &&
    (uses.get(template) ?? 0) >= EVERYWHERE * all.length;
  const letterheads = new Set([...new Set(all.flat().map(({ template }) => template))].filter(isLetterhead));
  const counters = new Set([...columns].filter(([, values]) => isCounter(values)).map(([key]) => key));
  return observations.map((observation, at) => {
    const lines = sentenceFirst((all[at] ?? []).filter(({ template }) => !letterheads.has(template)));
    const lasting = lines.filter(({ words }, line) => line < HEAD || !words.includes(CLOCK));
    const times = new Map<Template, number>();
    const slots = lasting.flatMap(({ template, words }, line) => {
      const before = times.get(template) ?? 0;
      times.set(template, before + 1);
      return words.flatMap((word, column): Slot[] => {
        const place = `${template.id}.${column}`;
        // A message may have several lines of one template.
        const key = before === 0 ? place : `${place}.${before}`;
        const holds = counters.has(place) ? 'changing' : holdsAt(template, column, word);
        const isSlot = template.words[column] === WILDCARD || holds === 'name' || holds === 'changing';
        const isNumber = holds === 'changing' && isNumbered(words, column);
        const isNaming = line < HEAD || (words.length === 2 && words[0]?.endsWith(':') === true);
        return isSlot ? [{ key, value: workloadOf(word), holds, isNaming, isNumber }] : [];
      });
    });
    const head = lines.find(({ words }) => words.some((word) => classOf(word) === 'word'));
    return {
      at,
      observation,
      templates: lines.map(({ template }) => template),
      slots: new Map(slots.map((slot) => [slot.key, slot])),
      states: lines.flatMap(({ words: [label = '', value = '', ...others] }) =>
        others.length === 0 && stateLabels.has(label) && saysState(value) ? [`${label} ${value}`] : [],
      ),
      isFailing: lines.some((line) => line.isFailing),
      hasLetterhead: all[at]?.[0] !== undefined && letterheads.has(all[at][0].template),
      headline: head?.line ?? null,
      headWords: lines[0]?.words ?? [],
      words: [...(observation.sign === null ? [] : [observation.sign]), ...(head?.words ?? [])],
    };
  });
}

/** What a message says line by line, a sentence and its reason apart. */
export function linesOf({
  lines,
  failing,
}: Pick<Observation, 'lines' | 'failing'>): { line: string; words: string[]; isFailing: boolean }[] {
  return lines
    .flatMap((whole, row) =>
      clausesOf(whole).map((line) => ({ line, words: wordsOfLine(line), isFailing: failing.includes(row) })),
    )
    .filter(({ words }) => words.length > 0);
}

/** Lines of one template have as many words, and the same label; of one word alone, the kind has to be the same. */
function groupOf(words: readonly string[]): string {
  const [first = ''] = words;
  if (first.endsWith(':')) return `${first} ${words.length}`;
  return words.length === 1 ? `1 ${classOf(first)}` : `${words.length}`;
}

const NUMBER = /^\d{1,4}$/u;
const PLURAL = /[^s]s[:=]?$/u;

function isNumbered(words: readonly string[], column: number): boolean {
  const [before = '', word = '', behind = ''] = words.slice(Math.max(0, column - 1), column + 2);
  return (
    column > 0 &&
    NUMBER.test(word) &&
    classOf(before) === 'word' &&
    !PLURAL.test(before) &&
    !PLURAL.test(behind)
  );
}

/** A sentence and its reason are two lines: `Backup of orders failed: no space left`. */
function clausesOf(line: string): string[] {
  const at = line.indexOf(': ');
  const [sentence, reason] = [line.slice(0, at), line.slice(at + 2)];
  const isSentence =
    at > 0 && !sentence.includes(':') && reason.trim() !== '' && sentence.split(' ').length > LABEL_WORDS;
  return isSentence ? [sentence, reason] : [line];
}

/** A label has no more words. */
const LABEL_WORDS = 3;

/** Where fields come first, the line that is no field says what the message is about. */
function sentenceFirst<T extends { words: readonly string[] }>(lines: readonly T[]): T[] {
  const isField = ({ words }: T) => words.length <= 2 && words[0]?.endsWith(':') === true;
  const [first] = lines;
  const sentence = lines.find((line) => !isField(line) && !line.words.includes(CLOCK));
  if (first === undefined || sentence === undefined || !isField(first)) return [...lines];
  return [sentence, ...lines.filter((line) => line !== sentence)];
}

/** The labels whose values are states, in all messages. */
function stateLabelsOf(lines: readonly { words: readonly string[] }[]): Set<string> {
  const values = Map.groupBy(
    lines.filter(({ words: [label = ''] }) => label.endsWith(':')),
    ({ words: [label = ''] }) => label,
  );
  const isOfStates = ([, all]: [string, { words: readonly string[] }[]]) =>
    all.every(({ words: [, value = '', ...others] }) => others.length === 0 && kindOf(value) === 'state');
  return new Set([...values].filter(isOfStates).map(([label]) => label));
}

function saysState(value: string): boolean {
  return stateNamed(value) !== null || severityOf(value) === 'low';
}

const OF_ID = /id:?$/u;

/** All values in each place of each template, in order. */
function columnsOf(
  lines: readonly { words: readonly string[]; template: Template }[],
): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  for (const { words, template } of lines)
    for (const [at, word] of words.entries()) {
      const key = `${template.id}.${at}`;
      const values = columns.get(key);
      if (values === undefined) columns.set(key, [word]);
      else values.push(word);
    }
  return columns;
}

/** Whether values are one name with a number that grows with each message: `run-4821`, `#4822`. */
function isCounter(values: readonly string[]): boolean {
  if (values.length < COUNTED) return false;
  const [first = ''] = values;
  const stem = (value: string) => value.replace(/\d+$/u, '');
  const numbers = values.map((value) => Number(/\d+$/u.exec(value)?.[0] ?? Number.NaN));
  return values.every((value, at) => {
    const [before, now] = [numbers[at - 1], numbers[at] ?? Number.NaN];
    return stem(value) === stem(first) && !Number.isNaN(now) && (before === undefined || now > before);
  });
}

/** How many lines say what a message is about: what stands below one that says the state is its reason. */
export function headOf({ headWords }: Seen): number {
  return statesIn(headWords, NO_LEXICON).size > 0 ? 1 : HEAD;
}

const NO_LEXICON: Lexicon = new Map();

/** Messages by their templates, their reading at first sight, their color and the states in their headline. */
export function kindsOf(seen: readonly Seen[], lexicon: Lexicon): Kind[] {
  const groups = Map.groupBy(seen, (one) => {
    const { templates, words, states: fields, observation } = one;
    const states = [...statesIn(words, lexicon)].sort();
    const [first, ...others] = templates.slice(0, headOf(one));
    const sentence = others.filter(({ words: [label = ''] }) => !label.endsWith(':'));
    const ids = [first, ...sentence].map((template) => template?.id ?? null);
    return JSON.stringify([observation.kind, observation.color, states, fields, ids]);
  });
  return [...groups].map(([key, messages]) => ({ key, messages }));
}

/** The words that all messages of a kind have in their first lines, but for states and what changes. */
export function wordingOf({ messages }: Kind): ReadonlySet<string> {
  const [first] = messages;
  const words = (first?.templates.slice(0, headOf(first)) ?? []).flatMap((template) => template.words);
  return new Set(words.filter((word) => word !== WILDCARD && ['word', 'name'].includes(classOf(word))));
}

/** At most so many words can be the states of a kind. */
const MOST_STATES = 4;

/** A kind whose state no word tells, by the words of one of its places: one of these places may hold the state. */
export function byState(kind: Kind): Kind[][] {
  const keys = new Set(kind.messages.flatMap(({ slots }) => [...slots.keys()]));
  return [...keys].flatMap((key) => {
    const states = statesAt(kind, key);
    return states.every(({ messages }) => messages.length > 1) && states.length > 0 ? [states] : [];
  });
}

/** The same by this place; none where it cannot hold a state. */
export function statesAt(kind: Kind, key: string): Kind[] {
  const groups = Map.groupBy(kind.messages, (one) => {
    const value = valueAt(one, key) ?? '';
    const holds = one.slots.get(key)?.holds ?? classOf(value);
    return holds === 'word' || holds === 'state' ? value : '';
  });
  if (groups.size < 2 || groups.size > MOST_STATES || groups.has('')) return [];
  return [...groups].map(([value, messages]) => ({
    key: `${kind.key} ${key} ${value}`,
    messages,
    state: key,
  }));
}

/** What a message has at a key: a place of its templates, or a label whose value is a word or two. */
export function valueAt({ slots, observation }: Seen, key: string): string | undefined {
  if (!key.endsWith(':')) return slots.get(key)?.value;
  const field = linesOf(observation).find(({ words }) => words.length === 2 && words[0] === key);
  return field === undefined ? undefined : workloadOf(field.words[1] ?? '');
}
