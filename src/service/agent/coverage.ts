import { type Catalog, JOB } from './catalog/find.ts';
import { PER_TIME } from './catalog/measure.ts';
import {
  ENVIRONMENTS,
  isEmpty,
  isMistyped,
  isRequest,
  stem,
  type Term,
  termsOf,
  wordsOfName,
} from './catalog/terms.ts';
import { isAskedOf } from './examples.ts';
import { compares, periodIn, withoutTimes } from './moment.ts';
import type { Known } from './names.ts';
import type { Choice, Found } from './tool.ts';
import { askedOf, conditionIn, withoutCondition } from './tools/condition.ts';
import { EVERYTHING, isOfCourse, isYesNo, profileIn, type Turn } from './understand.ts';

/** What a question asks for, word by word: names, times and what it is compared with are none of it. */
function contentOf({ words, others }: Pick<Turn, 'words' | 'others'>): Term[] {
  const plain = withoutTimes(withoutCondition(words));
  return termsOf(plain).filter(
    ({ word }) =>
      /^\/?\p{L}[\p{L}-]{3,}$/u.test(word) &&
      (!isEmpty(word) || ENVIRONMENTS.has(word)) &&
      // `last-run` stands for what was said.
      words.toLowerCase().includes(word) &&
      !others.includes(word),
  );
}

export function wordsOf(turn: Pick<Turn, 'words' | 'others'>): string[] {
  return contentOf(turn).map(({ word }) => word);
}

/** Whether a word is one that asks for the tool, so that its answer is about it. */
function isOf({ tool, turn }: Choice, word: string): boolean {
  // What came of a change is not told with it.
  if (tool.name !== 'changes' && (isOfCourse(word) || profileIn(word) !== null)) return true;
  const own = tool.name === 'health' ? ['health', 'state', 'issues'] : [tool.name];
  return (
    own.some((name) => isAskedOf(word, name)) ||
    turn.services.some((name) => wordsOfName(name).includes(stem(word)))
  );
}

/** Asks how much there is of something, or names only that. */
const QUANTITY =
  /\bhow (?:many|much|full|long|large|big|high|low|fast|old|busy)\b|\b(?:rate|ratio|number|count|percent\w*|share|age|(?:per|a) (?:sec(?:ond)?|min(?:ute)?)|p\d\d)\b|\/s\b|%/iu;
/** Tools whose answers are of a thing as a whole. */
const OF_THE_WHOLE = ['metric', 'health', 'dependencies', 'issues', 'state'];
/** Asks until when something lasts: what it is now is no answer. */
const UNTIL = /\b(?:when|long|til|till|until|lasts?)\b/iu;
/** Tools before which a metric comes that is called as the question says. */
const BESIDE_NAMES = ['metric', 'health', 'traces'];
const OF_LOGS = /\blog(?:s|ged|ging)?\b|\blines?\b|["“”]/iu;
const REASON =
  /\b(?:why|who|whom|whose)\b|\b(?:which|what) services? (?:makes?|slows?|breaks?|causes?|fails?|is|are)\b/iu;
const OBJECTS = /\b(?:pods?|replicas?|deployments?)\b/iu;
const LEAST_COVERED = 0.6;
const WELL_COVERED = 0.75;

/** Whether it asks how something is or why, and not how much there is of anything. */
function isOfTrouble({ tool }: Choice, question: string): boolean {
  return tool.name === 'health' && !QUANTITY.test(question) && conditionIn(question) === null;
}

/** Whether a metric that there is accounts for more of a question than what was chosen for it. */
export function isOfMetric(choice: Choice | null, turn: Turn, catalog: Catalog | null): boolean {
  const { question } = turn;
  const [best] = catalog?.find(askedOf(question)) ?? [];
  // Two moments of a measure are compared, not the state of today.
  const isState = choice?.tool.name === 'state' || choice?.tool.name === 'health';
  if (choice?.tool.name === 'state' && OBJECTS.test(turn.words)) return false;
  // Where nothing is exported of a cluster, no quantity is one of its objects'.
  const isOfNoCluster = ![...(catalog?.metrics.keys() ?? [])].some((name) => name.startsWith('kube_'));
  if (isState && turn.metricNamed !== null && compares(question, turn.at)) return true;
  const isTaken =
    choice === null ||
    (choice.tool.name !== 'state' &&
      OF_THE_WHOLE.includes(choice.tool.name) &&
      !isOfTrouble(choice, question)) ||
    (choice.tool.name === 'state' && isOfNoCluster) ||
    (choice.tool.name === 'outlook' && !UNTIL.test(question)) ||
    (choice.tool.name === 'traces' && choice.turn.aspect === null) ||
    PER_TIME.test(question);
  const isOther = turn.numberNamed !== null || OF_LOGS.test(question) || REASON.test(question);
  if (best === undefined || isOther || best.covered < LEAST_COVERED) return false;
  // Whether it comes each hour, only its past tells.
  const isOfRhythm = periodIn(question) !== null;
  if (isOfRhythm || !isTaken) return isOfRhythm;
  // What only a label knows by name is asked for by its measure.
  const isValue = best.filters.some(
    ({ label, values }) =>
      !JOB.test(label) && values.some((value) => choice?.turn.services.includes(value) === true),
  );
  const isCalled = best.isByName && BESIDE_NAMES.includes(choice?.tool.name ?? 'metric');
  const asks = QUANTITY.test(question) || conditionIn(question) !== null || choice?.tool.name === 'metric';
  const isWell = best.covered >= WELL_COVERED || best.left.every(isEmpty);
  if (isCalled || (isValue && best.covered === 1 && turn.metricNamed !== null) || (asks && isWell))
    return true;
  const content = contentOf(turn).map(({ word }) => word);
  const left = best.left.filter((word) => content.includes(word)).length;
  if (choice === null) return content.length > left;
  // A condition of the cluster's objects, said of what is none, is a metric's word.
  return left < contentOf(choice.turn).filter(({ word }) => !isOf(choice, word)).length;
}

export interface Unanswered {
  /** Each word of it, whatever that is: an answer that leaves one out is no yes or no. */
  words: string[];
  /** Of these, what occurs among what is measured, and what is asked for as a thing and occurs nowhere. */
  known: string[];
  unknown: string[];
  /** Whether labels were read, too, for what occurs nowhere. */
  isWhole: boolean;
  /** Whether the answer is about none of the words, and says only how things stand. */
  isAll: boolean;
  /** Whether it says only how things stand with what the conversation is about, or what was changed. */
  isOfOther: boolean;
  isOfChanges: boolean;
  /** Whether it says only how all things stand, and the question names none. */
  isOfNothing: boolean;
  /** Whether the answer is of another thing than the question asks of. */
  isBesides: boolean;
}

/** Whether a word stands for a thing: after what points, counts or relates, or at the beginning before that. */
function isThing(word: string, words: string): boolean {
  const points = 'the|an?|our|my|its|their|of|in|from|for|to|about|with|per|which|how (?:many|much)|any';
  return new RegExp(`\\b(?:${points})(?: new| old)? ${word}\\b|^${word} (?:of|on|in|for)\\b`, 'iu').test(
    words,
  );
}

/** Whether a value of a label is called so in short: `auth` of `POST /authorize`. */
function isPartOfValue(word: string, catalog: Catalog | null): boolean {
  return [...(catalog?.metrics.values() ?? [])].some(({ labels }) =>
    Object.values(labels).some((values) =>
      values.some((value) => wordsOfName(value).some((part) => part.startsWith(word))),
    ),
  );
}

/** All that what was found says, as data: names, titles, descriptions. */
function stringsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  return typeof data !== 'object' || data === null || ArrayBuffer.isView(data)
    ? []
    : Object.values(data).flatMap(stringsIn);
}

function isListed(found: Found['data']): boolean {
  const hasWarnings = (one: unknown) => typeof one === 'object' && one !== null && 'warnings' in one;
  return (
    hasWarnings(found) || Object.values(found).some((one) => Array.isArray(one) && one.some(hasWarnings))
  );
}

/** The words of a question that no part of an answer is about, by what is known of names and metrics. */
export function unansweredIn(
  turn: Turn,
  choices: readonly Choice[],
  found: Found['data'],
  { catalog, directory }: { catalog: Catalog | null; directory: readonly Known[] },
): Unanswered {
  const text = stringsIn(found).join(' ');
  const said = new Set([...wordsOfName(text), ...text.toLowerCase().split(/\s/u)]);
  const isSaid = ({ word, called }: Term) =>
    [stem(word), ...called].some((one) =>
      [...said].some(
        (own) =>
          own === one ||
          (one.length >= 4 && own.startsWith(one)) ||
          // `redeliveries` of what is redelivered
          (own.length >= 6 && own.slice(0, -2) === one.slice(0, own.length - 2)),
      ),
    );
  const isOfChanges = choices.length > 0 && choices.every(({ tool }) => tool.name === 'changes');
  const asksOther =
    isYesNo(turn.question) || choices.some((one) => /^(?:who|why)$/u.test(one.turn.aspect ?? ''));
  // What is about to break anywhere is asked for by few words.
  const isOverview =
    text.length > 0 && choices.every(({ tool }) => tool.name === 'outlook') && isListed(found);
  const isWhole = isOfChanges
    ? asksOther
    : isOverview || choices.every(({ tool }) => OF_THE_WHOLE.includes(tool.name) && tool.name !== 'issues');
  const content = isWhole ? contentOf(turn) : [];
  const left = content.filter(
    (term) =>
      (term.isThing || [term.word, ...term.called].some((one) => catalog?.knows(one) != null)) &&
      !isSaid(term) &&
      !(isRequest(term.word) && choices.some(({ tool }) => tool.name === 'metric')) &&
      (isOfChanges || !isOfCourse(term.word)) &&
      !choices.some((choice) => isOf(choice, term.word)),
  );
  const words = left.map(({ word }) => word);
  const names = directory.flatMap(({ name, instances = [] }) => [name, ...instances]).flatMap(wordsOfName);
  // Where nothing lists what is measured, nothing is said of it.
  const isNew = ({ word, called }: Term) =>
    catalog !== null &&
    [word, ...called].every((one) => catalog.knows(one) === null) &&
    !names.some((name) => name === stem(word) || isMistyped(word, name));
  const isAll =
    words.length > 0 &&
    words.length === content.length &&
    choices.every(({ tool }) => tool.name === 'health');
  const isOfOther =
    isOfChanges ||
    isOverview ||
    (turn.named.length === 0 && turn.number !== null && choices.every(({ tool }) => tool.name === 'health'));
  const isOfNothing =
    isAll &&
    turn.number === null &&
    choices.every((choice) => choice.turn.services.length === 0) &&
    !EVERYTHING.test(turn.question);
  return {
    words,
    known: words.filter((word) => {
      const as = catalog?.knows(word);
      return as === 'value' || (as === 'word' && isThing(word, turn.words)) || isPartOfValue(word, catalog);
    }),
    unknown: left.filter((term) => isThing(term.word, turn.words) && isNew(term)).map(({ word }) => word),
    isWhole: catalog?.isWhole ?? false,
    ...{ isOfOther, isOfChanges, isAll, isOfNothing },
    // The reason of a trouble is what the verdict says, whatever else is in the question.
    isBesides:
      (isOfOther || isOfNothing || isAll) && choices.every(({ turn: { aspect } }) => aspect !== 'cause'),
  };
}
