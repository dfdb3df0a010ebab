import { anotherCauseIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { isLook, readReason, storedReason } from '../store/reasons.ts';
import { fileAlert } from './file.ts';
import { severityOf } from './identity.ts';
import { MINUTE_MS } from './limits.ts';
import { alertOf, type DecideOptions, seenOfRow } from './occurrence.ts';
import { recover } from './recover.ts';
import { signFiled } from './sign.ts';

const MANY = 1_000;

type Options = Pick<DecideOptions, 'clock' | 'defaultEnvironment'> & {
  permalink: (channel: string, ts: string) => string;
};

/**
 * A firing was investigated again and has another cause than its issue had: it becomes an issue of its own, with what fired since,
 * and each names the other. The earlier issue is over, and keeps its verdict.
 *
 * @returns false if nothing has fired since the last investigation: then a person asked for this one
 */
export async function fileAnotherCause(
  tx: Aggregates,
  issue: Issue,
  found: { version: number; was: string; now: string },
  options: Options,
): Promise<boolean> {
  const rows = await tx.alerts.ofIssue(issue.id, MANY);
  const look = rows.find(isLook);
  const endedAt = await tx.results.at(issue.id, issue.endedVersion);
  if (look === undefined || endedAt === null || look.decidedAt < endedAt) return false;
  const now = options.clock.now();
  const taken = rows.filter(({ decidedAt }) => decidedAt >= look.decidedAt);
  const why = readReason(look.reason);
  const since = typeof why !== 'string' && why.code === 'fired_anew' ? why.minutes * MINUTE_MS : 0;
  await tx.issues.apply(
    issue.id,
    transitions.endForAnother(issue, { firings: taken.length, overAt: look.decidedAt - since }, now),
  );
  const { settings } = await tx.channels.get(look.channel);
  const seen = seenOfRow(look, options.permalink(look.channel, look.ts));
  const { environment, identity } = issue;
  const detail = look.detail ?? '';
  const severity = severityOf(alertOf(look), settings);
  const problem =
    identity === null ? null : { environment, severity, identity, ownIdentity: identity, detail };
  const toFile = { ...seen, problem, requestedBy: null, eyes: false, again: 'another cause' };
  const issueId = await fileAlert(tx, toFile, settings, options);
  for (const row of taken) {
    const filed = { decision: 'filed', reason: storedReason('another_cause') } as const;
    await tx.alerts.record({ ...row, ...(row === look ? filed : { decision: 'repeat' }), issueId });
  }
  await signFiled(tx, look, issueId);
  const filed = await tx.issues.get(issueId);
  const [newest] = taken;
  if (filed !== null && newest !== undefined && taken.length > 1) {
    const more = { repeats: taken.length - 1, lastAt: newest.decidedAt };
    await tx.issues.apply(issueId, transitions.countHeld(filed, more));
  }
  if (filed !== null && issue.recoveredAt !== null) await recover(tx, filed, issue.recoveredAt);
  await tx.outbox.want(anotherCauseIntent(issue, { ...found, other: issueId }, now));
  await tx.outbox.refreshCards(issue.id);
  return true;
}
