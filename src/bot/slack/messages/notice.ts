import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { askHere } from '../../render/asking/ask-here.ts';
import {
  endedWithoutResults,
  investigationFailed,
  type NoticeIssue,
  takesLong,
} from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import type { ContentSource } from './source.ts';
import { beforeItsCard } from './thread.ts';

type Notice = Payload<'notice'>['notice'];

export const notice: ContentSource = async (row, { store, simulated }) => {
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  if (!issue) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const about = { number: issueNumber(issue) ?? 0, title: displayName(issue), simulated };
  const { notice: which } = payloadOf('notice', row);
  return {
    kind: 'messages',
    parts: [rendered(which, about)],
    channel: issue.channel,
    threadTs: issue.threadTs,
  };
};

function rendered(which: Notice, issue: NoticeIssue): Rendered {
  switch (which) {
    case 'nothing':
      return endedWithoutResults(issue);
    case 'failed':
      return investigationFailed(issue);
    case 'slow':
      return takesLong(issue);
    case 'ask_here':
      return askHere(issue);
  }
}
