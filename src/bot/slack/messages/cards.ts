import { z } from 'zod';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { NO_PRIVATE_KEY } from '../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { displayName } from '../../../lib/text.ts';
import { formats } from '../../alerts/formats/index.ts';
import { messageOfCard } from '../../filing/file.ts';
import { alertOf } from '../../filing/occurrence.ts';
import { causeIn, causeOf, hasFailed, shownStatus, statusFrom } from '../../issues/cause.ts';
import { checklistOf, progressOf } from '../../issues/checklist.ts';
import { causesOf, shortCause } from '../../issues/last-time.ts';
import { REMEMBERED_DAYS, seenBefore } from '../../issues/memory.ts';
import { recordOfIssue } from '../../record/keep.ts';
import { renderCard } from '../../render/issues/card.ts';
import type { HeadView, MemberView } from '../../render/issues/incident.ts';
import { seenLine } from '../../render/issues/memory.ts';
import { renderMovedCard, renderShortCard, renderSymptomCard } from '../../render/issues/short-card.ts';
import { renderVerdict } from '../../render/results/verdict.ts';
import type { CardView, Offers, PrivateCardView, Relations, ShortCardView } from '../../render/views.ts';
import {
  byIssueNumber,
  type IssueNumber,
  issueNumber,
  StoredIssueNumber,
} from '../../shared/issue-number.ts';
import { isMoreSevere } from '../../shared/severity.ts';
import type { AlertRow } from '../../store/alerts.ts';
import type { CardFacts } from '../../store/cards.ts';
import type { OutboxKey } from '../../store/intents/keys.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import { readReason } from '../../store/reasons.ts';
import type { TicketRow } from '../../store/tickets.ts';
import { mayAskOwner, ownerViews, pageOffer } from './owners.ts';
import { runbookLinks } from './runbooks.ts';
import { type ContentDeps, type ContentSource, isAwaited, readable, withoutMembership } from './source.ts';

type ViewDeps = ContentDeps;

// An unreadable value is left out: the card still shows the issue's status.
const LastAction = z.object({ userId: z.string(), what: z.string(), at: z.number() });
const Note = z.object({ text: z.string(), at: z.number(), channel: z.string().optional() });
const Earlier = z.object({
  number: StoredIssueNumber,
  resolvedAt: z.number(),
  rootCause: z.string().nullable(),
});

/** What a card shows of an issue in a channel that may see all of it. */
export async function cardView(issue: Issue, channel: string, deps: ViewDeps): Promise<CardView> {
  const { store, simulated } = deps;
  const facts = await store.cards.of(issue, channel);
  const cause = causeIn(issue, facts.latest);
  const results = facts.latest?.results ?? null;
  const [incident, note, flapping, owners, runbooks, seen, record, offers] = await Promise.all([
    incidentFor(issue, channel, facts, deps),
    noteFor(issue, channel, deps),
    flappingOf(issue, facts, store),
    ownerViews(issue, deps),
    runbookLinks(issue, deps),
    seenIn(issue, channel, deps),
    recordOfIssue(issue, store),
    offersFor(issue, channel, facts, deps),
  ]);
  const symptomOf = incident.head === null ? null : issue.symptomOf;
  return {
    issueId: issue.id,
    number: issueNumber(issue),
    title: issue.title,
    ...worstOf([
      issue,
      ...facts.symptoms.filter(({ channel: of }) => of === channel || of === issue.channel),
    ]),
    environment: issue.environment,
    service: issue.service,
    status: statusFrom(statusOf(issue), { symptomOf, cause, hasFailed: facts.hasFailed }),
    failure: issue.failure ?? unreachable(issue, store),
    statusSince: issue.statusSince,
    source: toolName(issue.source),
    alertUrl: issue.alertUrl,
    repeats: issue.repeats,
    lastRepeatAt: issue.lastRepeatAt,
    recoveredAt: issue.recoveredAt,
    lastAction: lastActionOf(issue),
    note,
    mutedUntil: issue.mutedUntil,
    hidden: issue.hidden,
    earlier: issue.earlier === null ? null : decodeStored(Earlier, issue.earlier),
    relations: relationsIn(facts),
    progress: results === null ? null : progressOf(checklistOf(results, facts.ticks).flat()),
    notes: facts.notes,
    ticket: facts.ticket,
    incident,
    flapping,
    owners,
    runbooks,
    seen,
    record,
    investigation: investigationOf(issue, facts, results),
    requestedBy: issue.requestedBy,
    offers,
    simulated,
  };
}

/** How often the same problem was seen before, as far as the readers of a channel may know. */
async function seenIn(issue: Issue, channel: string, deps: ViewDeps): Promise<string | null> {
  if (issue.state !== 'created') return null;
  const may = (other: Issue) => deps.mayRead({ channel }, other);
  return seenLine(await seenBefore(issue, deps.clock.now(), deps.store, may), REMEMBERED_DAYS);
}

/** The incident that an issue belongs to, as far as the readers of a channel may know of it. */
async function incidentFor(
  issue: Issue,
  channel: string,
  { head, symptoms }: Pick<CardFacts, 'head' | 'symptoms'>,
  deps: ViewDeps,
): Promise<NonNullable<CardView['incident']>> {
  const shown = await membersFor(symptoms, channel, deps);
  const own = { ...memberOf(issue), number: null };
  return { head: await headView(head, channel, deps), members: shown.length === 0 ? [] : [own, ...shown] };
}

/** The symptoms of an incident that the readers of a channel may know of. */
async function membersFor(
  symptoms: readonly Issue[],
  channel: string,
  { mayRead }: Pick<ViewDeps, 'mayRead'>,
): Promise<MemberView[]> {
  const members: MemberView[] = [];
  for (const symptom of symptoms) {
    if (symptom.state === 'gone' || !(await mayRead({ channel }, symptom))) continue;
    members.push(memberOf(symptom));
  }
  return members;
}

/** The same of an issue in a list. */
export async function symptomsFor(
  { id }: Pick<Issue, 'id'>,
  channel: string,
  deps: Pick<ViewDeps, 'store' | 'mayRead'>,
): Promise<MemberView[]> {
  return membersFor(await deps.store.issues.symptomsOf(id), channel, deps);
}

function memberOf(issue: Issue): MemberView {
  const isAlert = issue.source !== null;
  return {
    name: issue.service ?? displayName(issue),
    number: issueNumber(issue),
    isAlert,
    isFiring: isAlert && issue.isOpen && issue.recoveredAt === null,
    hasRecovered: issue.recoveredAt !== null,
  };
}

/** The issue that leads, as far as the readers of a channel may know of it. */
export async function headView(
  head: Issue | null,
  channel: string,
  { store, mayRead, permalink }: Pick<ViewDeps, 'store' | 'mayRead' | 'permalink'>,
): Promise<HeadView | null> {
  if (head === null || head.state === 'gone' || !(await mayRead({ channel }, head))) return null;
  const results = await store.results.newest(head.id);
  return {
    number: issueNumber(head),
    title: displayName(head),
    cause: results === null ? null : shortCause(results),
    url: head.threadTs === null ? null : permalink(head.channel, head.threadTs),
    resolvedAt: head.status === 'resolved' ? head.statusSince : null,
  };
}

/** What fires more often than it is looked at, and what its looks found. */
async function flappingOf(
  { id }: Issue,
  { newestReason }: CardFacts,
  { results }: Store,
): Promise<NonNullable<CardView['flapping']> | null> {
  const reason = newestReason === null ? null : readReason(newestReason);
  if (reason === null || typeof reason === 'string' || reason.code !== 'flapping') return null;
  return { times: reason.times, minutes: reason.minutes, causes: await causesOf({ results }, id) };
}

/** The progress or outcome of an investigation that somebody requested. */
function investigationOf(
  { state, version, endedVersion }: Issue,
  { found, latest }: CardFacts,
  results: InvestigationResults | null,
): CardView['investigation'] {
  if (found === null || state !== 'created') return null;
  if (endedVersion < version) return { found };
  return results === null || latest?.version !== endedVersion ? null : { results };
}

/** Why an issue cannot be changed: Gumshoe has no API key for its organization. */
function unreachable({ organization, state }: Issue, store: Store): string | null {
  const isThere = organization === 'private' && (state === 'created' || state === 'pending');
  return isThere && !store.hasPrivateOrganization ? NO_PRIVATE_KEY : null;
}

/** What other channels may see of a private channel's issue. */
export async function privateView(
  issue: Issue,
  { store, simulated }: Pick<ViewDeps, 'store' | 'simulated'>,
  stated = statusOf(issue),
): Promise<PrivateCardView> {
  const { severity } = severityOf(issue);
  const { environment } = issue;
  const alone = { ...issue, symptomOf: null };
  const status = await shownStatus(stated, { issue: alone, cause: await causeOf(issue, store) }, store);
  return { number: issueNumber(issue), status, severity, environment, simulated };
}

/** The severity to show, and the one before an escalation raised it. */
export function severityOf({ severity, raisedSeverity: raised }: Pick<Issue, 'severity' | 'raisedSeverity'>) {
  return raised !== null && isMoreSevere(raised, severity)
    ? { severity: raised, raisedFrom: severity }
    : { severity, raisedFrom: null };
}

/** The worst severity of an incident's alerts, as far as they are of its channel: others may be private. */
function worstOf([first, ...others]: readonly [Issue, ...Issue[]]) {
  const own = severityOf(first);
  const worst = others
    .map((other) => severityOf(other).severity)
    .reduce((most, one) => (isMoreSevere(one, most) ? one : most), own.severity);
  return worst === own.severity ? own : { severity: worst, raisedFrom: own.severity };
}

/** The service's status, or ours while there is none. */
export function statusOf(issue: Issue): string {
  const instead = { pending: 'filing', failed: 'failed', gone: 'deleted' } as const;
  return issue.state === 'created' ? issue.status : instead[issue.state];
}

function lastActionOf(issue: Issue): CardView['lastAction'] {
  return issue.lastAction === null ? null : decodeStored(LastAction, issue.lastAction);
}

/** What the tool last said about the alert, if the channel it said it in may be quoted. */
async function noteFor(issue: Issue, channel: string, { mayRead }: ViewDeps): Promise<CardView['note']> {
  const note = issue.note === null ? null : decodeStored(Note, issue.note);
  if (note === null) return null;
  const { text, at, channel: from } = note;
  return (await mayRead({ channel }, { channel: from ?? issue.channel })) ? { text, at } : null;
}

/** Whether a channel has a message that could be split off the issue. */
async function hasRepeatIn(issue: Issue, channel: string, store: Store): Promise<boolean> {
  if (issue.joinedInto !== null || issue.state === 'gone') return false;
  const rows = await store.alerts.ofIssue(issue.id, 2, channel);
  return rows.some(({ decision }) => decision === 'repeat');
}

function relationsIn({ attachedTo, attached, apartFrom, apart }: CardFacts): Relations {
  const numbers = (of: readonly Issue[]) =>
    of.flatMap((other) => issueNumber(other) ?? []).sort(byIssueNumber);
  return {
    attachedTo: attachedTo && issueNumber(attachedTo),
    attached: numbers(attached),
    apartFrom: apartFrom && issueNumber(apartFrom),
    apart: numbers(apart),
  };
}

async function offersFor(issue: Issue, channel: string, facts: CardFacts, deps: ViewDeps): Promise<Offers> {
  const isHere = channel === issue.channel;
  const isCurrent = issue.state === 'created' && issue.joinedInto === null;
  return {
    catchUp: issue.state === 'created',
    notSame: isHere && issue.joinedInto === null && issue.state !== 'gone' && facts.hasRepeat,
    attach: isHere && isCurrent,
    investigateAgain: isCurrent && issue.endedVersion >= issue.version,
    delete: issue.state === 'created',
    askOwner: isCurrent && (await mayAskOwner(issue, deps)),
    page: isCurrent && isHere ? await pageOffer(issue, deps) : null,
    ticket:
      isCurrent && issue.symptomOf === null && (deps.tickets ?? null) !== null && mayWantTicket(facts.ticket),
    evidence: isCurrent && facts.isEvidenced,
    attachTo: isHere && issue.joinedInto === null ? await attachableTo(issue, facts.apartFrom, deps) : null,
  };
}

/** Whether there is none, and none on its way. */
function mayWantTicket(row: TicketRow | null): boolean {
  return row === null || row.state === 'failed' || row.state === 'gone';
}

/** The issue that this one was split off from, while it can still be attached to it again. */
async function attachableTo(
  issue: Issue,
  from: Issue | null,
  { mayRead }: ViewDeps,
): Promise<IssueNumber | null> {
  if (from?.isOpen !== true || from.joinedInto !== null) return null;
  return (await mayRead({ channel: issue.channel }, from)) ? issueNumber(from) : null;
}

/** The product name of the tool whose format parsed the alert. */
export function toolName(format: string | null): string | null {
  return formats.find(({ name }) => name === format)?.tool ?? null;
}

export const card: ContentSource = async (row, deps) => {
  const issue = row.issueId === null ? null : await deps.store.issues.get(row.issueId);
  if (!issue) return { kind: 'nothing' };
  const view = await cardView(issue, issue.channel, deps);
  const head = view.incident?.head ?? null;
  const own = head === null ? renderCard(view, deps.clock.now()) : renderSymptomCard(view, head);
  const rendered = withoutMembership(own, row, deps.identity.botUserId);
  return {
    kind: 'messages',
    parts: [rendered],
    channel: row.channel,
    threadTs: row.threadTs,
  };
};

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
    status: await shownStatus(statusOf(issue), { issue, cause: await causeOf(issue, store) }, store),
    statusSince: issue.statusSince,
    mutedUntil: issue.mutedUntil,
    fired: await store.alerts.countOfIssue(issue.id, channel),
    lastFiredAt: last?.decidedAt ?? null,
    recoveredAt: issue.recoveredAt,
    note: await noteFor(issue, channel, deps),
    home,
    // Names of a private channel's members are not shown elsewhere.
    lastAction: home === null ? null : lastActionOf(issue),
    notSame: await hasRepeatIn(issue, channel, store),
    simulated,
  };
}

/** Where the issue lives, as far as another channel may know. */
async function homeFor(
  issue: Issue,
  channel: string,
  { mayRead, permalink }: ContentDeps,
): Promise<ShortCardView['home']> {
  if (!(await mayRead({ channel }, issue))) return null;
  const { channel: home, threadTs } = issue;
  return { channel: home, url: threadTs === null ? null : permalink(home, threadTs) };
}

/** In a second channel's thread: the investigation's verdict. */
export const verdict: ContentSource = async (row, deps) => {
  const { store, simulated } = deps;
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  const { version: own, card } = payloadOf('verdict', row);
  if (!issue || !(await isCurrentFor(issue.id, card, store))) return { kind: 'nothing' };
  if (isAwaited(await store.outbox.get(card))) return { kind: 'later' };
  // A symptom has no verdict beside that of the issue that leads.
  const head = issue.symptomOf === null ? null : await store.issues.get(issue.symptomOf);
  const of = head !== null && (await deps.mayRead({ channel: row.channel }, head)) ? head : issue;
  const version = of === issue ? own : of.endedVersion;
  const number = issueNumber(of);
  if (number === null) return { kind: 'nothing' };
  const stored = await store.results.get(of.id, version);
  const home = await homeFor(of, row.channel, deps);
  const rendered = renderVerdict({
    number,
    version,
    results: stored === null ? null : readable(stored),
    failed: stored === null && (await hasFailed(of.id, version, store)),
    home,
    withheld: home === null ? [of.title, displayName(of)] : [],
    simulated,
  });
  const { settings } = await store.channels.get(row.channel);
  return {
    kind: 'messages',
    parts: [rendered],
    channel: row.channel,
    threadTs: row.threadTs,
    broadcast: settings.broadcast,
  };
};

/** Whether the message of the short card still counts for the issue. */
async function isCurrentFor(issueId: string, card: OutboxKey, store: Store): Promise<boolean> {
  const row = await store.outbox.get(card);
  if (row === null) return false;
  const place = messageOfCard(row);
  if (place === null) return false;
  return (await store.alerts.find(place.channel, place.ts))?.issueId === issueId;
}
