import { readKept } from '../lib/kept.ts';
import { InvestigationResults } from '../service/schema/results.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Question } from '../store/questions.ts';
import { aboutIssue } from './about-issue.ts';
import { readAskedFiles } from './asked-file.ts';
import { type Composed, composeRequest, type RequestParts } from './compose-request.ts';
import type { ReadFile, Spoken } from './materials.ts';
import type { AnswererOptions } from './options.ts';

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
  conversation: Conversation,
  begins: boolean,
  options: RequestOptions,
): Promise<Composed> {
  const preceding = begins ? await precedingOf(question, conversation, options) : NOTHING;
  return composeRequest({
    ...preceding,
    files: await Promise.all(readAskedFiles(question.files).map((file) => read(file, options))),
    question: await wordsOf(question, conversation, options),
  });
}

const NOTHING: Omit<RequestParts, 'files' | 'question'> = { about: null, talk: [], before: [] };

async function precedingOf(question: Question, conversation: Conversation, options: RequestOptions) {
  const talk = await talkBefore(question, conversation, options);
  const before: RequestParts['before'][number][] = [];
  for (const former of await options.store.questions.answered(conversation.id, REMEMBERED)) {
    before.push({ question: await wordsOf(former, conversation, options), answer: former.answer });
  }
  return { about: await aboutOf(conversation, options), talk, before };
}

async function aboutOf(conversation: Conversation, { store }: RequestOptions): Promise<string | null> {
  const issue = conversation.issue_id === null ? null : await store.issues.get(conversation.issue_id);
  if (!issue) return null;
  const latest = await store.results.latest(issue.id);
  const results = latest ? readKept(InvestigationResults, latest.body) : null;
  return aboutIssue(issue, results?.rootCause?.rootCauseSummary ?? null);
}

// What is read beside a question never keeps it from being asked, whatever becomes of the reading.

async function talkBefore(
  question: Question,
  conversation: Conversation,
  { materials, log }: RequestOptions,
): Promise<Spoken[]> {
  try {
    return await materials.talk(conversation, question);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'a thread could not be read for the agent');
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
    log.warn({ err: error, file: file.id }, 'an attached file could not be read for the agent');
    return { name: file.name, notRead: 'it could not be read' };
  }
}

async function wordsOf(
  question: Question,
  conversation: Conversation,
  { materials, log }: RequestOptions,
): Promise<string> {
  try {
    return await materials.words(conversation, question);
  } catch (error) {
    log.warn({ err: error, question: question.id }, 'the people whom a question names could not be read');
    return question.text.replace(/<@[UW][A-Z0-9]+(?:\|[^>]*)?>/gu, '@someone');
  }
}
