import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { issueNumber, mayBeToldTo } from '../../lib/issue-number.ts';
import type { Issue } from '../store/issues.ts';
import type { Question } from '../store/questions.ts';
import { aboutIssue } from './about-issue.ts';
import type { ReadFile, ThreadMessage } from './agent-context.ts';
import { readAskedFiles } from './asked-file.ts';
import { type Composed, composeRequest, type RequestParts } from './compose-request.ts';
import type { AnswererOptions } from './options.ts';
import type { Asking } from './organization.ts';

/** So many questions and answers remind a service of a conversation that it has forgotten. */
const REMEMBERED = 5;

type RequestOptions = Pick<AnswererOptions, 'store' | 'materials' | 'log'>;

/**
 * What the agent is told (DESIGN section 4, *Asking*).
 *
 * @param begins it is the first that the service hears of the conversation, which therefore is told what precedes it
 */
export async function requestFor(
  question: Question,
  conversation: Asking,
  begins: boolean,
  options: RequestOptions,
): Promise<Composed> {
  const issue = begins ? await issueOf(conversation, options) : null;
  const isUntold = issue !== null && !mayBeToldTo(issue.organization, conversation.organization);
  const preceding = begins && !isUntold ? await precedingOf(question, conversation, issue, options) : NOTHING;
  const about = preceding.about ?? (await lookedAtBy(question, conversation, begins, options));
  const composed = composeRequest({
    ...preceding,
    about,
    files: await Promise.all(readAskedFiles(question.files).map((file) => read(file, options))),
    question: await wordsOf(question, conversation, options),
  });
  return isUntold ? { ...composed, notRead: withUntold(issue, composed.notRead) } : composed;
}

/** Issues of the private organisation are not passed to the default organisation's agent. */
function withUntold(issue: Issue, notRead: string | null): string {
  const number = issueNumber(issue);
  const name = number === null ? 'the issue of this thread' : `#${number}`;
  const untold = `I cannot ask about ${name} here: it belongs to the organisation for private channels.`;
  return notRead === null ? untold : `${untold} ${notRead}`;
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
    before.push({ question: await wordsOf(former, conversation, options), answer: former.answer });
  }
  return { about: issue === null ? null : await aboutOf(issue, conversation, options), talk, before };
}

async function issueOf({ issueId: id }: Asking, { store }: RequestOptions): Promise<Issue | null> {
  return id === null ? null : store.issues.get(id);
}

/**
 * What the asker has open in Slack beside the question: told with the first that they ask there, and again once it is
 * something else. A thread that is about an issue is about nothing else.
 */
async function lookedAtBy(
  question: Question,
  conversation: Asking,
  begins: boolean,
  options: RequestOptions,
): Promise<string | null> {
  if (question.lookingAt === null || conversation.issueId !== null) return null;
  const [before] = begins ? [] : await options.store.questions.before(question, 1);
  if (before?.lookingAt === question.lookingAt) return null;
  try {
    const issue = await options.materials.lookedAt(conversation, question);
    if (issue === null || !mayBeToldTo(issue.organization, conversation.organization)) return null;
    return await aboutOf(issue, conversation, options, 'Open in Slack beside this question is');
  } catch (error) {
    options.log.warn(
      { err: error, question: question.id },
      'a question goes without what its asker looks at',
    );
    return null;
  }
}

/** The number of an issue means something only to the organisation that it is of. */
async function aboutOf(
  issue: Issue,
  { organization }: Asking,
  { store }: RequestOptions,
  how?: string,
): Promise<string> {
  const latest = await store.results.latest(issue.id);
  const results = latest ? decodeStored(InvestigationResults, latest.body) : null;
  const number = issue.organization === organization ? issue.number : null;
  return aboutIssue({ ...issue, number }, results?.rootCause?.rootCauseSummary ?? null, how);
}

// What is read beside a question never keeps it from being asked, whatever becomes of the reading.

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

async function wordsOf(
  question: Question,
  conversation: Asking,
  { materials, log }: RequestOptions,
): Promise<string> {
  try {
    return asTheServiceCounts(await materials.words(conversation, question), conversation);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'could not look up the people mentioned in a question');
    return question.text.replace(/<@[UW][A-Z0-9]+(?:\|[^>]*)?>/gu, '@someone');
  }
}

/** The agent of private channels knows `#P12` as `#12`. */
function asTheServiceCounts(words: string, { organization }: Asking): string {
  if (organization !== 'private') return words;
  return words.replace(/(?<![\w#])(#|issue\s+#?)p(?=\d{1,15}\b)/giu, '$1');
}
