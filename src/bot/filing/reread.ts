import type { Alert } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { partedIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { storedReason } from '../store/reasons.ts';
import { fileAlert } from './file.ts';
import { type AlertIdentity, alertIdentity } from './identity.ts';
import { alertOf, type DecideOptions, hasMessage, seenOfRow } from './occurrence.ts';
import { signFiled } from './sign.ts';
import { shortCardForOthers, withoutRepeat } from './without-repeat.ts';

/** One of a sender's messages as it is read now. */
export interface ReadNow {
  ts: string;
  read: (alert: Alert) => Alert;
}

/** A counted message, with what it is about as it is read now. */
interface Counted {
  row: AlertRow;
  alert: Alert;
  problem: AlertIdentity;
}

/** At once; the next message parts the rest. */
const MOST_PARTED = 5;

/**
 * Puts right what an open issue counts of a sender's messages, now that more is known of how it writes: problems that were
 * taken for one are split, and open issues are found under their new identity. Doing it again changes nothing.
 */
export async function reread(
  tx: Aggregates,
  channel: string,
  messages: readonly ReadNow[],
  options: Omit<DecideOptions, 'maxIssuesPerDay'>,
): Promise<void> {
  if (messages.length === 0) return;
  const { settings } = await tx.channels.get(channel);
  const rows = await tx.alerts.countedOf(
    channel,
    messages.map(({ ts }) => ts),
  );
  // Of several issues that are one now, the one that has been quiet the longest is kept.
  const issues = [...Map.groupBy(rows, (row) => row.issueId ?? '')].toReversed();
  for (const [issueId, counted] of issues) {
    const issue = await tx.issues.get(issueId);
    const first = counted.findLast(({ decision }) => decision === 'filed');
    if (issue?.identity == null || first === undefined) continue;
    const own = await readAgain(tx, first, messages, settings, options);
    if (own === null) continue;
    const { identity } = own.problem;
    if (identity !== issue.identity && (await tx.issues.openByIdentity(identity)) === null)
      await tx.identityOverrides.join(identity, issue.identity);
    if (settings.mode === 'suggest' || (await tx.flags.paused()) !== null) continue;
    // What people joined has other fingerprints.
    const repeats = counted.filter(
      (row) => row.decision === 'repeat' && hasMessage(row.ts) && row.fingerprint === first.fingerprint,
    );
    const others: Counted[] = [];
    for (const row of repeats) {
      const one = await readAgain(tx, row, messages, settings, options);
      if (one !== null && one.problem.identity !== identity && one.problem.identity !== issue.identity)
        others.push(one);
    }
    const problems = [...Map.groupBy(others, ({ problem }) => problem.identity).values()];
    for (const problem of problems.slice(0, MOST_PARTED))
      if (!isOver(problem, messages)) await part(tx, issue, problem, settings, options);
  }
}

async function readAgain(
  tx: Aggregates,
  row: AlertRow,
  messages: readonly ReadNow[],
  settings: ChannelSettings,
  { defaultEnvironment }: Pick<DecideOptions, 'defaultEnvironment'>,
): Promise<Counted | null> {
  const alert = messages.find(({ ts }) => ts === row.ts)?.read(alertOf(row));
  if (alert?.kind !== 'firing') return null;
  const problem = await alertIdentity(tx, alert, settings, defaultEnvironment);
  return problem === null ? null : { row, alert, problem };
}

/** Whether a later message ended it. */
function isOver([newest]: readonly Counted[], messages: readonly ReadNow[]): boolean {
  return messages.some(({ ts, read }) => {
    if (newest === undefined || ts <= newest.row.ts) return false;
    const { kind, fingerprint } = read(newest.alert);
    return kind === 'resolved' && fingerprint === newest.alert.fingerprint;
  });
}

/** What an issue counted of another problem becomes an issue of its own, and each thread says so. */
async function part(
  tx: Aggregates,
  issue: Issue,
  counted: readonly Counted[],
  settings: ChannelSettings,
  options: Omit<DecideOptions, 'maxIssuesPerDay'>,
): Promise<void> {
  const [newest] = counted;
  if (newest === undefined) return;
  const { row, alert, problem } = newest;
  const now = options.clock.now();
  const open = await tx.issues.openByIdentity(problem.identity);
  const permalink = options.permalink?.(row.channel, row.ts) ?? null;
  const toFile = {
    ...seenOfRow(row, permalink),
    alert,
    problem,
    requestedBy: null,
    eyes: true,
    again: 'parted',
  };
  const issueId = open?.id ?? (await fileAlert(tx, toFile, settings, options));
  for (const one of counted) {
    const isFiled = one === newest && open === null;
    await tx.alerts.record({
      ...one.row,
      decision: isFiled ? 'filed' : 'repeat',
      reason: storedReason('parted'),
      issueId,
      identity: problem.identity,
      fingerprint: one.alert.fingerprint,
      alert: JSON.stringify(one.alert),
    });
    await withoutRepeat(tx, (await tx.issues.get(issue.id)) ?? issue, one.row);
    if (isFiled) await signFiled(tx, one.row, issueId);
  }
  const parted = await tx.issues.get(issueId);
  if (parted === null) return;
  const repeats = counted.length - (open === null ? 1 : 0);
  await tx.issues.apply(issueId, transitions.countHeld(parted, { repeats, lastAt: row.decidedAt }));
  if (open === null) await tx.issues.apply(issueId, transitions.splitFrom(issue));
  if (issue.identity !== null)
    await tx.identityOverrides.teachIncident([problem.identity, issue.identity], 'apart');
  for (const [one, other] of [
    [issue, parted],
    [parted, issue],
  ] as const) {
    await tx.outbox.want(partedIntent(one, other.id, now));
    await tx.outbox.refreshCards(one.id);
  }
  await shortCardForOthers(tx, issue, row.channel, now);
}
