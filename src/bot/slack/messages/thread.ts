import { cardKey } from '../../store/intents/keys.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content } from '../delivery/content.ts';

/**
 * Messages about an issue are posted after its card, and a command's issue only has a thread once the card is posted.
 *
 * @returns what to do instead of posting now; `null` if the card is posted, or never will be although there is a thread
 */
export async function beforeItsCard(issue: Issue, store: Store): Promise<Content | null> {
  const card = await store.outbox.get(cardKey(issue.id));
  if (issue.threadTs !== null) return isAwaited(card) ? { kind: 'later' } : null;
  return card === null || card.state === 'dead' ? { kind: 'nothing' } : { kind: 'later' };
}

/** Whether a message is yet to be posted. */
export function isAwaited(row: OutboxRow | null): boolean {
  return row !== null && row.state === 'due' && row.sent === '[]';
}
