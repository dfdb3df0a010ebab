import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { alertOf } from '../../filing/channel-message.ts';
import { messageOfCard } from '../../filing/file.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { renderMovedCard, renderShortCard } from '../../render/issues/short-card.ts';
import type { ShortCardView } from '../../render/views.ts';
import type { AlertRow } from '../../store/alerts.ts';
import type { Issue } from '../../store/issues.ts';
import { waitsForNumber } from './card.ts';
import { hasRepeatIn, lastActionOf, noteFor, severityOf, statusOf } from './card-view.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** In a second channel's thread: what happened to an alert whose issue lives elsewhere. */
export const shortCard: ContentSource = async (row, deps) => {
  const issue = row.issueId === null ? null : await deps.store.issues.get(row.issueId);
  const place = messageOfCard(row);
  const message = place && (await deps.store.alerts.find(place.channel, place.ts));
  if (!issue || !message) return { kind: 'nothing' };
  const where = { kind: 'messages' as const, channel: row.channel, threadTs: row.threadTs };
  if (message.issueId !== issue.id) {
    const now = message.issueId === null ? null : await deps.store.issues.get(message.issueId);
    return { ...where, parts: [renderMovedCard(issueNumber(issue), now === null ? null : issueNumber(now))] };
  }
  if (waitsForNumber(issue, row, deps.clock.now())) return { kind: 'later' };
  return { ...where, parts: [renderShortCard(await viewOf(issue, message, deps))] };
};

async function viewOf(issue: Issue, message: AlertRow, deps: ContentDeps): Promise<ShortCardView> {
  const { store, simulated } = deps;
  const { channel } = message;
  const [last] = await store.alerts.ofIssue(issue.id, 1, channel);
  const home = await homeFor(issue, channel, deps);
  const { title, service, errorMessage } = alertOf(message);
  return {
    issueId: issue.id,
    number: issueNumber(issue),
    title: displayName({ title: title ?? errorMessage ?? 'Alert without a title', service }),
    ...severityOf(issue),
    status: statusOf(issue),
    statusSince: issue.statusSince,
    mutedUntil: issue.mutedUntil,
    fired: await store.alerts.countOfIssue(issue.id, channel),
    lastFiredAt: last?.decidedAt ?? null,
    recoveredAt: issue.recoveredAt,
    note: await noteFor(issue, channel, store),
    home,
    // Names of a private channel's members are not shown elsewhere.
    lastAction: home === null ? null : lastActionOf(issue),
    notSame: await hasRepeatIn(issue, channel, store),
    simulated,
  };
}

/** Where the issue lives, as far as another channel may know. */
export async function homeFor(
  issue: Issue,
  channel: string,
  { store, permalink }: Pick<ContentDeps, 'store' | 'permalink'>,
): Promise<ShortCardView['home']> {
  if (!(await mayBeShownIn(store, issue.channel, channel))) return null;
  const { channel: home, threadTs } = issue;
  return { channel: home, url: threadTs === null ? null : permalink(home, threadTs) };
}
