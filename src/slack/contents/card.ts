import { z } from 'zod';
import { formats } from '../../alerts/formats/index.ts';
import { renderCard } from '../../render/card.ts';
import type { CardView } from '../../render/views.ts';
import type { Issue } from '../../store/issues.ts';
import { withoutMembership } from './dm.ts';
import type { ContentSource } from './source.ts';

/** A card waits this long for the service's answer, so that it rarely has to be edited at once. */
const WAIT_FOR_NUMBER_MS = 2_500;

const LastAction = z.object({ userId: z.string(), what: z.string(), at: z.number() });

export const card: ContentSource = async (row, deps) => {
  const issue = row.issue_id === null ? null : await deps.store.issues.get(row.issue_id);
  if (!issue) return { kind: 'nothing' };
  const now = deps.clock.now();
  const fresh =
    issue.state === 'pending' && issue.failure === null && now - issue.created_at < WAIT_FOR_NUMBER_MS;
  if (fresh && row.sent === '[]') return { kind: 'later' };
  const rendered = renderCard(cardView(issue, deps.simulated), now);
  return {
    kind: 'messages',
    parts: [withoutMembership(rendered, row, deps.identity.botUserId)],
    channel: row.channel,
    threadTs: row.thread_ts,
  };
};

/** What the card shows of an issue. */
export function cardView(issue: Issue, simulated: boolean): CardView {
  return {
    issueId: issue.id,
    number: issue.number,
    title: issue.title,
    severity: issue.severity,
    environment: issue.environment,
    service: issue.service,
    status: statusOf(issue),
    failure: issue.failure,
    statusSince: issue.status_since,
    source: toolName(issue.source),
    alertUrl: issue.alert_url,
    repeats: issue.repeats,
    lastRepeatAt: issue.last_repeat_at,
    recoveredAt: issue.recovered_at,
    lastAction: issue.last_action === null ? null : LastAction.parse(JSON.parse(issue.last_action)),
    simulated,
  };
}

/** What people call the tool whose format read the alert. */
export function toolName(format: string | null): string | null {
  return formats.find(({ name }) => name === format)?.tool ?? null;
}

function statusOf(issue: Issue): string {
  const instead = { pending: 'filing', failed: 'failed', gone: 'deleted' } as const;
  return issue.state === 'created' ? issue.status : instead[issue.state];
}
