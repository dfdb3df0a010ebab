import type { Organization } from '../../contract/client/client.ts';
import type { IssueCreate } from '../../contract/schema.ts';
import { canonicalEnvironment } from '../alerts/identity.ts';
import type { Alert } from '../alerts/types.ts';
import { issueNumber, mayBeNamedIn } from '../shared/issue-number.ts';
import { isMoreSevere } from '../shared/severity.ts';
import { begins } from '../shared/tracing/spans.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { cardIntent, eyesIntent, shortCardIntent } from '../store/intents/issue-intents.ts';
import { readablePayloadOf } from '../store/intents/payloads.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { OutboxRow } from '../store/outbox.ts';
import { type AlertIdentity, environmentOf, severityOf } from './identity.ts';
import { awaitsMessage, type DecideOptions, hasMessage, type Occurrence } from './occurrence.ts';
import { mayBeShownIn, organizationFor } from './privacy.ts';
import { issueIdOf } from './reference.ts';
import { type Earlier, type OpenCause, requestForAlert, titleOf } from './request.ts';

/** A message that becomes an issue. */
interface ToFile {
  channel: string;
  ts: string;
  threadTs: string | null;
  permalink: string | null;
  alert: Alert;
  /** `null` if repeats cannot be recognized. */
  problem: AlertIdentity | null;
  /** Who requested it; `null` if it is filed automatically. */
  requestedBy: string | null;
  /** Tells apart issues that one message caused at different times. */
  again?: string;
  /** Whether to react to the message with 👀. */
  eyes: boolean;
}

/** Files a message: stores the issue to be created, and requests its card and the 👀. Returns the issue's id. */
export async function fileAlert(
  tx: Aggregates,
  message: ToFile,
  settings: ChannelSettings,
  options: Pick<DecideOptions, 'clock' | 'defaultEnvironment'>,
): Promise<string> {
  const { channel, ts, alert, problem } = message;
  const now = options.clock.now();
  const id = issueIdOf(channel, ts, ...(message.again === undefined ? [] : [message.again]));
  const organization = await organizationFor(tx, channel);
  const environment = environmentOf(alert, settings, options.defaultEnvironment);
  const earlier = problem === null ? null : await earlierOf(tx, problem.identity, channel, organization);
  const request = requestForAlert(
    alert,
    { issueId: id, channel, ts, permalink: message.permalink, organization },
    {
      environment,
      severity: severityOf(alert, settings),
      earlier,
      open: await openCauses(tx, {
        id,
        channel,
        organization,
        environment: canonicalEnvironment(environment),
      }),
      isTitleTaken: await tx.issues.isOpenTitled(channel, titleOf(alert, false)),
    },
  );
  await addIssue(tx, {
    id,
    identity: problem?.identity ?? null,
    request,
    channel,
    threadTs: message.threadTs ?? (awaitsMessage(ts) ? null : ts),
    requestedBy: message.requestedBy,
    organization,
    source: alert.format,
    earlier,
    now,
  });
  if (message.eyes && !awaitsMessage(ts)) {
    await tx.outbox.want(eyesIntent(id, message, now));
  }
  return id;
}

const MOST_TOLD = 5;

/** The causes that open incidents are known to have: the newest of those that may be named in the channel. */
async function openCauses(
  tx: Aggregates,
  place: Parameters<Aggregates['issues']['openBeside']>[0],
): Promise<OpenCause[]> {
  const open = await tx.issues.openBeside(place);
  return open
    .flatMap(({ symptomOf, number, cause, service }) =>
      symptomOf !== null || number === null || cause === null ? [] : [{ issue: number, cause, service }],
    )
    .slice(-MOST_TOLD);
}

/** The earlier issue of the same alert. One that belongs to another, private channel is not named. */
async function earlierOf(
  tx: Aggregates,
  identity: string,
  channel: string,
  organization: Organization,
): Promise<Earlier | null> {
  const last = await tx.issues.lastClosed(identity);
  const number = last === null ? null : issueNumber(last);
  if (last === null || number === null || last.joinedInto !== null) return null;
  if (!mayBeNamedIn(last.organization, organization)) return null;
  if (!(await mayBeShownIn(tx, last.channel, channel))) return null;
  return { number, resolvedAt: last.statusSince, rootCause: await rootCauseOf(tx, last) };
}

async function rootCauseOf(tx: Aggregates, issue: Issue): Promise<string | null> {
  const ended = issue.endedVersion > 0 ? await tx.results.get(issue.id, issue.endedVersion) : null;
  return ended?.results?.rootCause?.rootCauseSummary ?? null;
}

/** A card waits no longer for the service's answer, which usually saves an edit. */
const WAIT_FOR_NUMBER_MS = 2_500;

/** An issue to be created at the service, and where its card goes. */
interface IssueToAdd {
  id: string;
  identity: string | null;
  request: IssueCreate;
  channel: string;
  threadTs: string | null;
  requestedBy: string | null;
  organization: Organization;
  source: string | null;
  earlier?: Earlier | null;
  now: number;
}

/** Stores an issue to be created at the service, and requests its card. Returns false if it is already there. */
export async function addIssue(tx: Aggregates, issue: IssueToAdd): Promise<boolean> {
  const { request, now } = issue;
  const added = await tx.issues.add({
    id: issue.id,
    identity: issue.identity,
    isOpen: true,
    state: 'pending',
    request: JSON.stringify(request),
    status: 'investigating',
    statusSince: now,
    title: request.title,
    severity: request.severity ?? 'medium',
    environment: canonicalEnvironment(request.environment),
    service: request.context?.service ?? null,
    source: issue.source,
    alertUrl: request.context?.alertUrl ?? null,
    channel: issue.channel,
    threadTs: issue.threadTs,
    requestedBy: issue.requestedBy,
    organization: issue.organization,
    investigatingSince: now,
    createdAt: now,
    earlier: issue.earlier ? JSON.stringify(issue.earlier) : null,
  });
  if (!added) return false;
  begins(`issue:${issue.id}`);
  if (issue.requestedBy !== null) await tx.progress.begin(issue.id);
  // Of an alert whose own message is still to be posted, it goes into that one's thread.
  if (issue.threadTs !== null || issue.requestedBy !== null) await wantCard(tx, issue, now);
  return true;
}

/** Requests the card of an issue in its thread. */
export async function wantCard(
  tx: Aggregates,
  issue: Parameters<typeof cardIntent>[0],
  now: number,
): Promise<void> {
  await tx.outbox.want({ ...cardIntent(issue, now), notBefore: now + WAIT_FOR_NUMBER_MS });
}

/** Counts one more firing. */
export async function countRepeat(
  tx: Aggregates,
  open: Issue,
  problem: AlertIdentity | null,
  now: number,
): Promise<void> {
  await raiseSeverity(tx, open, problem);
  const returnsTo = statusToReturnTo({ ...open, statusBefore: open.status }, now);
  await tx.issues.apply(open.id, transitions.countRepeat(open, returnsTo, now));
  await tx.outbox.refreshCards(open.id);
}

/** An escalation raises the severity that the card shows; nothing lowers it. */
export async function raiseSeverity(
  tx: Aggregates,
  open: Issue,
  problem: Pick<AlertIdentity, 'severity'> | null,
): Promise<void> {
  if (problem === null || !isMoreSevere(problem.severity, open.raisedSeverity ?? open.severity)) return;
  await tx.issues.apply(open.id, transitions.raiseSeverity(problem.severity));
  await tx.outbox.refreshCards(open.id);
}

/** Requests a short card for a channel that the issue does not live in, once per channel; false if there is to be none. */
export async function wantShortCard(
  tx: Aggregates,
  seen: Pick<Occurrence, 'channel' | 'ts' | 'threadTs'>,
  issue: Issue,
  now: number,
): Promise<boolean> {
  // Held without a message, and not listed yet: there is no thread for it.
  if (seen.threadTs === null && !hasMessage(seen.ts)) return false;
  if (seen.channel === issue.channel || (await hasShortCard(tx, issue.id, seen.channel))) return false;
  const waits = issue.state === 'pending' && issue.failure === null;
  await tx.outbox.want({
    ...shortCardIntent(issue.id, seen, now),
    ...(waits ? { notBefore: issue.createdAt + WAIT_FOR_NUMBER_MS } : {}),
  });
  if (issue.endedVersion > 0) await tx.outbox.wantVerdicts(issue.id, issue.endedVersion, now);
  return true;
}

/** The message in whose thread a short card is posted, from its intent's payload; `null` if that is damaged. */
export function messageOfCard(card: Pick<OutboxRow, 'payload'>): { channel: string; ts: string } | null {
  return readablePayloadOf('short_card', card)?.alert ?? null;
}

/** Whether a channel has a short card for an issue, under a message that still counts toward it. */
export async function hasShortCard(tx: Aggregates, issueId: string, channel: string): Promise<boolean> {
  for (const card of await tx.outbox.shortCards(issueId)) {
    const message = messageOfCard(card);
    if (message?.channel !== channel) continue;
    const row = await tx.alerts.find(message.channel, message.ts);
    // Not recorded yet: it is being decided in this very transaction.
    if (row === null || row.issueId === issueId) return true;
  }
  return false;
}

/**
 * The status that an issue returns to when its alert fires again, or when its mute ends. A mute that has not ended
 * stays. Setting `investigating` would start a new investigation if the last one has ended.
 */
export function statusToReturnTo(issue: Issue, now: number): string {
  if (issue.mutedUntil !== null && issue.mutedUntil > now) return 'muted';
  const before = issue.statusBefore ?? 'ready_to_fix';
  return before === 'investigating' && issue.endedVersion >= issue.version ? 'ready_to_fix' : before;
}
