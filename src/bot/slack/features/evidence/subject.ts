import { InvestigationResults } from '../../../../contract/answers.ts';
import { artifactPlaces } from '../../../../contract/client/artifact-refs.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import { displayName } from '../../../../lib/display-name.ts';
import { type IssueNumber, issueNumber, type Organization } from '../../../../lib/issue-number.ts';
import { artifactsOf } from '../../../asking/answer-artifacts.ts';
import { type Readers, readersOf } from '../../../asking/readers.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import type { EvidenceEntry, EvidencePlace } from '../../../render/evidence/evidence-modal.ts';
import { questionOf } from '../../../store/artifacts.ts';
import { isPermitted } from '../../access/issue-rights.ts';
import { presenceOf } from '../../access/presence.ts';
import { ourQuestion } from '../../access/question-access.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** What the evidence belongs to: the results of an issue, or an answer. */
export interface EvidenceSubject {
  number: IssueNumber | null;
  title: string;
  entries: (EvidenceEntry & { id: string })[];
  /** Where files are uploaded; `null` while there is no thread. */
  thread: { channel: string; threadTs: string } | null;
  issueId: string | null;
  /** The channel of the issue or answer. */
  home: string;
  /** Who it was checked for; `null` for an issue's evidence, which anybody in its channel may see. */
  readers: Readers | null;
  /** The organisation that issue numbers in its texts refer to. */
  organization: Organization;
}

/** `null` if it does not exist, or not in the channel that the request came from. */
export async function evidenceSubject(
  { owner, version, channel }: Pick<EvidencePlace, 'owner' | 'version' | 'channel'>,
  deps: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const questionId = questionOf(owner);
  return questionId === null ? ofIssue(owner, version, channel, deps) : ofAnswer(questionId, channel, deps);
}

/** Whether somebody may open this page. Evidence of a private channel is only for its current members. */
export async function mayRead(
  place: EvidencePlace,
  userId: string,
  deps: Pick<ListenerDeps, 'store' | 'client'>,
): Promise<boolean> {
  const subject = await evidenceSubject(place, deps);
  if (subject === null || (await mayBeShownIn(deps.store, subject.home, ''))) return true;
  return (await presenceOf(userId, place.channel, deps)) === 'there';
}

async function ofIssue(
  issueId: string,
  version: number,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const issue = await store.issues.get(issueId);
  if (!issue || !(await isPermitted('evidence', issue, channel, { store }))) return null;
  const body = await store.results.get(issueId, version);
  const results = body === null ? null : decodeStored(InvestigationResults, body);
  return {
    number: issueNumber(issue),
    title: displayName(issue),
    entries: results === null ? [] : artifactPlaces(results),
    thread: threadOf(issue.channel, issue.threadTs),
    issueId,
    home: issue.channel,
    readers: null,
    organization: issue.organization,
  };
}

async function ofAnswer(
  questionId: string,
  channel: string,
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<EvidenceSubject | null> {
  const found = await ourQuestion(questionId, channel, { store });
  if (found === null) return null;
  const { question, conversation } = found;
  return {
    number: null,
    title: question.text,
    entries: artifactsOf(question).flatMap((found) =>
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
    thread: threadOf(conversation.channel, conversation.threadTs),
    issueId: conversation.issueId,
    home: conversation.channel,
    readers: readersOf({ channel, asker: question.asker }),
    organization: conversation.organization ?? 'default',
  };
}

function threadOf(channel: string, threadTs: string | null): EvidenceSubject['thread'] {
  return threadTs === null ? null : { channel, threadTs };
}
