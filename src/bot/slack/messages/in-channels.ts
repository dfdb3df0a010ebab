import { displayName } from '../../../lib/text.ts';
import { type Stuck, stuckIssues, typicalTime } from '../../digest/digests.ts';
import { hygieneOf } from '../../digest/hygiene.ts';
import { type HeldAlertGroup, heldAlertGroups } from '../../filing/held.ts';
import { readReading } from '../../filing/occurrence.ts';
import { dayFreesAt } from '../../filing/throttle.ts';
import { causeOf, hasFailed, shownStatus } from '../../issues/cause.ts';
import { channelOf, consentOf, rightOf, scopeOf, serviceProblemOf, UNROUTED } from '../../problems/stored.ts';
import { recordOf } from '../../record/record.ts';
import { renderProblem, renderUnreadable } from '../../render/admin/problem.ts';
import { renderServiceProblem } from '../../render/admin/service-problem.ts';
import { renderMissed } from '../../render/alerts/missed.ts';
import { renderQueued } from '../../render/alerts/queued.ts';
import { suggestFiling, suggestionFiled, suggestionOver } from '../../render/alerts/suggestion.ts';
import { type DigestIssueView, type DigestView, renderDigest } from '../../render/digest/digest.ts';
import { renderHeld } from '../../render/held/held.ts';
import type { HeldProblemView } from '../../render/held/held-view.ts';
import type { Rendered } from '../../render/rendered.ts';
import { renderAnnouncement, renderTrialOver } from '../../render/settings/announcements.ts';
import { renderPlanEnded, renderPlanned } from '../../render/settings/plans.ts';
import { renderSystems } from '../../render/systems/systems.ts';
import { renderAlert } from '../../render/webhooks/alert.ts';
import { renderUnrouted } from '../../render/webhooks/unrouted.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import { rankOf } from '../../shared/severity.ts';
import type { DigestIssue } from '../../store/digests.ts';
import type { Hold } from '../../store/holds.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Identity } from '../app.ts';
import { severityOf, symptomsFor, toolName } from './cards.ts';
import { signOn } from './signs.ts';
import type { ContentDeps, ContentSource } from './source.ts';

export const alert: ContentSource = async (row, deps) => {
  const { store } = deps;
  const received = await store.receivedAlerts.get(payloadOf('alert', row).received);
  const reading = received === null ? null : readReading(received.reading);
  // Its issue was deleted, and the alert's text with it.
  if (received === null || reading === null) return { kind: 'nothing' };
  const rendered = renderAlert({
    ...reading,
    tool: received.tool,
    overAt: received.overAt,
    sign: await signOn(received, deps),
  });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: null };
};

/** 👀 on an alert's own message; then whether a cause was found, and ✅ once it is over, or what is configured. */
export const reaction: ContentSource = async (row, { store, reactions }) => {
  const { name, ts } = payloadOf('reaction', row);
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  // An issue that was attached to another is resolved, but its problem may not be.
  if (issue?.status === 'resolved' && issue.joinedInto === null) {
    return { kind: 'reaction', name: reactions.resolved, ts };
  }
  const head = issue?.symptomOf == null ? issue : await store.issues.get(issue.symptomOf);
  const cause = head === null ? undefined : await causeOf(head, store);
  if (cause === undefined || issue === null) return { kind: 'reaction', name, ts };
  if (cause === null && (await hasFailed(issue.id, issue.endedVersion, store)))
    return { kind: 'reaction', name, ts };
  return { kind: 'reaction', name: cause === null ? reactions.noCause : reactions.causeFound, ts };
};

export const announcement: ContentSource = async (row, { identity, store }) => {
  const payload = payloadOf('announcement', row);
  const rendered =
    payload.what === 'waiting'
      ? renderQueued({ ...payload, ...(await store.queued.counts(row.key)) })
      : payload.what === 'trial_over'
        ? renderTrialOver(
            row.channel,
            recordOf(await store.verdicts.inChannels([row.channel], payload.since)),
          )
        : render(payload, identity);
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

function render(
  payload: Exclude<Payload<'announcement'>, { what: 'waiting' | 'trial_over' }>,
  { botUserId }: Identity,
): Rendered {
  if (payload.what === 'backfilled') return renderMissed(payload);
  if (payload.what === 'unreadable') return renderUnreadable();
  if (payload.what === 'systems') return renderSystems(payload);
  if (payload.what === 'planned') return renderPlanned(payload);
  if (payload.what === 'plan_ended') return renderPlanEnded(payload);
  if (payload.what !== 'trouble') return renderAnnouncement(payload);
  if (payload.name === UNROUTED) return renderUnrouted(payload);
  const ofService = serviceProblemOf(payload.name);
  if (ofService !== null) {
    const { organization } = ofService;
    return renderServiceProblem({ ...payload, organization, right: rightOf(payload.name) });
  }
  const channel = channelOf(payload.name) ?? consentOf(payload.name);
  const of = channel === null ? { scope: scopeOf(payload.name) ?? payload.name } : { channel };
  return renderProblem({ ...payload, of, botUserId });
}

/** A digest that is later than this says so. */
const LATE_MS = 5 * 60_000;
const OFFENDERS = 5;

export const digest: ContentSource = async (row, deps) => {
  const { channel } = row;
  const { digests, votes } = deps.store;
  const { since, until, due, by, hygiene } = payloadOf('digest', row);
  const open = await withCauses(await digests.open(channel), deps);
  const resolved = await digests.resolved(channel, since, until);
  const shown = (issues: readonly DigestIssue[]) =>
    Promise.all(issues.toSorted(bySeverity).map((issue) => issueView(issue, channel, deps)));
  const stuck = stuckIssues(open, deps.clock.now()).toSorted((a, b) => bySeverity(a.issue, b.issue));
  const offenders = await digests.offenders(channel, since, until, OFFENDERS);
  const rendered = renderDigest({
    since,
    lateFrom: due !== null && sentAt(row, until, deps) - due > LATE_MS ? due : null,
    askedBy: by,
    open: byStatus(open),
    filed: await shown(await digests.filed(channel, since, until)),
    resolved: await shown(resolved),
    medianMs: typicalTime(resolved),
    stuck: await Promise.all(
      stuck.map(async ({ issue, why, from }: Stuck) => ({
        ...(await issueView(issue, channel, deps)),
        why,
        since: from,
      })),
    ),
    offenders: await Promise.all(
      offenders.map(async (issue) => ({
        ...(await issueView(issue, channel, deps)),
        times: Number(issue.times),
      })),
    ),
    votes: await votes.countIn(channel, since, until),
    record: recordOf(await deps.store.verdicts.inChannels([channel], since)),
    hygiene: hygiene ? await hygieneOf(channel, until, deps.store) : null,
    simulated: deps.simulated,
  });
  return { kind: 'messages', parts: [rendered], channel, threadTs: row.threadTs };
};

/** When the digest was sent. If an earlier attempt may have reached Slack, that is the time of the request. */
function sentAt({ sending }: OutboxRow, askedFor: number, { clock }: ContentDeps): number {
  return sending === null ? clock.now() : askedFor;
}

/** The issues with the status to show: of one whose investigation found nothing, that it did not. */
function withCauses<T extends DigestIssue>(issues: readonly T[], { store }: ContentDeps): Promise<T[]> {
  return Promise.all(
    issues.map(async (issue) => ({
      ...issue,
      status: await shownStatus(issue.status, { issue, cause: await causeOf(issue, store) }, store),
    })),
  );
}

/** The most severe first. */
function bySeverity(a: DigestIssue, b: DigestIssue): number {
  const [first, second] = [a, b].map((issue) => severityOf(issue).severity);
  return rankOf(second ?? '') - rankOf(first ?? '');
}

async function issueView(issue: DigestIssue, channel: string, deps: ContentDeps): Promise<DigestIssueView> {
  const { store, permalink } = deps;
  const { threadTs } = issue;
  return {
    symptoms: await symptomsFor(issue, channel, deps),
    cause: (await causeOf(issue, store)) ?? null,
    number: issueNumber(issue),
    title: displayName(issue),
    url: threadTs === null ? null : permalink(channel, threadTs),
    at: issue.investigatingSince ?? issue.createdAt,
  };
}

function byStatus(issues: readonly DigestIssue[]): DigestView['open'] {
  const counts = new Map<string, number>();
  for (const { status, number } of issues) {
    const shown = number === null ? 'filing' : status;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([status, n]) => ({ status, n })).sort((a, b) => b.n - a.n);
}

/** The message of a held batch, edited as alerts arrive. */
export const held: ContentSource = async (row, deps) => {
  const { store, clock, maxIssuesPerDay } = deps;
  const hold = await store.holds.get(payloadOf('held', row).hold);
  if (!hold) return { kind: 'nothing' };
  const { settings } = await store.channels.get(hold.channel);
  const freesAt = hold.reason === 'day' ? await dayFreesAt(store, maxIssuesPerDay) : null;
  const rendered = renderHeld({
    id: hold.id,
    reason: hold.reason,
    state: hold.state,
    lastAt: hold.lastAt,
    freesAt: freesAt !== null && freesAt > clock.now() ? freesAt : null,
    budget: settings.budget,
    maxIssuesPerDay,
    dismissedBy: hold.dismissedBy,
    problems: await heldProblemViews(hold, deps),
  });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

/** The problems of a held batch, most recently fired first. */
export async function heldProblemViews(
  { id, channel }: Pick<Hold, 'id' | 'channel'>,
  deps: ContentDeps,
): Promise<HeldProblemView[]> {
  const problems = await heldAlertGroups(deps.store, id);
  return Promise.all(
    problems.map(async (problem) => ({
      key: problem.first,
      state: problem.state,
      title: problem.alert.title,
      service: problem.alert.service,
      tool: toolName(problem.alert.format) ?? problem.sender,
      severity: problem.alert.severity,
      messages: problem.messages,
      issue: problem.issueId === null ? null : await issueOf(problem.issueId, problem, channel, deps),
    })),
  );
}

/** Links to the issue's thread only if it is in this channel, since readers may not be members of others. */
async function issueOf(
  id: string,
  { state }: HeldAlertGroup,
  channel: string,
  { store, permalink }: ContentDeps,
): Promise<HeldProblemView['issue']> {
  if (state !== 'filed' && state !== 'joined') return null;
  const issue = await store.issues.get(id);
  if (!issue) return null;
  const isHere = issue.channel === channel && issue.threadTs !== null;
  return {
    number: issueNumber(issue),
    refused: issue.state === 'failed',
    url: isHere && issue.threadTs ? permalink(channel, issue.threadTs) : null,
  };
}

/** *File it* under an alert, or its outcome. */
export const suggestion: ContentSource = async (row, { store }) => ({
  kind: 'messages',
  parts: [await rendered(row, store)],
  channel: row.channel,
  threadTs: row.threadTs,
});

async function rendered(row: OutboxRow, store: Store): Promise<Rendered> {
  const { alert, by, counted } = payloadOf('suggestion', row);
  if (by !== undefined && row.issueId !== null) {
    const issue = await store.issues.get(row.issueId);
    const number = issue === null ? null : issueNumber(issue);
    return suggestionFiled({ number, by, counted });
  }
  const decided = await store.alerts.find(alert.channel, alert.ts);
  const isOver = decided?.outcome === 'recovered' || decided?.kind === 'resolved';
  return isOver ? suggestionOver() : suggestFiling(alert);
}
