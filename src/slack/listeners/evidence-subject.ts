import { z } from 'zod';
import type { EvidenceEntry, EvidencePlace } from '../../render/evidence-modal.ts';
import { artifactPlaces } from '../../service/artifact-refs.ts';
import { QueryArtifact } from '../../service/schema/query.ts';
import { InvestigationResults } from '../../service/schema/results.ts';
import { questionOf } from '../../store/artifacts.ts';
import { belongsTo } from './actions/pressed.ts';
import type { ListenerDeps } from './deps.ts';

/** What refers to evidence, as a modal shows it: the results of an issue, or an answer. */
export interface EvidenceSubject {
  number: number | null;
  title: string;
  entries: (EvidenceEntry & { id: string })[];
  /** Where its files go; `null` while it has no thread. */
  thread: { channel: string; threadTs: string } | null;
  issueId: string | null;
}

const QueryArtifacts = z.array(QueryArtifact);

/** `null` where there is no such thing, or not in the channel where somebody asks for it. */
export async function evidenceSubject(
  { owner, version, channel }: Pick<EvidencePlace, 'owner' | 'version' | 'channel'>,
  deps: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const questionId = questionOf(owner);
  return questionId === null ? ofIssue(owner, version, channel, deps) : ofAnswer(questionId, channel, deps);
}

async function ofIssue(
  issueId: string,
  version: number,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const issue = await store.issues.get(issueId);
  if (!issue || !(await belongsTo(issue, channel, { store }))) return null;
  const body = await store.results.get(issueId, version);
  return {
    number: issue.number,
    title: issue.title,
    entries: body === null ? [] : artifactPlaces(InvestigationResults.parse(JSON.parse(body))),
    thread: threadOf(issue.channel, issue.thread_ts),
    issueId,
  };
}

async function ofAnswer(
  questionId: string,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const question = await store.questions.get(questionId);
  const conversation = question ? await store.conversations.get(question.conversation) : null;
  const answer = await store.outbox.get(`answer:${questionId}`);
  if (!question || !conversation) return null;
  // An answer may stand in the asker's direct messages instead: where the bot is no member.
  if (channel !== conversation.channel && channel !== answer?.channel) return null;
  return {
    number: null,
    title: question.text,
    entries: QueryArtifacts.parse(JSON.parse(question.artifacts)).flatMap((found) =>
      found.id === undefined || found.id === ''
        ? []
        : [
            {
              id: found.id,
              use: 'answer' as const,
              title: found.summary ?? '',
              description: '',
              dataType: found.data_type ?? '',
              about: '',
            },
          ],
    ),
    thread: threadOf(conversation.channel, conversation.thread_ts),
    issueId: conversation.issue_id,
  };
}

function threadOf(channel: string, threadTs: string | null): EvidenceSubject['thread'] {
  return threadTs === null ? null : { channel, threadTs };
}
