import { isMoreSevere } from '../shared/severity.ts';
import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { wantShortCard } from './file.ts';
import { severityOf } from './identity.ts';
import { alertOf } from './occurrence.ts';

/** At most this many messages are read to find the highest severity. */
const MANY = 1_000;

/** The issue counts one message less, as if it had never arrived. */
export async function withoutRepeat(tx: Aggregates, issue: Issue, row: AlertRow): Promise<void> {
  const rest = await tx.alerts.ofIssue(issue.id, MANY);
  const last = rest.find(({ decision }) => decision === 'repeat');
  const wasHidden = issue.status === 'muted' && row.decidedAt >= issue.statusSince;
  const left = {
    lastRepeatAt: last?.decidedAt ?? null,
    wasHidden,
    raisedSeverity: await raisedBy(tx, issue, rest),
  };
  await tx.issues.apply(issue.id, transitions.discountRepeat(issue, left));
}

/** The highest severity of the messages, stated or from their channel, if it is above the issue's own. */
async function raisedBy(tx: Aggregates, issue: Issue, rows: readonly AlertRow[]): Promise<string | null> {
  let highest: string | null = null;
  for (const row of rows) {
    const { settings } = await tx.channels.get(row.channel);
    const severity = severityOf(alertOf(row), settings);
    if (isMoreSevere(severity, highest ?? issue.severity)) highest = severity;
  }
  return highest;
}

/** If the removed message's thread had the short card, the next message of that channel gets one. */
export async function shortCardForOthers(
  tx: Aggregates,
  issue: Issue,
  channel: string,
  now: number,
): Promise<void> {
  const [next] = await tx.alerts.ofIssue(issue.id, 1, channel);
  if (next) await wantShortCard(tx, { ...next, threadTs: next.threadTs }, issue, now);
}
