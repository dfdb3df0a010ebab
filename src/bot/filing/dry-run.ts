import type { Clock } from '../../lib/clock.ts';
import { untraced } from '../shared/tracing/spans.ts';
import type { Decision } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Scratch, Store } from '../store/open.ts';
import { type Reason, readReason } from '../store/reasons.ts';
import { considerMessage, recordDecision } from './carry-out.ts';
import { alertIdentity } from './identity.ts';
import { learnedFrom } from './learned.ts';
import { alertOf, type DecideOptions, type Occurrence } from './occurrence.ts';

type Options = DecideOptions & { store: Store };

/** An existing issue, or the nth that would be filed. */
export type DryRunIssue = { id: string } | { nth: number };

/** The outcome that one message would have, and the rule that decides. */
export interface DryRunDecision {
  seen: Occurrence;
  decision: Decision;
  reason: Reason;
  /** Filed when it arrived; not decided again. */
  before: boolean;
  issue: DryRunIssue | null;
}

/**
 * Which rule decides on each message of one channel, with the current settings and without a pause. They are filed in a
 * scratch store, which knows these messages and the issues that there are now: no earlier state of an issue is restored.
 *
 * @param messages oldest first
 */
export async function decideInDryRun(
  messages: readonly Occurrence[],
  options: Options,
): Promise<DryRunDecision[]> {
  if (messages.length === 0) return [];
  const scratch = await options.store.scratch();
  try {
    const filed: string[] = [];
    const rows: DryRunDecision[] = [];
    for (const message of messages) {
      // The history has each message as it is now: its edits are not decided one by one.
      const row = () => decideOne({ ...message, edited: false }, { scratch, filed, options });
      rows.push(await untraced(row));
    }
    return rows;
  } finally {
    await scratch.close();
  }
}

interface Work {
  scratch: Scratch;
  /** The issues that would be filed, in turn. */
  filed: string[];
  options: Options;
}

async function decideOne(message: Occurrence, { scratch, filed, options }: Work): Promise<DryRunDecision> {
  const { channel, ts } = message;
  const clock: Clock = { ...options.clock, now: () => Math.floor(Number(ts) * 1_000) };
  const then = { ...options, clock };
  const tx = withIssuesOf(options.store, scratch, clock.now());
  const record = await options.store.alerts.find(channel, ts);
  if (record?.decision === 'filed' && record.issueId !== null) {
    const seen = await takeOver(message, record.issueId, { scratch, options: then });
    const reason = readReason(record.reason);
    return { seen, decision: 'filed', reason, before: true, issue: { id: record.issueId } };
  }
  const { decision, reason, issueId } = await considerMessage(message, {
    ...then,
    needsConsent: async () => false,
    store: { transaction: (work) => work(tx) },
  });
  const row = await scratch.alerts.find(channel, ts);
  const seen = row === null ? message : { ...message, alert: alertOf(row) };
  if (issueId === null) return { seen, decision, reason, before: false, issue: null };
  if (decision === 'filed') filed.push(issueId);
  await answerAtOnce(scratch, issueId, clock.now());
  const nth = filed.indexOf(issueId) + 1;
  return { seen, decision, reason, before: false, issue: nth === 0 ? { id: issueId } : { nth } };
}

/** A message that was filed when it arrived leaves its issue as it was then. */
async function takeOver(
  message: Occurrence,
  issueId: string,
  { scratch, options }: Pick<Work, 'scratch' | 'options'>,
): Promise<Occurrence> {
  const seen = await learnedFrom(scratch, message, options);
  const { settings } = await scratch.channels.get(seen.channel);
  const identity = await alertIdentity(scratch, seen.alert, settings, options.defaultEnvironment);
  const issue = await options.store.issues.get(issueId);
  const then = {
    status: 'investigating',
    recoveredAt: null,
    isOpen: true,
    identity: identity?.identity ?? null,
  };
  if (issue !== null) await scratch.adopt({ ...issue, ...then });
  const decided = { decision: 'filed', reason: 'new_alert', issueId: issue?.id ?? null } as const;
  await recordDecision(scratch, seen, identity, decided, options.clock.now());
  return seen;
}

/** The service is taken to do at once what is asked of it: to create an issue, investigate it, and set its status. */
async function answerAtOnce(scratch: Scratch, id: string, at: number): Promise<void> {
  const issue = await scratch.issues.get(id);
  if (issue?.state === 'pending') {
    const created = { uuid: id, number: 0, status: 'investigating', version: 1 };
    await scratch.issues.apply(id, transitions.markCreated(created, at));
    await scratch.issues.apply(id, transitions.announceEnd(created.version));
  } else if (issue?.wantedStatus != null) {
    await scratch.issues.apply(id, transitions.statusPushed(issue, issue.wantedStatus, at));
  }
}

/** The scratch store, which takes an issue over from the real one when it is first looked for, if it is older than the message. */
function withIssuesOf(store: Store, scratch: Scratch, at: number): Aggregates {
  const { openByIdentity, lastClosed } = scratch.issues;
  const adopt = async (identity: string): Promise<void> => {
    if ((await openByIdentity(identity)) !== null || (await lastClosed(identity)) !== null) return;
    const open = await store.issues.openByIdentity(identity);
    const last = open !== null && open.createdAt <= at ? open : await store.issues.lastClosed(identity);
    if (last === null || last.createdAt > at || last.joinedInto !== null) return;
    if (!last.isOpen && last.status !== 'resolved') return;
    await scratch.adopt({ ...last, isOpen: last.isOpen || last.statusSince > at });
  };
  const adopting =
    (find: (identity: string) => Promise<Issue | null>) =>
    async (identity: string): Promise<Issue | null> => {
      await adopt(identity);
      return find(identity);
    };
  const issues = {
    ...scratch.issues,
    openByIdentity: adopting(openByIdentity),
    lastClosed: adopting(lastClosed),
  };
  return { ...scratch, issues };
}
