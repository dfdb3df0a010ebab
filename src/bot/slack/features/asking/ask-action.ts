import { startConversation } from '../../../asking/ask.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { onIssueAction } from '../../listening/on-issue-action.ts';

/** *Ask* on a card: from now on replies in the issue's thread are questions to the agent. */
export const ask = onIssueAction('ask', async ({ issue, userId, triggerId, moment }, deps) => {
  const { channel, threadTs } = issue;
  if (threadTs === null) return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const id = issueIdOf('thread', channel, threadTs);
    const before = await tx.conversations.byThread(channel, threadTs);
    const conversation = await startConversation(
      tx,
      { id, channel, threadTs, asker: userId, ts: moment.ts, calls: true },
      now,
    );
    const first = `notice:ask:${conversation.id}`;
    const again = `${first}:${triggerId}`;
    if (await tx.outbox.get(again)) return;
    // Said once, and once more each time that somebody had us listen no more.
    const key = before?.listening === 0 ? again : first;
    if (await tx.outbox.get(key)) return;
    await tx.outbox.want({
      key,
      kind: 'notice',
      channel,
      threadTs,
      issueId: issue.id,
      payload: JSON.stringify({ notice: 'ask_here' }),
      at: now,
    });
  });
});
