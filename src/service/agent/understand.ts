import { PROFILES, type Profile } from '../investigation/anomalies.ts';
import { namedIn } from '../investigation/names.ts';
import type { Window } from '../telemetry/model.ts';
import { withoutNames } from './without-names.ts';
import { mended } from './wording.ts';

/** What the lines before a question say about its issue. */
interface ThreadIssue {
  number: number;
  title: string;
  service: string | null;
  rootCause: string | null;
}

/** A text file attached to a question. */
export interface AttachedFile {
  name: string;
  text: string;
}

/** A question, and the context that precedes it in the same text. */
interface ParsedQuestion {
  question: string;
  issue: ThreadIssue | null;
  /** What people said in the thread, one line each. */
  talk: string[];
  /** What was asked in an earlier conversation. */
  asked: string[];
  files: AttachedFile[];
}

const ASKS = /^The question:[^\S\n]*$/gmu;
const FILE = /(?:^|\n\n)Attached file ([^\n]+):\n/gu;
const NOT_READ = /(?:^|\n\n)Not read: [^\n]*$/u;
/** What stands before a question, in characters: Gumshoe sends 160 KB at most. */
const MOST_BEFORE = 200_000;
/** Each line of a discussion is understood as a question is; the last ones say what it is about. */
const MOST_TALK = 200;
const TALK = 'Said in this thread before:';
const ASKED = 'Asked and answered before:';

/**
 * Parses a question as composed by Gumshoe: it follows the last line `The question:`. Without that line the whole text
 * is the question, or only its last paragraph if an earlier one describes an issue.
 */
export function parseQuestion(text: string): ParsedQuestion {
  const mark = [...text.matchAll(ASKS)].at(-1);
  if (mark === undefined) return { ...plainly(text), talk: [], asked: [], files: [] };
  const question = text.slice(mark.index + mark[0].length).trim();
  const before = text.slice(0, Math.min(mark.index, MOST_BEFORE)).trimEnd();
  const starts = [...before.matchAll(FILE)];
  const files = starts.map((start, i) => ({
    name: start[1] ?? '',
    text: before.slice(start.index + start[0].length, starts[i + 1]?.index).replace(NOT_READ, ''),
  }));
  const parts = before.slice(0, starts[0]?.index).split(/\n\n+/u);
  const asked = linesAfter(ASKED, parts).flatMap((line) => /^Question: (.+)$/u.exec(line)?.[1] ?? []);
  return { question, issue: issueIn(parts[0] ?? ''), talk: linesAfter(TALK, parts), asked, files };
}

function plainly(text: string): Pick<ParsedQuestion, 'question' | 'issue'> {
  const paragraphs = text.trim().split(/\n\s*\n/u);
  const issue = issueIn(paragraphs.slice(0, -1).join('\n'));
  return { question: (issue ? (paragraphs.at(-1) ?? '') : text).trim(), issue };
}

function linesAfter(heading: string, parts: readonly string[]): string[] {
  const part = parts.find((one) => one.startsWith(`${heading}\n`));
  return part === undefined ? [] : part.split('\n').slice(1).slice(-MOST_TALK);
}

function issueIn(text: string): ThreadIssue | null {
  const about = /^.*?issue #(\d+)[:\s]*(.*)$/imu.exec(text);
  if (about === null) return null;
  return {
    number: Number(about[1]),
    title: about[2] ?? '',
    service: /\bservice:\s*([\w.-]+\w)/iu.exec(text)?.[1] ?? null,
    rootCause: /^root cause:\s*(.+)$/imu.exec(text)?.[1] ?? null,
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const EVERYTHING =
  /\b(?:everything|everyone|anything|overall|all services|(?:the )?(?:shop|system|site|cluster|platform))\b/iu;
/** Openings of a question that repeats the last one for another subject or time. */
export const GOES_ON = /^\W*(?:and|what about|how about)\b/iu;
/** References to the time named before. */
const THAT_TIME = /\b(?:at|around|about|before|since|after|until) (?:that time|then)\b/iu;
const UNITS: readonly [RegExp, number][] = [
  [/^m/iu, MINUTE],
  [/^h/iu, HOUR],
  [/^d/iu, 24 * HOUR],
  [/^w/iu, 7 * 24 * HOUR],
];
const LONGEST = 7 * 24 * HOUR;

/** Asks for a comparison with the past, and is about now. */
export const COMPARES = /\bcompar|\b(?:than|as|like|vs\.?|versus) (?:yesterday|last week)\b/iu;

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

export function expectsOf(question: string): Expects {
  if (!isYesNo(question)) return null;
  return /\b(?:over|recover(?:ed)?|resolved?|fixed|cleared|gone|stop(?:ped)?|ended?|back to normal|healthy|ready|running|bound|good|ok|okay|al(?:l )?right|well|normal|fine|better|improving|up|working|stable|alive|reachable)\b/iu.test(
    question,
  ) && !/\bstill (?!ok|okay|fine|healthy|up)/iu.test(question)
    ? 'over'
    : 'ongoing';
}

/** A question, completed from the conversation before it. */
export interface Turn {
  /** The question alone, without the lines that describe an issue, and with its spelling mended. */
  question: string;
  /** The same with the names in it taken out, as `·`: a name is no word of the sentence. */
  words: string;
  /** Services named in this question, and those it is about. */
  named: readonly string[];
  services: readonly string[];
  /** The issue number named in this question, and that of the issue it is about. */
  numberNamed: number | null;
  number: number | null;
  /** The issue of the thread, if the question names another one. */
  threadNumber: number | null;
  /** What the lines before the question say about the issue. */
  context: { title: string; rootCause: string | null; services: readonly string[] } | null;
  /** The metric named in this question, and the one it is about. */
  metricNamed: Profile | null;
  metric: Profile | null;
  /** Whether this question names a time. */
  timed: boolean;
  /** The window it is about; the last hour by default. */
  window: Window;
  /** The moment it is about: now, or the time of day that it names. */
  at: number;
  /** Whether this question has attachments, and the files it may be about. */
  attached: boolean;
  files: readonly AttachedFile[];
  /** Where the subject was inferred from; `null` if the question stated it. */
  subjectSource: 'thread' | 'file' | null;
}

/** Inputs for reading a question, besides the previous turn. */
interface QuestionExtras {
  issue: ParsedQuestion['issue'];
  files: ParsedQuestion['files'];
}
const NOTHING: QuestionExtras = { issue: null, files: [] };

/** A question is understood by its beginning: what is longer is a log, or was pasted by mistake. */
const MOST_CHARACTERS = 4_000;

/** Reads a question in the context of the previous turn: what it does not name stays the same. */
export function understand(
  text: string,
  before: Turn | null,
  services: readonly string[],
  now: number,
  { issue: context, files }: QuestionExtras = NOTHING,
): Turn {
  const question = mended(text.slice(0, MOST_CHARACTERS).replaceAll(/\s+/gu, ' ').trim(), services);
  const numberNamed = numberIn(question);
  const named = strongest(question, services);
  const metricNamed = profileIn(withoutNames(question, services));
  // Naming a service, an issue or everything starts a new subject; continuing with "and" keeps the time.
  const isNewSubject =
    named.length > 0 || numberNamed !== null || context !== null || EVERYTHING.test(question);
  const from = isNewSubject ? null : before;
  const time = timeIn(question, now);
  const threadNumber = context?.number ?? before?.threadNumber ?? null;
  // In an issue's thread, what names nothing is about the issue, unless it goes on about something else.
  const returns = from !== null && threadNumber !== null && !goesOn(question, time !== null);
  const number = numberNamed ?? threadNumber ?? from?.number ?? null;
  const contextServices = context
    ? strongest(context.service ?? `${context.title} ${context.rootCause ?? ''}`, services)
    : [];
  const last = { window: { from: now - HOUR, to: now }, at: now };
  const keepsTime = GOES_ON.test(question) || THAT_TIME.test(question);
  const { window, at } = time ?? (before && keepsTime ? before : last);
  return {
    question,
    words: withoutNames(question, services),
    named,
    services: named.length > 0 || numberNamed !== null || returns ? named : (from?.services ?? []),
    numberNamed,
    number,
    threadNumber,
    context: context
      ? { title: context.title, rootCause: context.rootCause, services: contextServices }
      : number === before?.number
        ? before.context
        : null,
    metricNamed,
    metric: metricNamed ?? before?.metric ?? null,
    timed: time !== null,
    window,
    at,
    attached: files.length > 0,
    files: files.length > 0 ? files : (before?.files ?? []),
    subjectSource: from?.subjectSource ?? null,
  };
}

/** Whether a question repeats the last one for another subject, metric or time: `and payments?`, `last 2 hours?` */
export function goesOn(question: string, isTimed: boolean): boolean {
  return GOES_ON.test(question) || (isTimed && question.split(' ').length <= 5);
}

/**
 * Infers a service, an issue and a time from the discussion before a question and the errors in its attachments, as
 * from an earlier question. Returns the previous turn if they name nothing.
 *
 * @param knows whether an issue of that number exists: people number other things too
 */
export async function inferSubject(
  { talk, files }: Pick<ParsedQuestion, 'talk' | 'files'>,
  before: Turn | null,
  services: readonly string[],
  now: number,
  knows: (issue: number) => Promise<boolean>,
): Promise<Turn | null> {
  let subject = subjectOfErrors(files, before, services, now);
  let time = before;
  for (const line of talk.map(withoutSpeaker)) {
    const turn = understand(line, subject, services, now);
    const isSubject = turn.numberNamed === null ? turn.named.length > 0 : await knows(turn.numberNamed);
    if (isSubject) subject = { ...turn, subjectSource: 'thread' };
    if (turn.timed) time = turn;
  }
  if (subject === null && time === null) return null;
  const turn = subject ?? understand('', null, services, now);
  return { ...turn, metric: before?.metric ?? null, ...(time && { window: time.window, at: time.at }) };
}

/** The first service that the errors in a file name in full. */
function subjectOfErrors(
  files: ParsedQuestion['files'],
  before: Turn | null,
  services: readonly string[],
  now: number,
): Turn | null {
  const errors = files.flatMap(({ text }) => errorLines(text).slice(0, MOST_LINES));
  const [first] = namedIn(errors.map(({ text }) => text).join('\n'), services);
  if (first?.score !== 1) return before;
  const turn = before ?? understand('', null, services, now);
  return { ...turn, services: [first.service], number: null, context: null, subjectSource: 'file' };
}

function withoutSpeaker(line: string): string {
  return line.replace(/^[^:]{1,80}: /u, '');
}

function numberIn(question: string): number | null {
  const found = /(?:#|\bissue\s+(?:number\s+)?#?)(\d{1,9})\b/iu.exec(question);
  return found ? Number(found[1]) : null;
}

/** The best matches: services named in part give way to those named in full. */
export function strongest(text: string, services: readonly string[]): string[] {
  const found = namedIn(text, services);
  const best = found[0]?.score ?? 0;
  const chosen = found.filter(({ score }) => score === best).map(({ service }) => service);
  return best === 1 ? chosen : chosen.slice(0, 1);
}

/**
 * `now`, `last 30 minutes`, `between 13:40 and 14:05`, `before 14:05`, `since 13:40`, `at 14:00`; `null` if it names no
 * time.
 */
function timeIn(question: string, now: number): Pick<Turn, 'window' | 'at'> | null {
  // Yesterday's times all end at midnight.
  const isOfYesterday = /\byesterday\b/iu.test(question) && !COMPARES.test(question);
  const latest = isOfYesterday ? Math.floor(now / (24 * HOUR)) * 24 * HOUR : now;
  const span = /\b(?:between|from)\s+(\d{1,2}):(\d\d)\s+(?:and|to|until)\s+(\d{1,2}):(\d\d)\b/iu.exec(
    question,
  );
  if (span) {
    const to = timeToday(Number(span[3]), Number(span[4]), latest);
    const from = timeToday(Number(span[1]), Number(span[2]), to);
    return { window: { from, to }, at: to };
  }
  const clock = /\b(before|until|since|after|at|around)\s+(\d{1,2}):(\d\d)\b/iu.exec(question);
  if (clock) {
    const at = timeToday(Number(clock[2]), Number(clock[3]), latest);
    const word = clock[1]?.toLowerCase() ?? '';
    if (['since', 'after'].includes(word)) return { window: { from: at, to: now }, at: now };
    if (['before', 'until'].includes(word)) return { window: { from: at - HOUR, to: at }, at };
    return { window: { from: at - HOUR, to: Math.min(now, at + HOUR / 2) }, at };
  }
  if (latest < now) return { window: { from: latest - 24 * HOUR, to: latest }, at: latest };
  if (/\b(?:today|since midnight)\b/iu.test(question))
    return { window: { from: Math.floor(now / (24 * HOUR)) * 24 * HOUR, to: now }, at: now };
  if (/\b(?:now|currently|at the moment)\b/iu.test(question))
    return { window: { from: now - HOUR, to: now }, at: now };
  const length =
    /\b(?:(?:last|past|previous)\s+(\d+)?|(?:since|for|over(?: the)?|within)\s+(\d+))\s*(m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?|days?|d|weeks?)\b/iu.exec(
      question,
    );
  if (!length) return null;
  const unit = UNITS.find(([pattern]) => pattern.test(length[3] ?? ''))?.[1] ?? HOUR;
  const spoken = Math.min(LONGEST, Math.max(5 * MINUTE, Number(length[1] ?? length[2] ?? 1) * unit));
  return { window: { from: now - spoken, to: now }, at: now };
}

/** The last occurrence of that time of day (UTC) before now. */
function timeToday(hours: number, minutes: number, now: number): number {
  const midnight = Math.floor(now / (24 * HOUR)) * 24 * HOUR;
  const at = midnight + (hours * 60 + minutes) * MINUTE;
  return at > now ? at - 24 * HOUR : at;
}

/** A line of a file that reports a problem. */
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
