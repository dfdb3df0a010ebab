import type { Aggregates } from '../../store/open.ts';
import type { Placed } from './content.ts';

/** A command's card or answer starts its thread: from now on the issue, or the conversation, lives there. */
export async function keepPlace(tx: Aggregates, { row, channel, ts }: Placed): Promise<void> {
  if (row.threadTs !== null) return;
  if (row.kind === 'card' && row.issueId !== null) {
    await tx.issues.update(row.issueId, { channel, threadTs: ts });
  }
  if (row.kind === 'answer' && row.questionId !== null) {
    const question = await tx.questions.get(row.questionId);
    if (question) await tx.conversations.place(question.conversation, channel, ts);
  }
}
