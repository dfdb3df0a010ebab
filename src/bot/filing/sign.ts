import type { AlertRow } from '../store/alerts.ts';
import { eyesIntent, reactionIntent, signIntent } from '../store/intents/issue-intents.ts';
import { eyesKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import { type DecisionResult, hasMessage, type Occurrence } from './occurrence.ts';

const COUNTED = 'repeat';
const HELD = 'double_vertical_bar';
/** A recovery needs no line: it is noted on the card. */
const OVER = 'white_check_mark';

/**
 * What becomes of a new message shows on it: a reaction, and one line in its thread with the way to its issue, unless it
 * has a card there.
 */
export async function sign(
  tx: Aggregates,
  seen: Occurrence,
  { decision, reason, issueId }: Pick<DecisionResult, 'reason' | 'issueId'> & Pick<AlertRow, 'decision'>,
  { hasCard, now }: { hasCard: boolean; now: number },
): Promise<void> {
  if (seen.edited || seen.threadTs !== null || !hasMessage(seen.ts)) return;
  if (decision === 'recovered') return tx.outbox.want(reactionIntent(seen, OVER, now));
  if (decision !== 'held' && (decision !== 'repeat' || issueId === null)) return;
  const isLook = typeof reason !== 'string' && reason.code === 'fired_anew';
  await tx.outbox.want(
    isLook && issueId !== null
      ? eyesIntent(issueId, seen, now)
      : reactionIntent(seen, decision === 'held' ? HELD : COUNTED, now),
  );
  const isPlanned = typeof reason !== 'string' && reason.code === 'held' && reason.by === 'planned';
  // What belongs to planned work has a reaction, and no line.
  if (!hasCard && !isPlanned) await tx.outbox.want(signIntent(seen, now));
}

/** Messages that were on hold have an outcome: their signs say so. */
export async function signAgain(
  tx: Aggregates,
  messages: readonly Pick<Occurrence, 'channel' | 'ts'>[],
): Promise<void> {
  for (const message of messages) await tx.outbox.signAgain(message);
}

/** A message that was counted or held has an issue of its own: its reaction shows what becomes of that. */
export async function signFiled(
  tx: Aggregates,
  { channel, ts }: Pick<Occurrence, 'channel' | 'ts'>,
  issueId: string,
): Promise<void> {
  await tx.outbox.about(issueId, {
    key: eyesKey({ channel, ts }),
    kind: 'reaction',
    payload: { name: 'eyes', ts },
  });
  await signAgain(tx, [{ channel, ts }]);
}
