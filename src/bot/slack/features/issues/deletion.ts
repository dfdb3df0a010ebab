import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { StoredIssueNumber } from '../../../../lib/issue-number.ts';
import { askToDelete } from '../../../render/issues/delete-issue.ts';
import type { NamedIssue } from '../../../render/issues/issue-sentences.ts';
import type { LeftInSlack } from '../../../store/erasure.ts';

/** The state of the deletion's confirmation; `channel` is where it was requested. */
export const Deletion = z.object({
  uuid: z.string(),
  number: StoredIssueNumber,
  issueId: z.string().nullable(),
  channel: z.string(),
});

/** The confirmation before an issue is deleted. */
export function deletionView(
  deletion: z.infer<typeof Deletion>,
  { title }: Pick<NamedIssue, 'title'>,
  left: LeftInSlack | null,
): ModalView {
  return askToDelete({ number: deletion.number, title }, JSON.stringify(deletion), left);
}
