import type { IssueCreate } from '../../contract/schema.ts';
import type { Alert, Severity } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { recordDecision } from './carry-out.ts';
import { addIssue, countRepeat, fileAlert, wantShortCard } from './file.ts';
import { type AlertIdentity, alertIdentity } from './identity.ts';
import type { ConsentOptions, DecideOptions, Occurrence } from './occurrence.ts';
import { takeOver } from './place.ts';
import { organizationFor } from './privacy.ts';
import { recoveryBefore } from './recover.ts';
import { signAgain, signFiled } from './sign.ts';
import { answerSuggestions } from './throttle.ts';

/** The outcome of a person's request to file a message. */
export type FilingOutcome =
  /** Filed as a new issue; counted toward the same alert's open issue; or already part of that issue. */
  | { became: 'filed' | 'counted' | 'already'; issueId: string }
  /** They have filed as many as they may. */
  | { became: 'refused'; limit: FilingRefusal };

/** What a person changed in a message before filing it; `null` for what they left empty. */
export type IssueEdit = Pick<Alert, 'service' | 'alertUrl' | 'host' | 'errorMessage'> & {
  title: string;
  description: string;
  severity: Severity;
  environment: string;
};

type Options = DecideOptions & ConsentOptions & PersonLimit & { store: Store };

/**
 * Files a message because a person asks for it: *File it*, *Investigate this*, 🔍. The channel's rules, its budget and
 * a pause do not apply, only the person's own limit. If the same alert has an open issue, the message counts toward
 * it. Repeating the request changes nothing, no matter who repeats it.
 */
export async function fileOnRequest(
  seen: Occurrence,
  by: string,
  options: Options,
  edit: IssueEdit | null = null,
): Promise<FilingOutcome> {
  if (await options.needsConsent(seen.channel)) {
    return { became: 'refused', limit: { needsConsent: seen.channel } };
  }
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const row = await tx.alerts.find(seen.channel, seen.ts);
    const before = await issueOfRow(tx, row);
    // With edits, a message that was filed before is filed again if its issue is closed.
    if (before && (before.isOpen || edit === null)) return { issueId: before.id, became: 'already' };
    const { settings } = await tx.channels.get(seen.channel);
    const problem = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
    const open = problem === null ? null : await tx.issues.openByIdentity(problem.identity);
    if (open) return takeIn(tx, { seen, by, problem, open, now });
    const limit = await limitReached(tx, by, options, now);
    if (limit) return { became: 'refused', limit };
    const issueId = await fileAlert(
      tx,
      {
        ...seen,
        ...(row?.issueId == null ? {} : { again: String(now) }),
        alert: edit === null ? seen.alert : { ...seen.alert, ...edit },
        problem,
        requestedBy: by,
        eyes: true,
      },
      settings,
      options,
    );
    const decided = { decision: 'filed', reason: 'requested', issueId } as const;
    await recordDecision(tx, seen, problem, decided, now);
    if (row !== null) await signFiled(tx, seen, issueId);
    await noteRecovery(tx, { seen, problem, issueId, firedAt: row?.decidedAt ?? now, now });
    await tx.audit.add({ at: now, who: by, what: 'filed it', issueId });
    await answerSuggestions(tx, seen, problem?.identity ?? null, { issueId, by, counted: false });
    return { issueId, became: 'filed' };
  });
}

/**
 * The alert may have recovered by now: *File it* is pressed, too, while the recovery takes the button away. The card says
 * so; the channel's rule for recoveries does not resolve what a person has just asked for.
 */
async function noteRecovery(
  tx: Aggregates,
  {
    seen,
    problem,
    issueId,
    firedAt,
    now,
  }: Omit<TakeIn, 'by' | 'open'> & { issueId: string; firedAt: number },
): Promise<void> {
  if (problem === null || (await recoveryBefore(tx, seen, problem.identity, firedAt)) === null) return;
  const issue = await tx.issues.get(issueId);
  if (issue) await tx.issues.apply(issueId, transitions.recover(issue, false, now));
}

interface TakeIn {
  seen: Occurrence;
  by: string;
  problem: AlertIdentity | null;
  open: Issue;
  now: number;
}

async function takeIn(tx: Aggregates, { seen, by, problem, open, now }: TakeIn): Promise<FilingOutcome> {
  // A recovery or an acknowledgement is not a firing, so it is not counted.
  if (seen.alert.kind !== 'firing') return { issueId: open.id, became: 'already' };
  await countRepeat(tx, open, problem, now);
  const hasTaken = await takeOver(tx, seen, open.id, now);
  if (!hasTaken) await wantShortCard(tx, seen, open, now);
  const decision = hasTaken ? 'filed' : 'repeat';
  await recordDecision(tx, seen, problem, { decision, reason: 'requested_open', issueId: open.id }, now);
  await signAgain(tx, [seen]);
  await tx.audit.add({ at: now, who: by, what: 'counted a message for it', issueId: open.id });
  await answerSuggestions(tx, seen, open.identity, { issueId: open.id, by, counted: true });
  return { issueId: open.id, became: 'counted' };
}

/** The issue that a message belongs to, or would count toward: an open one, or its own that has been closed since. */
export async function issueOfMessage(
  seen: Occurrence,
  options: Pick<Options, 'store' | 'defaultEnvironment'>,
): Promise<Issue | null> {
  const { store, defaultEnvironment } = options;
  const own = await issueOfRow(store, await store.alerts.find(seen.channel, seen.ts));
  if (own?.isOpen === true) return own;
  const { settings } = await store.channels.get(seen.channel);
  const problem = await alertIdentity(store, seen.alert, settings, defaultEnvironment);
  return (problem === null ? null : await store.issues.openByIdentity(problem.identity)) ?? own;
}

/** `null` too for an issue that was deleted at the service. */
async function issueOfRow(tx: Pick<Aggregates, 'issues'>, row: AlertRow | null): Promise<Issue | null> {
  if (row?.issueId == null || (row.decision !== 'filed' && row.decision !== 'repeat')) return null;
  const issue = await tx.issues.get(row.issueId);
  return issue?.state === 'gone' ? null : issue;
}

/**
 * Files an issue in a person's own words. It is stored first, and created at the service however long that is down.
 * Repeating a cause changes nothing.
 *
 * @returns why nothing was filed; `null` if it was
 */
export async function fileForPerson(
  {
    id,
    channel,
    by,
    request,
    now,
  }: { id: string; channel: string; by: string; request: IssueCreate; now: number },
  options: { store: Store } & PersonLimit & ConsentOptions,
): Promise<FilingRefusal | null> {
  if (await options.needsConsent(channel)) return { needsConsent: channel };
  return options.store.transaction(async (tx) => {
    if ((await tx.issues.get(id)) !== null) return null;
    const reached = await limitReached(tx, by, options, now);
    if (reached) return reached;
    const organization = await organizationFor(tx, channel);
    const place = { channel, threadTs: null, requestedBy: by, source: null, organization };
    await addIssue(tx, { id, identity: null, request, ...place, now });
    await tx.audit.add({ at: now, who: by, what: 'filed it', issueId: id });
    return null;
  });
}

const HOUR_MS = 60 * 60_000;

/** How many issues one person may file in an hour, by any means. */
export interface PersonLimit {
  filePerUserHour: number;
}

/** A person has filed as many issues as they may. */
export interface LimitReached {
  perHour: number;
  /** Milliseconds until they may file the next one. */
  waitMs: number;
}

/** Why nothing was filed for a person: their limit, or a private channel whose members have to agree first. */
export type FilingRefusal = LimitReached | { needsConsent: string };

/**
 * The limit if a person has reached it; `null` if they may file another issue. Alerts have their own limit
 * (`MAX_ISSUES_PER_DAY`); the two are independent.
 */
export async function limitReached(
  tx: Pick<Aggregates, 'issues'>,
  by: string,
  { filePerUserHour }: PersonLimit,
  now: number,
): Promise<LimitReached | null> {
  const since = now - HOUR_MS;
  const oldest = await tx.issues.nthFiledBy(by, since, filePerUserHour);
  return oldest === null ? null : { perHour: filePerUserHour, waitMs: oldest - since };
}
