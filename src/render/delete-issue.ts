import type { ModalView } from '@slack/types';
import { literal } from './escape.ts';
import { type NamedIssue, named } from './issue-sentences.ts';
import { fitModal } from './modal.ts';
import { context, section } from './rendered.ts';
import { viewIds } from './view-ids.ts';

const TITLE = 'Delete an issue';

/** Asks before an issue is deleted; `metadata` says which, and is checked when it is sent. */
export function askToDelete(issue: NamedIssue, metadata: string): ModalView {
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
          'What I keep of it goes too: results, evidence, and the questions that were asked in its thread.',
      ),
      context(
        'Messages in Slack stay. The card will say who deleted it. If its alert fires again, that is a new issue.',
      ),
    ],
  });
}

/** What stands in the window while, and after, an issue is deleted; `failed` is untrusted. */
export function deletionOutcome(
  number: number,
  outcome: 'under_way' | 'deleted' | 'gone' | { failed: string },
): ModalView {
  return fitModal({
    callbackId: viewIds.deleteIssue,
    title: TITLE,
    blocks: [section(words(number, outcome))],
  });
}

function words(number: number, outcome: Parameters<typeof deletionOutcome>[1]): string {
  if (outcome === 'under_way') return `⏳ #${number} is being deleted.`;
  if (outcome === 'deleted') return `🗑️ #${number} is deleted.`;
  if (outcome === 'gone')
    return `🗑️ #${number} was gone at the service already. What I kept of it is deleted now.`;
  return `⚠️ #${number} is not deleted. ${literal(outcome.failed)}`;
}
