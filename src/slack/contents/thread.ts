import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { Content } from '../delivery/content.ts';

/**
 * What belongs into the thread of an issue that has none: a command's issue has its thread once its card is
 * posted, and never gets one where the card was given up.
 */
export async function withoutThread(issue: Issue, store: Store): Promise<Content> {
  const card = await store.outbox.get(`card:${issue.id}`);
  return card === null || card.state === 'dead' ? { kind: 'nothing' } : { kind: 'later' };
}
