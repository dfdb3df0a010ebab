import type { ModalView } from '@slack/types';
import type { IssueNumber } from '../../shared/issue-number.ts';
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
      section(`Permanently delete ${named(issue)}?`),
      section(
        'The service deletes the issue and everything it found, for everyone. This cannot be undone. ' +
          'I delete my copy too: its title, the text of its alerts, results, evidence, and the questions ' +
          'asked in its thread.',
      ),
      ...(left === null ? [] : [section(stays(left))]),
      context('Backups are not touched. ' + 'If its alert fires again, it becomes a new issue.'),
    ],
  });
}

/** What an admin has to delete in Slack for it to be gone there too. */
function stays({ messages, answers, files }: LeftInSlack): string {
  const several = (count: number, one: string, more: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  const all = [
    'the message it was filed from, and what people wrote in its thread',
    ...several(messages, 'of my messages about it', 'of my messages about it'),
    ...several(answers, 'answer to a question about it', 'answers to questions about it'),
    ...several(files, 'file', 'files'),
  ];
  return `*Still in Slack afterwards:*\n${all.map((one) => `• ${one}`).join('\n')}\nThe card will say who deleted it. To remove the rest, delete it in Slack.`;
}

/** The modal during and after a deletion; `failed` is untrusted. */
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
  if (outcome === 'under_way') return `⏳ Deleting #${number}.`;
  if (outcome === 'deleted') return `🗑️ #${number} has been deleted.`;
  if (outcome === 'gone') return `🗑️ #${number} was already gone at the service. I have now deleted my copy.`;
  return `⚠️ #${number} was not deleted. ${literal(outcome.failed)}`;
}
