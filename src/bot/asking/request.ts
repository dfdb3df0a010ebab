import type { QueryThread, ServiceOwner } from '../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { issueNumber, mayBeNamedIn } from '../shared/issue-number.ts';
import type { Issue } from '../store/issues.ts';
import type { Question } from '../store/questions.ts';
import type { AnswererOptions, ReadFile, ThreadMessage } from './agent-context.ts';
import type { Asking } from './organization.ts';
import { readAskedFiles } from './question.ts';

/** So many questions and answers remind a service of a conversation that it has forgotten. */
const REMEMBERED = 5;

type RequestOptions = Pick<AnswererOptions, 'store' | 'materials' | 'log'>;

/**
 * What is sent to the agent.
 *
 * @param begins the first question of its conversation: the service is also given what precedes it in the thread
 */
export async function requestFor(
  question: Question,
  conversation: Asking,
  begins: boolean,
  options: RequestOptions,
): Promise<Composed> {
  const ofThread = await issueOf(conversation, options);
  const mayBeTold = ofThread === null || mayBeNamedIn(ofThread.organization, conversation.organization);
  const issue = begins ? ofThread : null;
  const isPending = issue !== null && !mayBeTold;
  const preceding =
    begins && !isPending ? await precedingOf(question, conversation, issue, options) : NOTHING;
  const about = preceding.about ?? (await lookedAtBy(question, conversation, begins, options));
  const composed = composeRequest({
    ...preceding,
    about,
    files: await Promise.all(readAskedFiles(question.files).map((file) => read(file, options))),
    question: await questionText(question, conversation, options),
    owners: await ownersOf(mayBeTold ? ofThread : null, question, conversation, options),
  });
  return isPending ? { ...composed, notRead: withPending(issue, composed.notRead) } : composed;
}

/** Issues of the private organization are not passed to the default organization's agent. */
function withPending(issue: Issue, notRead: string | null): string {
  const number = issueNumber(issue);
  const name = number === null ? 'the issue of this thread' : `#${number}`;
  const refusal = `I cannot ask about ${name} here: it belongs to the organization for private channels.`;
  return notRead === null ? refusal : `${refusal} ${notRead}`;
}

const NOTHING: Omit<RequestParts, 'files' | 'question'> = { about: null, talk: [], before: [] };

async function precedingOf(
  question: Question,
  conversation: Asking,
  issue: Issue | null,
  options: RequestOptions,
) {
  const talk = await talkBefore(question, conversation, options);
  const before: RequestParts['before'][number][] = [];
  for (const former of await options.store.questions.answered(conversation.id, REMEMBERED)) {
    before.push({ question: await questionText(former, conversation, options), answer: former.answer });
  }
  return { about: issue === null ? null : await aboutOf(issue, conversation, options), talk, before };
}

async function issueOf({ issueId: id }: Asking, { store }: RequestOptions): Promise<Issue | null> {
  return id === null ? null : store.issues.get(id);
}

/**
 * What the asker has open in Slack beside the question: sent with the first question there, and again once it is
 * something else. A thread that is about an issue is about nothing else.
 */
async function lookedAtBy(
  question: Question,
  conversation: Asking,
  begins: boolean,
  options: RequestOptions,
): Promise<IssueAbout | null> {
  if (question.lookingAt === null || conversation.issueId !== null) return null;
  const [before] = begins ? [] : await options.store.questions.before(question, 1);
  if (before?.lookingAt === question.lookingAt) return null;
  try {
    const issue = await options.materials.lookedAt(conversation, question);
    if (issue === null || !mayBeNamedIn(issue.organization, conversation.organization)) return null;
    return await aboutOf(issue, conversation, options, 'Open in Slack beside this question is');
  } catch (error) {
    options.log.warn(
      { err: error, question: question.id },
      'sending a question without what its author has open',
    );
    return null;
  }
}

/** The number of an issue means something only to the organization that it is of. */
async function aboutOf(
  issue: Issue,
  { organization }: Asking,
  { store }: RequestOptions,
  how: IssueAbout['how'] = 'This is about',
): Promise<IssueAbout> {
  const found = (await store.results.newest(issue.id))?.rootCause;
  const number = issue.organization === organization ? issue.number : null;
  const rootCause = (found?.isUnexplained !== true && found?.rootCauseSummary) || null;
  return { ...issue, number, rootCause, how };
}

// A question is asked even if what goes with it cannot be read.

async function talkBefore(
  question: Question,
  conversation: Asking,
  { materials, log }: RequestOptions,
): Promise<ThreadMessage[]> {
  try {
    return await materials.talk(conversation, question);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'could not read a thread for the agent');
    return [];
  }
}

async function ownersOf(
  issue: Issue | null,
  question: Question,
  conversation: Asking,
  { materials, log }: RequestOptions,
): Promise<ServiceOwner[]> {
  try {
    return await materials.owners(conversation, question, issue);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'could not look up owners for the agent');
    return [];
  }
}

async function read(
  file: Parameters<AnswererOptions['materials']['file']>[0],
  { materials, log }: RequestOptions,
): Promise<ReadFile> {
  try {
    return await materials.file(file);
  } catch (error) {
    log.warn({ err: error, file: file.id }, 'could not read an attached file for the agent');
    return { name: file.name, notRead: 'it could not be read' };
  }
}

async function questionText(
  question: Question,
  conversation: Asking,
  { materials, log }: RequestOptions,
): Promise<string> {
  try {
    return asTheServiceCounts(await materials.words(conversation, question), conversation);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'could not look up the people mentioned in a question');
    return question.text
      .replace(/<@[UW][A-Z0-9]+(?:\|[^>]*)?>/gu, '@someone')
      .replace(/<#[CG][A-Z0-9]+(?:\|[^>]*)?>/gu, 'a channel');
  }
}

/** The agent of private channels knows `#P12` as `#12`. */
function asTheServiceCounts(words: string, { organization }: Asking): string {
  if (organization !== 'private') return words;
  return words.replace(/(?<![\w#])(#|issue\s+#?)p(?=\d{1,15}\b)/giu, '$1');
}

/** What a request to the agent is made of. All of it is text from outside. */
export interface RequestParts {
  /** What the thread is about; `null` for nothing in particular. */
  about: IssueAbout | null;
  /** What people said in the thread before, oldest first. */
  talk: readonly ThreadMessage[];
  /** What the agent was asked before and has forgotten, oldest first. */
  before: readonly { question: string; answer: string }[];
  files: readonly ReadFile[];
  question: string;
  /** Sent as data alone. */
  owners?: readonly ServiceOwner[];
}

/** What goes to the agent. */
export interface Composed {
  words: string;
  /** The same as data; `null` where nothing precedes the question. */
  thread: QueryThread | null;
  /** The files that do not go along, each with its reason; untrusted. `null` if all do. */
  notRead: string | null;
}

const MAX_TALK = 8_000;
const MAX_MESSAGE = 4_000;
const MAX_SPEAKER = 80;
const MAX_FORMER_QUESTION = 500;
const MAX_FORMER_ANSWER = 1_500;
const MAX_FILE_NAME = 200;
const KB = 1_024;
const MAX_FILE_BYTES = 50 * KB;
const MAX_FILES_BYTES = 100 * KB;
const MAX_BYTES = 160 * KB;

/**
 * The words that go to the agent: the question alone where nothing precedes it; else each part, separated by blank
 * lines, and the question last, after a line `The question:`, which occurs nowhere before it.
 *
 * What does not fit is left out, the files first; the question is never cut.
 */
export function composeRequest({
  about,
  talk,
  before,
  files,
  question,
  owners = [],
}: RequestParts): Composed {
  const parts: string[] = [];
  let bytes = sizeOf(question);
  const taken = (part: string | null): boolean => {
    if (part === null || bytes + sizeOf(part) > MAX_BYTES) return false;
    parts.push(part);
    bytes += sizeOf(part);
    return true;
  };
  const said = linesSaid(talk);
  const asked = before.map(former);
  const issue = about !== null && taken(aboutIssue(about)) ? dataOf(about) : null;
  const isSaid = said.length > 0 && taken(['Said in this thread before:', ...said.map(saidLine)].join('\n'));
  const isAsked =
    asked.length > 0 &&
    taken(
      [
        'Asked and answered before:',
        ...asked.map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`),
      ].join('\n'),
    );
  const { read, notRead } = filesThatFit(files, MAX_BYTES - bytes);
  parts.push(...read.map(({ name, text }) => `Attached file ${name}:\n${text}`));
  if (notRead !== null) parts.push(notRead);
  if (parts.length === 0 && owners.length === 0) return { words: question, thread: null, notRead };
  const precedes = { said: isSaid ? said : [], asked: isAsked ? asked : [], files: read };
  return {
    words:
      parts.length === 0
        ? question
        : [...parts.map(withoutOurLine), `The question:\n${question}`].join('\n\n'),
    thread: { question, issue, ...precedes, ...(owners.length > 0 && { owners: [...owners] }) },
    notRead,
  };
}

type Said = QueryThread['said'][number];
type Former = QueryThread['asked'][number];

/** Each line begins with its speaker, so that nobody's text can pass for another part of the prompt. */
function linesSaid(talk: readonly ThreadMessage[]): Said[] {
  const messages: Said[][] = [];
  let length = 0;
  for (const { speaker, text } of talk.toReversed()) {
    const name = cutAtWord(oneLine(speaker), MAX_SPEAKER);
    const message = linesOf(cutAtWord(text, MAX_MESSAGE)).map((line) => ({ speaker: name, text: line }));
    length += message.map(saidLine).join('\n').length + 1;
    if (length > MAX_TALK) break;
    messages.unshift(message);
  }
  return messages.flat();
}

function saidLine({ speaker, text }: Said): string {
  return `${speaker}: ${text}`;
}

function former({ question, answer }: RequestParts['before'][number]): Former {
  return {
    question: cutAtWord(oneLine(question), MAX_FORMER_QUESTION),
    answer: linesOf(cutAtWord(answer, MAX_FORMER_ANSWER)).join('\n'),
  };
}

function filesThatFit(
  files: readonly ReadFile[],
  room: number,
): { read: QueryThread['files']; notRead: string | null } {
  const read: QueryThread['files'] = [];
  const notRead: string[] = [];
  let left = Math.min(room, MAX_FILES_BYTES);
  for (const file of files) {
    const name = cutAtWord(oneLine(file.name), MAX_FILE_NAME);
    const taken = 'text' in file ? fits(file.text, left) : file.notRead;
    if (taken !== null) {
      notRead.push(`${name} (${taken})`);
    } else if ('text' in file) {
      read.push({ name, text: file.text.trimEnd() });
      left -= sizeOf(file.text);
    }
  }
  return { read, notRead: notRead.length === 0 ? null : `Not read: ${notRead.join(', ')}` };
}

/** Why a file's text does not go along; `null` if it does. */
function fits(text: string, left: number): string | null {
  const bytes = sizeOf(text);
  if (bytes > MAX_FILE_BYTES) return 'larger than 50 kB';
  return bytes > left ? 'too much together with the rest' : null;
}

/** Lines without the blank ones. */
function linesOf(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

function withoutOurLine(part: string): string {
  return part.replace(/^(?=The question:[^\S\n]*$)/gmu, ' ');
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

const MAX_ROOT_CAUSE = 1_000;

/** What is sent to the agent about an issue. */
export interface IssueAbout extends Pick<Issue, 'number' | 'title' | 'environment' | 'status' | 'service'> {
  rootCause: string | null;
  /** The words before its number. */
  how: 'This is about' | 'Open in Slack beside this question is';
}

/** Without a number it means nothing to the service. */
function dataOf({ number, title, service, rootCause }: IssueAbout): QueryThread['issue'] {
  if (number === null) return null;
  const cause = rootCause === null ? null : cutAtWord(oneLine(rootCause), MAX_ROOT_CAUSE);
  return {
    number,
    title: oneLine(title),
    service: service === null ? null : oneLine(service),
    root_cause: cause,
  };
}

function aboutIssue({ number, title, environment, status, service, rootCause, how }: IssueAbout): string {
  return [
    `${how} issue #${number ?? '?'}: ${oneLine(title)}`,
    `Environment: ${oneLine(environment)}. Status: ${oneLine(status)}.${service ? ` Service: ${oneLine(service)}.` : ''}`,
    ...(rootCause ? [`Root cause: ${cutAtWord(oneLine(rootCause), MAX_ROOT_CAUSE)}`] : []),
  ].join('\n');
}
