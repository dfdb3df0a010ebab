import { recordDecision } from '../filing/carry-out.ts';
import { countRepeat, raiseSeverity } from '../filing/file.ts';
import { heldReason } from '../filing/limits.ts';
import { endUnfiled, recover } from '../filing/recover.ts';
import { hold } from '../filing/throttle.ts';
import { alertIntent } from '../store/intents/channel-intents.ts';
import { alertKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Aggregates } from '../store/open.ts';
import type { Action, Receipt } from './decide.ts';
import type { ReceivedFacts } from './facts.ts';
import { seenOfMessage } from './stored.ts';

/** Stores a received alert, and does what was decided about it. */
export async function carryOut(tx: Aggregates, receipt: Receipt, facts: ReceivedFacts): Promise<void> {
  const { id, source, tool, reading, at } = facts.received;
  const { routing: _, ...kept } = reading;
  const row = { id, source, tool, reading: JSON.stringify(kept), receivedAt: at };
  await tx.receivedAlerts.add({ ...row, ...receipt.stored });
  for (const action of receipt.actions) await act(tx, action, facts);
}

async function act(tx: Aggregates, action: Action, facts: ReceivedFacts): Promise<void> {
  const { received, identity, now } = facts;
  switch (action.kind) {
    case 'join':
      return tx.identityOverrides.join(action.identity, action.target);
    case 'raise_severity':
      return raiseSeverity(tx, action.issue, identity);
    case 'count':
      return countRepeat(tx, action.issue, identity, now);
    case 'note': {
      const { id, channel } = action.issue;
      await tx.issues.apply(id, transitions.note({ text: action.text, at: now, channel }));
      return tx.outbox.refreshCards(id);
    }
    case 'recover':
      return recover(tx, action.issue, now);
    case 'end_unfiled':
      return endUnfiled(tx, action.unfiled);
    case 'over':
      await tx.receivedAlerts.over(action.id, now);
      if (action.refresh) await tx.outbox.again(alertKey(action.id));
      return;
    case 'fires_again':
      await tx.receivedAlerts.over(action.id, null);
      await tx.receivedAlerts.revise(action.id, JSON.stringify(action.reading));
      return tx.outbox.again(alertKey(action.id));
    case 'settle':
      return tx.receivedAlerts.become(action.id, 'noted');
    case 'post': {
      const order = { urgent: identity?.severity === 'high', minor: identity?.severity === 'low' };
      return tx.outbox.want({ ...alertIntent(received.id, action.channel, now, received.at), ...order });
    }
    case 'hold':
      return holdUnposted(tx, action, facts);
  }
}

/** Holds an alert that has no message of its own, under the channel's message of what is held. It can be filed from there. */
async function holdUnposted(
  tx: Aggregates,
  { channel, ts, by, isOver }: Extract<Action, { kind: 'hold' }>,
  { received, identity, settings, maxIssuesPerDay, now }: ReceivedFacts,
): Promise<void> {
  const seen = seenOfMessage({ channel, ts, tool: received.tool }, received.reading.alert, null);
  const holdId = await hold(tx, seen, by, now);
  const reason = heldReason(by, settings, { maxIssuesPerDay }, isOver);
  await recordDecision(tx, seen, identity, { decision: 'held', reason, issueId: null, holdId, isOver }, now);
}
