import { patternVerdicts, type RuleOptions } from '../settings/patterns/rules.ts';
import type { AlertRow, Decision } from '../store/alerts.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { ChannelMessage, DecideOptions } from './channel-message.ts';
import { considerIn } from './decide.ts';
import { type ReplayedState, replay } from './replay.ts';
import { inRolledBackTransaction } from './roll-back.ts';

/** The outcome that one message would have. */
export interface DryRow {
  seen: ChannelMessage;
  decision: Decision;
  reason: string;
  /** Filed when it arrived; not decided again. */
  before: boolean;
  /** The issue it would belong to: an existing one, or the nth that would be filed. */
  issue: { id: string } | { nth: number } | null;
}

type Options = DecideOptions & RuleOptions & { store: Store };

/**
 * Decides on messages of one channel as if each arrived now, at its own time, with the current settings and ignoring a
 * pause. Nothing is stored. What was filed when it arrived stays filed.
 *
 * @param messages oldest first
 */
export async function dryRun(messages: readonly ChannelMessage[], options: Options): Promise<DryRow[]> {
  const [first] = messages;
  if (!first) return [];
  const verdicts = await patternVerdicts(first.channel, messages, options);
  return inRolledBackTransaction(options.store, async (tx) => {
    const records = new Map<string, AlertRow>();
    for (const { channel, ts } of messages) {
      const record = await tx.alerts.find(channel, ts);
      if (record) records.set(ts, record);
    }
    await tx.flags.resume();
    await tx.alerts.forgetFrom(first.channel, first.ts);
    const past = await replay(tx, timeOf(first.ts));
    const fresh = new Map<string, number>();
    const rows: DryRow[] = [];
    for (const [n, seen] of messages.entries()) {
      await past.upTo(timeOf(seen.ts));
      const filed = filedAs(records.get(seen.ts));
      const against = verdicts[n]?.against ?? null;
      rows.push(
        filed ? await asBefore(tx, seen, filed, past) : await decideAnew(tx, seen, against, fresh, options),
      );
    }
    return rows;
  });
}

/** Slack's `ts` in milliseconds. */
function timeOf(ts: string): number {
  return Math.floor(Number(ts) * 1000);
}

type Filed = AlertRow & { issueId: string };

function filedAs(record: AlertRow | undefined): Filed | null {
  if (record?.decision !== 'filed' || record.issueId === null) return null;
  return { ...record, issueId: record.issueId };
}

async function asBefore(
  tx: Aggregates,
  seen: ChannelMessage,
  filed: Filed,
  past: ReplayedState,
): Promise<DryRow> {
  const { id: _, ...record } = filed;
  await past.begin(filed.issueId);
  // It counts toward the budget at the time it was posted.
  await tx.alerts.record({ ...record, decision: 'filed', decidedAt: timeOf(seen.ts) });
  return { seen, decision: 'filed', reason: record.reason, before: true, issue: { id: filed.issueId } };
}

async function decideAnew(
  tx: Aggregates,
  seen: ChannelMessage,
  against: string | null,
  fresh: Map<string, number>,
  options: Options,
): Promise<DryRow> {
  const now = timeOf(seen.ts);
  const clock = { ...options.clock, now: () => now };
  const { decision, reason, issueId } = await considerIn(tx, seen, against, { ...options, clock });
  if (decision === 'filed' && issueId !== null) fresh.set(issueId, fresh.size + 1);
  if (decision === 'recovered' && issueId !== null) await resolveAt(tx, issueId, now);
  const nth = issueId === null ? undefined : fresh.get(issueId);
  const known = issueId === null ? null : { id: issueId };
  return { seen, decision, reason, before: false, issue: nth === undefined ? known : { nth } };
}

/** If a recovery resolves the issue, the service would have been told before the next message. */
async function resolveAt(tx: Aggregates, issueId: string, now: number): Promise<void> {
  const issue = await tx.issues.get(issueId);
  if (issue?.wantedStatus !== 'resolved') return;
  await tx.issues.rewrite(issueId, {
    state: 'created',
    isOpen: false,
    status: 'resolved',
    statusBefore: issue.status,
    statusSince: now,
    wantedStatus: null,
  });
}
