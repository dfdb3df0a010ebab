import { startConversation } from '../../../asking/ask.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { onIssueButton } from './pressed.ts';

/** *Ask* on a card: from now on replies in the issue's thread are questions to the agent. */
export const ask = onIssueButton('ask', async ({ issue, userId }, deps) => {
  const { channel, thread_ts: threadTs } = issue;
  if (threadTs === null) return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const id = issueIdOf('thread', channel, threadTs);
    const conversation = await startConversation(tx, { id, channel, threadTs, asker: userId }, now);
    const key = `notice:ask:${conversation.id}`;
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
  deps.rings.outbox();
});
