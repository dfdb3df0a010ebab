import { cardKey } from '../../store/intents/keys.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content } from '../delivery/content.ts';

/**
 * What is said of an issue follows its card, and a command's issue has its thread only once that is posted.
 *
 * @returns what to do instead of posting now; `null` where the card stands, or never will in a thread that is there.
 */
export async function beforeItsCard(issue: Issue, store: Store): Promise<Content | null> {
  const card = await store.outbox.get(cardKey(issue.id));
  if (issue.threadTs !== null) return isAwaited(card) ? { kind: 'later' } : null;
  return card === null || card.state === 'dead' ? { kind: 'nothing' } : { kind: 'later' };
}

/** Whether a message is still to be posted for the first time. */
export function isAwaited(row: OutboxRow | null): boolean {
  return row !== null && row.state === 'due' && row.sent === '[]';
}
