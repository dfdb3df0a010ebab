import { renderCard } from '../../render/issues/card.ts';
import type { Issue } from '../../store/issues.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { cardView } from './card-view.ts';
import { withoutMembership } from './dm.ts';
import type { ContentSource } from './source.ts';

/** A card waits this long for the service's answer, which usually saves an edit. */
const WAIT_FOR_NUMBER_MS = 2_500;

export const card: ContentSource = async (row, deps) => {
  const issue = row.issueId === null ? null : await deps.store.issues.get(row.issueId);
  if (!issue) return { kind: 'nothing' };
  const now = deps.clock.now();
  if (waitsForNumber(issue, row, now)) return { kind: 'later' };
  const view = await cardView(issue, issue.channel, deps);
  const rendered = withoutMembership(renderCard(view, now), row, deps.identity.botUserId);
  return {
    kind: 'messages',
    parts: [rendered],
    channel: row.channel,
    threadTs: row.threadTs,
  };
};

/** Whether a card that is not posted yet should wait for the issue's number. */
export function waitsForNumber(issue: Issue, row: OutboxRow, now: number): boolean {
  const fresh = now - issue.createdAt < WAIT_FOR_NUMBER_MS;
  return fresh && issue.state === 'pending' && issue.failure === null && row.sent === '[]';
}
