import { z } from 'zod';
import type { QueryThread } from '../../contract/schema.ts';
import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { namedIn } from '../investigation/names.ts';
import { isTerm } from './catalog/terms.ts';
import { timeIn, timesSpelled } from './moment.ts';
import { isOfTitle, type Known, type Names, namesIn, strongest } from './names.ts';

/** A question with what precedes it, as it was sent. */
export type Asked = QueryThread;
export type AttachedFile = Asked['files'][number];

/**
 * A question of which nothing is sent but its words. Where they end with a paragraph of their own after one that names an
 * issue, that is the question, and it is about that issue.
 */
export function plainly(words: string): Asked {
  const paragraphs = words.trim().split(/\n\s*\n/u);
  const before = paragraphs.slice(0, -1).join('\n');
  const number = /\bissue #(\d{1,9})\b/iu.exec(before)?.[1];
  const issue =
    number === undefined ? null : { number: Number(number), title: '', service: null, root_cause: null };
  const question = issue === null ? words.trim() : (paragraphs.at(-1) ?? '');
  return { question: question.replace(/^The question:\s*/u, ''), issue, said: [], asked: [], files: [] };
}

const Span = z.object({ from: z.number(), to: z.number() });

/** What a conversation is about, kept with each of its turns for the next one. */
export const Subject = z.object({
  question: z.string(),
  services: z.array(z.string()).readonly(),
  /** The issue of the question, and that of the thread if the question named another one. */
  number: z.number().nullable(),
  threadNumber: z.number().nullable(),
  context: z
    .object({
      title: z.string(),
      rootCause: z.string().nullable(),
      services: z.array(z.string()).readonly(),
    })
    .nullable(),
  /** The measure, by its label. */
  metric: z.string().nullable(),
  window: Span,
  at: z.number(),
  isNow: z.boolean().default(false),
  files: z.array(z.object({ name: z.string(), text: z.string() })).readonly(),
  /** Where it was inferred from; `null` if a question stated it. */
  subjectSource: z.enum(['thread', 'file']).nullable(),
  /** The tools that answered, with the words that asked for them. */
  tools: z
    .array(z.object({ name: z.string(), words: z.string(), question: z.string().default('') }))
    .readonly(),
});
export type Subject = z.infer<typeof Subject>;

const MOST_SAID = 200;

const HOUR = 3_600_000;
export const EVERYTHING =
  /\b(?:everything|everyone|anything|overall|all services|(?:the )?(?:shop|system|site|cluster|platform))\b/iu;
/** Openings of a question that repeats the last one for another subject or time. */
export const GOES_ON = /^\W*(?:and|n|what about|how about)\b/iu;
const THAT_TIME = /\b(?:at|around|about|before|since|after|until) (?:that time|then)\b/iu;
/** At most this many error lines of an attached file are searched for names. */
const MOST_LINES = 50;

/** The first measure that words name; a name begins a word (`oom`, not `room`). */
export function profileIn(words: string): Profile | null {
  return PROFILES.find((profile) => startOf(profile).test(words)) ?? null;
}

/** A measure's everyday names, where a word begins with them. */
export function startOf({ words }: Profile): RegExp {
  return new RegExp(String.raw`(?<!\w)(?:${words.source})`, 'iu');
}

/** Whether a question wants yes or no; `can you show me …?` is a polite order. */
export function isYesNo(question: string): boolean {
  return /^\W*(?:so |and |but |ok |hey |hi |now )*(?:is|are|was|were|has|have|had|did|does|do|can|could|should|will|would)\s+(?!you\b(?! (?:really )?(?:sure|certain)\b))/iu.test(
    question,
  );
}

/** What *yes* would mean: *is it over?* and *is it still failing?* expect opposite things. */
export type Expects = 'over' | 'ongoing' | null;

/** By what answers a question: what it may ask a yes or no of, besides how something is. */
const RELATIONS = {
  advice: ['advised'],
  'advice:if': ['helped'],
  changes: ['changed', 'runs_version'],
  'changes:effect': ['helped'],
  dependencies: ['calls'],
  'health:certainty': ['blamed', 'related'],
  'health:impact': ['affected'],
  'issues:before': ['happened'],
  'issues:list': ['exists'],
  'issues:relation': ['related'],
  logs: ['exists'],
  metric: ['only_one', 'over_limit', 'ran', 'set'],
  outlook: ['lasts_until'],
  state: ['exists', 'restarted'],
  traces: ['exists'],
} as const;
/** What a yes or no may be about. */
export type Relation = NonNullable<Expects> | 'recurs' | (typeof RELATIONS)[keyof typeof RELATIONS][number];

export const RECURS =
  /\b(?:every|each) (?:night|day|morning|evening|week|hour)\b|\bbefore (?:today|yesterday|this week)\b/iu;

/** Asked after with words of all kinds: `same cause as the backlog?` */
const WHETHER: readonly Relation[] = ['related', 'helped'];

/** The relations that a question asks yes or no of, by what answers it; none where it wants neither. */
export function relationsAsked(
  { question, aspect }: Pick<Turn, 'question' | 'aspect'>,
  tool: string,
): readonly Relation[] {
  const by: Readonly<Record<string, readonly Relation[]>> = RELATIONS;
  const own = by[`${tool}:${aspect}`] ?? by[tool] ?? [];
  // *Is it just payments or is everything down* asks which.
  const isEither = question
    .split(/\bor\b/iu)
    .slice(1)
    .some(isYesNo);
  if (!isYesNo(question) || isEither) return own.filter((one) => WHETHER.includes(one));
  if (RECURS.test(question)) return ['recurs'];
  const expects = expectsOf(question);
  // That `mysql_up` is set is no yes to *is mysql down?*
  return expects === null ? own : [...own.filter((one) => one !== 'set' || expects === 'over'), expects];
}

export function expectsOf(question: string): Expects {
  if (!isYesNo(question)) return null;
  if (WELL.test(question) && !/\bstill (?!ok|okay|fine|healthy|up)/iu.test(question)) return 'over';
  return ILL.test(question) ? 'ongoing' : null;
}

const WELL =
  /\b(?:over|recover(?:ed)?|resolved?|fixed|cleared|gone|stop(?:ped)?|ended?|back to normal|healthy|ready|running|bound|good|ok|okay|al(?:l )?right|well|normal|fine|better|improving|up|working|stable|alive|reachable)\b/iu;
const ILL =
  /\b(?:down|fail\w*|broken?|slow\w*|degraded|unhealthy|wrong|bad|issues?|problems?|trouble|dead|stuck|hang\w*|errors?|affected|ongoing|still|crash\w*|restart\w*|pending|unavailable|unreachable|worse|happening)\b/iu;
const COURSE =
  /\b(?:grow\w*|shrink\w*|ris(?:e|es|ing)|fall(?:s|ing)?|climb\w*|drain\w*|catch(?:ing)? up|caught up|increas\w*|decreas\w*|going (?:up|down)|trend\w*)\b/iu;

/** Whether words ask how something is, or which way it goes. */
export function isOfCourse(words: string, of: 'course' | 'any' = 'any'): boolean {
  return COURSE.test(words) || (of === 'any' && (WELL.test(words) || ILL.test(words)));
}

/** A question, completed from the conversation before it. */
export interface Turn extends Omit<Subject, 'metric' | 'tools'>, Omit<Names, 'named'> {
  named: readonly string[];
  numberNamed: number | null;
  /** The metric named in this question, and the one it is about. */
  metricNamed: Profile | null;
  metric: Profile | null;
  timed: boolean;
  attached: boolean;
  /** The question before it, if that was answered with a metric. */
  earlier: string | null;
  aspect: string | null;
}

/** A question is understood by its beginning: what is longer is a log, or was pasted by mistake. */
const MOST_CHARACTERS = 4_000;

/** Reads a question in the context of the previous turn: what it does not name stays the same. */
export function understand(
  text: string,
  before: Subject | null,
  directory: readonly Known[],
  now: number,
  { issue: context, files }: Pick<Asked, 'issue' | 'files'> = { issue: null, files: [] },
): Turn {
  const spelled = timesSpelled(text.slice(0, MOST_CHARACTERS)).replaceAll(
    /\p{L}{2,}in(?![\w'-])/giu,
    withEnd,
  );
  const plain = spelled.replaceAll(/\s+/gu, ' ').trim();
  const names = namesIn(plain, directory);
  const { question, words } = names;
  const named = names.named.filter((name) => !isOfTitle(name, question, context?.title ?? ''));
  const services = directory.map(({ name }) => name);
  const numberNamed = numberIn(question);
  const metricNamed = profileIn(words);
  // Naming a service, an issue or everything starts a new subject; continuing with "and" keeps the time.
  const isNewSubject =
    named.length > 0 || numberNamed !== null || context !== null || EVERYTHING.test(question);
  const from = isNewSubject ? null : before;
  const time = timeIn(question, now);
  // A conversation that began with an issue is about it as its thread is.
  const threadNumber = context?.number ?? before?.threadNumber ?? before?.number ?? null;
  // In an issue's thread, what names nothing is about the issue, unless it goes on about something else.
  const returns = from !== null && threadNumber !== null && !goesOn(question, time !== null);
  const number = numberNamed ?? threadNumber ?? from?.number ?? null;
  const contextServices = context
    ? strongest(context.service ?? `${context.title} ${context.root_cause ?? ''}`, services)
    : [];
  const last = { window: { from: now - HOUR, to: now }, at: now };
  const keepsTime = GOES_ON.test(question) || THAT_TIME.test(question);
  const answered = before?.tools.at(-1);
  // What was asked of now is asked of now again, and not of a minute ago.
  const late = before?.isNow === true ? now - before.at : 0;
  const kept = before && {
    window: { from: before.window.from + late, to: before.window.to + late },
    at: before.at + late,
  };
  const { window, at } = time ?? (keepsTime ? kept : null) ?? last;
  return {
    ...names,
    named,
    services: named.length > 0 || numberNamed !== null || returns ? named : (from?.services ?? []),
    numberNamed,
    number,
    threadNumber,
    context: context
      ? { title: context.title, rootCause: context.root_cause, services: contextServices }
      : number === before?.number
        ? before.context
        : null,
    metricNamed,
    metric: metricNamed ?? PROFILES.find(({ label }) => label === before?.metric) ?? null,
    timed: time !== null,
    window,
    at,
    isNow: at === now,
    attached: files.length > 0,
    earlier: answered?.name === 'metric' ? answered.question || before?.question || null : null,
    aspect: null,
    files: files.length > 0 ? files : (before?.files ?? []),
    subjectSource: from?.subjectSource ?? null,
  };
}

/** `growing` of `growin`. */
function withEnd(word: string): string {
  const whole = `${word}g`;
  return isTerm(whole.toLowerCase()) || isOfCourse(whole) ? whole : word;
}

/** Whether a question repeats the last one for another subject, metric or time: `and payments?`, `last 2 hours?` */
export function goesOn(question: string, isTimed: boolean): boolean {
  return GOES_ON.test(question) || (isTimed && question.split(' ').length <= 5);
}

export function subjectAfter(turn: Turn, tools: Subject['tools']): Subject {
  return Subject.parse({ ...turn, metric: turn.metric?.label ?? null, tools });
}

/**
 * Infers a service, an issue and a time from the discussion before a question and the errors in its attachments, as
 * from an earlier question. Returns what was before if they name nothing.
 *
 * @param knows whether an issue of that number exists: people number other things too
 */
export async function inferSubject(
  { said, files }: Pick<Asked, 'said' | 'files'>,
  before: Subject | null,
  directory: readonly Known[],
  now: number,
  knows: (issue: number) => Promise<boolean>,
): Promise<Subject | null> {
  let found = before;
  const services = directory.map(({ name }) => name);
  const about = (more: Partial<Subject>): Subject => ({
    ...(found ?? subjectAfter(understand('', null, directory, now), [])),
    ...more,
  });
  const errors = files.flatMap(({ text }) => errorLines(text).slice(0, MOST_LINES));
  const [inFile] = namedIn(errors.map(({ text }) => text).join('\n'), services);
  if (inFile?.score === 1)
    found = about({ services: [inFile.service], number: null, context: null, subjectSource: 'file' });
  for (const { text } of said.slice(-MOST_SAID)) {
    const number = numberIn(text);
    const isKnown = number !== null && (await knows(number));
    const named = number === null || isKnown ? strongest(text, services) : [];
    if (isKnown || named.length > 0)
      found = about({ services: named, number, context: null, subjectSource: 'thread' });
    const time = timeIn(text, now);
    if (time !== null) found = about({ ...time, isNow: time.at === now });
  }
  return found;
}

export function namespaceIn(question: string): string | null {
  const found =
    /\bnamespaces?\s+(?:called |named )?[`"']?([a-z0-9][a-z0-9-]*[a-z0-9])/iu.exec(question)?.[1] ??
    /[`"']?([a-z0-9][a-z0-9-]*[a-z0-9])[`"']?\s+namespace\b/iu.exec(question)?.[1] ??
    null;
  return found !== null && /^(?:the|a|this|which|each|every|any|in|is|are|of)$/iu.test(found) ? null : found;
}

function numberIn(question: string): number | null {
  const found = /(?:#|\bissue\s+(?:number\s+)?#?)(\d{1,9})\b/iu.exec(question);
  return found ? Number(found[1]) : null;
}

export interface ErrorLine {
  /** Counted from 1. */
  number: number;
  text: string;
}

const ERROR =
  /\b(?:error|err|fatal|panic|critical|crit|severe|emerg|exception|traceback|failed|failure|refused|killed|oom|out of memory)\b|\b\w+(?:Error|Exception)\b|"(?:level|severity)":\s*"(?:error|fatal|critical)"/iu;
/** Phrases that report an error count of zero. */
const NO_ERROR =
  /\b(?:no|0|zero|without) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s*[:=]\s*0\b/iu;

export function errorLines(text: string): ErrorLine[] {
  return linesOf(text).filter((line) => ERROR.test(line.text) && !NO_ERROR.test(line.text));
}

export function linesOf(text: string): ErrorLine[] {
  return text
    .split('\n')
    .map((line, i) => ({ number: i + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}
