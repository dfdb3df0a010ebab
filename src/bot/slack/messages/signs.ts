import { hasFailed } from '../../issues/cause.ts';
import { renderSign, type SignView } from '../../render/alerts/sign.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { AlertRow } from '../../store/alerts.ts';
import { heldKey } from '../../store/intents/keys.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import { isLook, readReason } from '../../store/reasons.ts';
import type { ReceivedAlertRow } from '../../store/received-alerts.ts';
import { readSent } from '../delivery/sent.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** In the thread of a message without a card of its own: what became of it, and what was found. */
export const sign: ContentSource = async (row, deps) => {
  const { alert } = payloadOf('sign', row);
  const decided = await deps.store.alerts.find(alert.channel, alert.ts);
  const view = decided === null ? null : await signOf(decided, deps);
  if (view === null) return { kind: 'nothing' };
  return { kind: 'messages', parts: [renderSign(view)], channel: row.channel, threadTs: row.threadTs };
};

/** The same of an alert whose message is ours, and says it itself. */
export async function signOn({ channel, ts }: ReceivedAlertRow, deps: ContentDeps): Promise<SignView | null> {
  const decided = channel === null || ts === null ? null : await deps.store.alerts.find(channel, ts);
  return decided === null ? null : signOf(decided, deps);
}

async function signOf(decided: AlertRow, deps: ContentDeps): Promise<SignView | null> {
  const became = becameOf(decided);
  if (became === null) return null;
  return {
    became,
    reason: readReason(decided.reason),
    issue: await issueFor(decided, deps),
    heldUrl: became === 'held' ? await heldUrl(decided, deps) : null,
    verdict: await verdictOn(decided, deps),
  };
}

function becameOf({ decision, outcome }: AlertRow): SignView['became'] | null {
  if (outcome === 'dismissed' || outcome === 'recovered') return outcome;
  if (decision === 'held') return 'held';
  if (decision === 'filed') return 'filed';
  return decision === 'repeat' ? 'counted' : null;
}

/** Where its issue lives, as far as its channel may know. */
async function issueFor(
  { issueId, channel }: AlertRow,
  { store, mayRead, permalink }: ContentDeps,
): Promise<SignView['issue']> {
  const issue = issueId === null ? null : await store.issues.get(issueId);
  if (issue === null || !(await mayRead({ channel }, issue))) return null;
  const url = issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs);
  return { number: issueNumber(issue), url };
}

async function heldUrl(
  { holdId, channel }: AlertRow,
  { store, permalink }: ContentDeps,
): Promise<string | null> {
  const held = holdId === null ? null : await store.outbox.get(heldKey(holdId));
  const ts = held === null ? undefined : readSent(held.sent)?.[0]?.ts;
  return ts === undefined ? null : permalink(channel, ts);
}

/**
 * What was found about this firing: of one that was looked at, the verdict of that look; else what was known until the
 * alert fired again. `null` before, and if its channel may not read the issue.
 */
async function verdictOn(
  decided: AlertRow,
  deps: ContentDeps,
): Promise<NonNullable<SignView['verdict']> | null> {
  const { store, mayRead, simulated } = deps;
  const { issueId, channel, ts } = decided;
  const issue = issueId === null ? null : await store.issues.get(issueId);
  if (issue === null) return null;
  // A symptom has no verdict beside that of the issue that leads.
  const head = issue.symptomOf === null ? null : await store.issues.get(issue.symptomOf);
  const of = head !== null && (await mayRead({ channel }, head)) ? head : issue;
  if (of.endedVersion < 1 || !(await mayRead({ channel }, of))) return null;
  const next = await store.alerts.nextOfIssue(issue.id, { channel, ts });
  const from = isLook(decided) ? decided.decidedAt : 0;
  const until = next?.decidedAt ?? null;
  // Until a new look has ended, what leads is still what led before; and what leads may tell of an earlier time.
  const own = of !== issue && from > 0 ? await store.results.within(issue.id, from, until) : null;
  if (of !== issue && from > 0 && own === null) return null;
  const results = (await store.results.within(of.id, from, until)) ?? own;
  if (results !== null) return { results, simulated };
  // Where nothing could be read, nothing was looked for either.
  const isOver = next === null && from === 0 && of.endedVersion >= of.version;
  return isOver && !(await hasFailed(of.id, of.endedVersion, store)) ? { results: {}, simulated } : null;
}
