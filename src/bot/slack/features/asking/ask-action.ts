import { startConversation } from '../../../asking/ask.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { askHereIntent } from '../../../store/intents/issue-intents.ts';
import { askHereKey } from '../../../store/intents/keys.ts';
import { onIssueAction } from '../../listening/on-issue-action.ts';

/** *Ask* on a card: from now on, replies in the issue's thread are questions to the agent. */
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
    if (await tx.outbox.get(askHereKey(conversation.id, triggerId))) return;
    // Announced once, and again each time after somebody pressed *Stop listening*.
    const press = before?.listening === false ? triggerId : null;
    const intent = askHereIntent({ id: issue.id, channel, threadTs }, conversation.id, press, now);
    if (await tx.outbox.get(intent.key)) return;
    await tx.outbox.want(intent);
  });
});
