import type { ModalView } from '@slack/types';
import type { IssueNumber } from '../../../lib/issue-number.ts';
import type { LeftInSlack } from '../../store/erasure.ts';
import { literal } from '../escape.ts';
import { fitModal } from '../modal.ts';
import { context, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { type NamedIssue, named } from './issue-sentences.ts';

const TITLE = 'Delete an issue';

/** Asks before an issue is deleted; `metadata` says which, and is checked when it is sent. */
export function askToDelete(issue: NamedIssue, metadata: string, left: LeftInSlack | null): ModalView {
  return fitModal({
    callbackId: viewIds.deleteIssue,
    title: TITLE,
    submit: 'Delete',
    close: 'Keep it',
    privateMetadata: metadata,
    blocks: [
      section(`Delete ${named(issue)} for good?`),
      section(
        'The service deletes it with everything that it found, for everybody, and it cannot be brought back. ' +
          'What I keep of it goes too: its title, the text of its alerts, results, evidence, and the questions that ' +
          'were asked in its thread.',
      ),
      ...(left === null ? [] : [section(stays(left))]),
      context(
        'Backups, and the copies of my database that were made before an upgrade, are not changed. ' +
          'If its alert fires again, that is a new issue.',
      ),
    ],
  });
}

/** What an admin has to delete in Slack, where that is to go too. */
function stays({ messages, answers, files }: LeftInSlack): string {
  const several = (count: number, one: string, more: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  const all = [
    'the message that it was filed from, with what people wrote in its thread',
    ...several(messages, 'message of mine about it', 'messages of mine about it'),
    ...several(answers, 'answer to a question about it', 'answers to questions about it'),
    ...several(files, 'file', 'files'),
  ];
  return `*What stays in Slack:*\n${all.map((one) => `• ${one}`).join('\n')}\nThe card will say who deleted it. The rest has to be deleted in Slack, if it is to go too.`;
}

/** What stands in the window while, and after, an issue is deleted; `failed` is untrusted. */
export function deletionOutcome(
  number: IssueNumber,
  outcome: 'under_way' | 'deleted' | 'gone' | { failed: string },
): ModalView {
  return fitModal({
    callbackId: viewIds.deleteIssue,
    title: TITLE,
    blocks: [section(words(number, outcome))],
  });
}

function words(number: IssueNumber, outcome: Parameters<typeof deletionOutcome>[1]): string {
  if (outcome === 'under_way') return `⏳ #${number} is being deleted.`;
  if (outcome === 'deleted') return `🗑️ #${number} is deleted.`;
  if (outcome === 'gone')
    return `🗑️ #${number} was gone at the service already. What I kept of it is deleted now.`;
  return `⚠️ #${number} is not deleted. ${literal(outcome.failed)}`;
}
