import type { Aggregates } from '../../store/open.ts';
import type { Placed } from './content.ts';

/** A command's card or answer starts its thread: from now on the issue, or the conversation, lives there. */
export async function keepPlace(tx: Aggregates, { row, channel, ts }: Placed): Promise<void> {
  if (row.thread_ts !== null) return;
  if (row.kind === 'card' && row.issue_id !== null) {
    await tx.issues.update(row.issue_id, { channel, thread_ts: ts });
  }
  if (row.kind === 'answer' && row.question_id !== null) {
    const question = await tx.questions.get(row.question_id);
    if (question) await tx.conversations.place(question.conversation, channel, ts);
  }
}
