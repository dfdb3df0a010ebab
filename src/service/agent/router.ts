import { joinNames } from '../investigation/format.ts';
import type { Catalog } from './catalog/find.ts';
import { DIMENSIONS, dimensionIn } from './catalog/labels.ts';
import { isEmpty, type Term, termsOf } from './catalog/terms.ts';
import { changes } from './changes.ts';
import { isOfMetric } from './coverage.ts';
import { routesOf } from './examples.ts';
import { file, isOfFile } from './files.ts';
import { health } from './health.ts';
import { help } from './help.ts';
import { issues } from './issues.ts';
import { metric } from './metric.ts';
import { AS_ALWAYS, withoutTimes } from './moment.ts';
import { strongest, withoutNames } from './names.ts';
import { outlook } from './outlook.ts';
import type { Choice, Tool } from './tool.ts';
import { TOOLS } from './tools.ts';
import { GOES_ON, goesOn, isOfCourse, profileIn, type Subject, type Turn } from './understand.ts';

/** Where one question ends and the next begins. */
const PARTS =
  /\s*[,;?!.]\s+(?:and\s+|but\s+)?|\s+(?:and|n|&)\s+(?=(?:is|are|was|were|what|who|why|when|since|how|did|does|which|show)\b)/iu;
/** Of what is asked for less plainly than this before all else, nothing is chosen: about half of it would be wrong. */
const LEAST_SURE = 0.15;
const LEAST_OF_ORDER = 0.5;

const ASKS =
  /^\W*(?:and |but |so )?(?:is|are|was|were|what|who|why|when|since|how|did|do|does|has|have|which|where|show)\b/iu;
const MOST_PARTS = 3;
const OF_BEFORE = /^(?:is|was|does|should) (?:that|this|it|i|we)\b/iu;

/** The tools that a question asks for by its words, in order of its parts; none where that is not plain. */
function askedFor(turn: Turn, services: readonly string[]): Choice[] {
  const parts = turn.question
    .split(PARTS)
    .filter(
      (part) =>
        part.includes(' ') &&
        // It has words of its own, or the very words of a question that was learned.
        (hasWords(withoutNames(part, services)) || routesOf(partOf(turn, part, services))[0]?.share === 1),
    )
    // *What about tariff* says of what else the same is asked.
    .filter((part) => !GOES_ON.test(part) || strongest(part, services).length > 0);
  // *Is that normal* is asked of what was asked before it.
  const isOne =
    parts.slice(1).some((part) => OF_BEFORE.test(part) && AS_ALWAYS.test(part)) ||
    parts.slice(1).every(isOfParts);
  if (parts.length <= 1 || isOne) return best(turn);
  // *Still climbing* is which way that goes which was asked for.
  const [first = '', ...rest] = parts;
  const isCourse = ({ word }: Term) => isOfCourse(word, 'course') || isEmpty(word);
  if (rest.every((part) => isOfCourse(part, 'course') && termsOf(part).every(isCourse))) {
    const own = best(partOf(turn, first, services));
    if (own.length > 0) return own.map((one) => ({ ...one, turn: { ...turn, aspect: one.turn.aspect } }));
  }
  const found = parts.flatMap((part) => best(partOf(turn, part, services)));
  const asking = found.filter((one) => ASKS.test(one.turn.question));
  // A remark only says more about what is asked, unless nothing else asks for its tool.
  const kept = found.filter(
    (one) =>
      asking.includes(one) ||
      (asking.every(({ tool }) => tool !== one.tool) && found.find(({ tool }) => tool === one.tool) === one),
  );
  // Since when a version runs or a metric is off, they say themselves.
  const saysSince = kept.some(({ tool }) => tool === changes || tool === metric);
  const isSaid = ({ tool, turn: { aspect } }: Choice) => saysSince && tool === health && aspect === 'since';
  const others = kept.filter((one) => one.tool !== help && !isSaid(one));
  const [only] = others;
  if (others.length === 1 && only !== undefined && kept.some(isSaid))
    return [{ ...only, turn: { ...turn, aspect: only.turn.aspect } }];
  return others.length <= 1 ? best(turn) : others.slice(0, MOST_PARTS);
}

/** Whether a part of a question asks only by what the answer to the one before it is told apart: *and in which zone?* */
function isOfParts(part: string): boolean {
  const by = dimensionIn(part);
  return by !== null && termsOf(part).every(({ word }) => isEmpty(word) || DIMENSIONS[by].words.test(word));
}

/** A part of a question: about what it names itself, else about what the whole question is about. */
function partOf(turn: Turn, question: string, services: readonly string[]): Turn {
  const named = strongest(question, services);
  const words = withoutNames(question, services);
  const metricNamed = profileIn(words);
  return {
    ...turn,
    question,
    words,
    named,
    services: named.length === 0 ? turn.services : named,
    metricNamed,
    metric: metricNamed ?? turn.metric,
  };
}

function best(turn: Turn): Choice[] {
  const routes = routesOf(turn);
  // Why something is so, no metric tells.
  const reasons = WHY_SO.test(turn.question)
    ? routes.filter(({ tool, aspect }) => isReason(tool, aspect))
    : [];
  const orders =
    isSure(turn) || !POLITE.test(turn.question) ? [] : routes.filter(({ aspect }) => aspect === 'order');
  const certain = reasons.length > 0 ? reasons : orders;
  const [first] = certain.length > 0 ? certain : routes;
  if (first === undefined || (certain.length === 0 && !isSure(turn))) return [];
  // Who only may want something done is not refused.
  if (first.aspect === 'order' && certain.length === 0 && first.share < LEAST_OF_ORDER) return [];
  // How all is but some is how the others are.
  if (first.tool === 'health' && turn.except.length > 0 && turn.named.length === 0)
    return [{ tool: outlook, turn: { ...turn, aspect: 'others' } }];
  return TOOLS.filter(({ name }) => first.tool.split('+').includes(name)).map((tool) => ({
    tool,
    turn: { ...turn, aspect: first.aspect },
  }));
}

/** Who asks so without asking for anything plainly wants something done. */
const POLITE = /\b(?:pls|plz|please|for (?:me|us))\b/iu;

const WHY_SO = /^\W*(?:so |and |but |ok )*(?:why|how come)\b|\bwhy\W*$/iu;

function isReason(tool: string, aspect: string | null): boolean {
  return tool === 'health' ? aspect === 'cause' : tool !== 'metric' && tool !== 'outlook';
}

/** Whether a question asks for one tool, by any of its aspects, more plainly than for every other. */
function isSure(turn: Turn): boolean {
  const routes = routesOf(turn);
  const shares = new Map<string, number>();
  for (const { tool, share } of routes) shares.set(tool, (shares.get(tool) ?? 0) + share);
  const own = shares.get(routes[0]?.tool ?? '') ?? 0;
  const other = Math.max(
    0,
    ...[...shares].filter(([tool]) => tool !== routes[0]?.tool).map(([, one]) => one),
  );
  return own - other >= LEAST_SURE;
}

export function aspectOf(tool: Tool, turn: Turn): string | null {
  return routesOf(turn).find((route) => route.tool === tool.name)?.aspect ?? null;
}

/**
 * The tools for a question. One with just another subject or time (`and payments?`) asks for the same as the question
 * before; a bare subject asks how it is.
 */
export function chooseTools(
  turn: Turn,
  before: Subject | null,
  services: readonly string[],
): readonly Choice[] {
  if (isOfFile(turn)) return [{ tool: file, turn }];
  const { named, numberNamed, timed, question, words } = turn;
  const past = before?.tools ?? [];
  const isBare = question.split(' ').length <= 3 && (named.length > 0 || numberNamed !== null);
  const isOther = goesOn(question, timed) || isBare;
  // *And half an hour ago, getting worse?* asks for nothing else, either.
  if (past.length > 0 && isOther && !hasWords(GOES_ON.test(question) ? withoutCourse(words) : words))
    return past.flatMap(({ name, words: asked, question: before }) => {
      const tool = TOOLS.find((one) => one.name === name);
      // What is asked again is asked in the words of before, with what the new ones name in its place.
      const both = `${asked} ${words}`;
      if (tool === undefined) return [];
      const again = { ...turn, words: both, question: replaced(before || asked, turn, services) };
      return [{ tool, turn: { ...again, aspect: aspectOf(tool, again) } }];
    });
  const own = askedFor(turn, services);
  if (own.length > 0) return own;
  // An issue's number asks for it, whatever is said besides.
  if (numberNamed !== null) return [{ tool: issues, turn: { ...turn, aspect: 'one' } }];
  // A thing and a measure ask for that, whatever is said besides.
  if (named.length > 0 && turn.metricNamed !== null) return [{ tool: metric, turn }];
  return !hasWords(words) && (named.length > 0 || GOES_ON.test(question)) ? [{ tool: health, turn }] : [];
}

const WHY = /^(?:why|how|when|since|who)$/iu;

/** Whether a question has words of its own, besides names, times and those that go on. */
function hasWords(words: string): boolean {
  const own = withoutTimes(words.replace(GOES_ON, '')).match(/[\p{L}']+/gu) ?? [];
  return own.some((word) => !isEmpty(word.toLowerCase()) || WHY.test(word));
}

function withoutCourse(words: string): string {
  return words.replaceAll(/\p{L}+/gu, (word) => (isOfCourse(word) ? '' : word));
}

/** An earlier question with the names and the time of a new one. */
function replaced(before: string, { question, named, timed }: Turn, services: readonly string[]): string {
  const plain = before.replace(/[?.!\s]+$/u, '');
  const other =
    named.length === 0
      ? plain
      : strongest(plain, services).reduce((text, name) => text.replaceAll(name, named[0] ?? name), plain);
  return `${timed ? withoutTimes(other) : other} ${question.replace(GOES_ON, '')}`;
}

/** Each part of a question that a metric accounts for better than what was chosen for it asks for that metric. */
export function withAnyMetric(
  choices: readonly Choice[],
  turn: Turn,
  catalog: Catalog | null,
): readonly Choice[] {
  if (choices.length === 0) return isOfMetric(null, turn, catalog) ? [ofMetric(turn)] : choices;
  const chosen = choices.map((choice) =>
    isOfMetric(choice, choice.turn, catalog) ? ofMetric(choice.turn) : choice,
  );
  // One metric for the whole question, where each of its words is that of one.
  return chosen.length > 1 && chosen.every(({ tool }) => tool === metric) && isOfMetric(null, turn, catalog)
    ? [ofMetric(turn)]
    : chosen;
}

function ofMetric(turn: Turn): Choice {
  return { tool: metric, turn, isInCatalog: true };
}

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
  const ending = known.filter((one) => differenceOf(object, one)?.toLowerCase() === name);
  if (exact !== undefined || ending.length === 1) return asked([exact ?? ending[0] ?? '']);
  return SHORT.test(name) && known.length > 0 ? { text: which(object, known) } : null;
}

function which(object: string, known: readonly string[]): string {
  if (object === '') return 'Which one? Name it, and I’ll look.';
  return known.length === 0
    ? `Which one? I know nothing else with a name like ${object}.`
    : `Which one? Besides ${object} I know ${joinNames(known.slice(0, MOST_SAID))}${known.length > MOST_SAID ? ' and others' : ''}.`;
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

/** `clinicdb`, `-`, `b`; `kaf`, `1`: the parts of a name. */
function partsOfName(name: string): string[] {
  return name.match(/\p{L}+|\d+|[^\p{L}\d]+/gu) ?? [];
}

/** The part in which two names differ, where that is all; `null` otherwise. */
function differenceOf(name: string, other: string): string | null {
  const [own, parts] = [partsOfName(name), partsOfName(other)];
  const different = parts.filter((part, i) => part !== own[i]);
  return own.length > 1 && own.length === parts.length && different.length === 1
    ? (different[0] ?? null)
    : null;
}

/** The others of a kind: those whose names differ from it in one part alone, in the end if any do. */
function siblingsOf(object: string, groups: readonly (readonly string[])[]): string[] {
  const all = [...new Set(groups.flat())].filter((name) => differenceOf(object, name) !== null).sort();
  const ofEnd = all.filter((name) => differenceOf(object, name) === partsOfName(name).at(-1));
  return ofEnd.length > 0 ? ofEnd : all;
}
