import type { InvestigationResults } from '../../contract/answers.ts';
import { oneLine } from '../../lib/text.ts';
import { mayBeShownIn } from '../filing/privacy.ts';
import { type IssueNumber, issueNumber } from '../shared/issue-number.ts';
import { symptomIntent } from '../store/intents/issue-intents.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { causeKeyOf, causeNodeOf, causePlaceOf, namesIn } from './cause.ts';

/** What one issue's results say that others are compared with. */
interface Reading {
  issue: Pick<Issue, 'service' | 'investigatingSince' | 'recoveredAt'>;
  /** Kind and place of its cause; `null` if none was found. */
  key: string | null;
  /** The service, or the object, that the cause is at. */
  place: string | null;
  /** 0 without a cause, 3 for one of high confidence. */
  sure: number;
  /** Everything between the cause and what the alert is about, as far as it is named. */
  path: ReadonlySet<string>;
  /** The services of those that are its symptoms already. */
  symptoms: ReadonlySet<string>;
  results: InvestigationResults;
}

const SURE: Readonly<Record<string, number>> = { high: 3, medium: 2, low: 1 };

function readingOf(issue: Reading['issue'], results: InvestigationResults): Reading {
  const key = causeKeyOf(results);
  const cause = key === null ? undefined : causeNodeOf(results);
  const nodes = key === null ? [] : (results.causalTreeV2?.nodes ?? []);
  const words = nodes.flatMap(({ id = '', title = '' }) => [id, ...namesIn(title)]);
  const named = namesIn(cause?.title ?? key ?? '');
  return {
    issue,
    key,
    place: causePlaceOf(results) ?? named.at(-1) ?? null,
    sure: key === null ? 0 : (SURE[(cause?.confidence ?? '').toLowerCase()] ?? 1),
    path: new Set(issue.service === null ? words : [...words, issue.service]),
    symptoms: new Set(),
    results,
  };
}

/** How an issue relates to an incident: it is apart, a symptom of it, or explains it and leads it from now on. */
type Relation = 'apart' | 'symptom' | 'head';

/**
 * Whether two issues are one incident: at overlapping times, with the same cause, or on one call path. The one that knows the
 * cause best leads, and the first of equals. Two causes at different places that are both certain stay apart.
 */
function relate(one: Reading, first: Reading): Relation {
  if (!overlap(one, first)) return 'apart';
  if (one.key !== null && one.key === first.key) return isSameChange(one, first) ? 'symptom' : 'apart';
  if (one.key === null && first.key === null) return 'apart';
  const isSamePlace = one.place !== null && one.place === first.place;
  if (!isSamePlace && !meet(one, first)) return 'apart';
  if (!isSamePlace && one.sure === 3 && first.sure === 3) return 'apart';
  return one.sure > first.sure ? 'head' : 'symptom';
}

/** Alerts of one trouble come within so many milliseconds; later ones have to show its cause. */
const STORM_MS = 5 * 60_000;

function meet(one: Reading, other: Reading): boolean {
  const isStorm = Math.abs(beginOf(one) - beginOf(other)) <= STORM_MS;
  const isOn = ({ place, issue }: Reading, { path, symptoms }: Reading) =>
    [place, ...(isStorm ? [issue.service] : [])].some(
      (name) => name !== null && (path.has(name) || (isStorm && symptoms.has(name))),
    );
  return isOn(one, other) || isOn(other, one);
}

function beginOf({ issue, results }: Reading): number {
  return Math.min(issue.investigatingSince, ...signsOf(results));
}

function overlap(one: Reading, other: Reading): boolean {
  const both = [one, other];
  const ends = both.map(({ issue }) => issue.recoveredAt ?? Number.POSITIVE_INFINITY);
  return Math.max(...both.map(beginOf)) <= Math.min(...ends);
}

const CHANGE = /change|deploy|config|release|flag/iu;

/** When it showed; what was changed before is no sign of it. */
function signsOf({ timeline = [] }: InvestigationResults): number[] {
  return timeline
    .filter(({ type }) => !CHANGE.test(type ?? ''))
    .map(({ timestamp }) => Date.parse(timestamp ?? ''))
    .filter((at) => !Number.isNaN(at));
}

/** When a change was seen differs with the samples that were read. */
const SAME_MOMENT_MS = 2 * 60_000;

function isSameChange(one: Reading, other: Reading): boolean {
  const [changes, others] = [changesOf(one.results), changesOf(other.results)];
  const isSame = (a: Seen) =>
    others.some((b) => a.title === b.title && !(Math.abs(a.at - b.at) > SAME_MOMENT_MS));
  return changes.length === 0 || others.length === 0 || changes.some(isSame);
}

interface Seen {
  title: string;
  /** `NaN` if that is not said. */
  at: number;
}

function changesOf({ timeline = [] }: InvestigationResults): Seen[] {
  return timeline
    .filter(({ type }) => CHANGE.test(type ?? ''))
    .map(({ timestamp, title }) => ({ title: oneLine(title ?? ''), at: Date.parse(timestamp ?? '') }));
}

/**
 * An issue has new results: finds the open incident that it belongs to, and those that it explains, whose threads say so. What
 * no longer belongs to it becomes an issue of its own again.
 *
 * @param isAnew whether they tell of a new firing: what belonged to the one before stays
 * @returns the issue that leads its incident; `null` if it does itself, or is alone
 */
export async function joinIncident(
  tx: Aggregates,
  issue: Issue,
  results: InvestigationResults,
  { at, isAnew }: { at: number; isAnew: boolean },
): Promise<Issue | null> {
  if (issue.joinedInto !== null) return null;
  const mine = readingOf(issue, results);
  const taught = await tx.identityOverrides.taughtAbout(issue.identity);
  if (!isAnew) await releaseSymptoms(tx, issue, mine, taught);
  const open = await tx.issues.openBeside(issue);
  const heads = open.filter(({ symptomOf }) => symptomOf === null);
  const explained: Issue[] = [];
  let head: Issue | null = null;
  for (const other of heads) {
    const symptoms = open.filter(({ symptomOf }) => symptomOf === other.id);
    const relation = await relationTo(tx, mine, other, symptoms, taught);
    if (relation === 'symptom') head ??= other;
    if (relation === 'head' && (await mayBeShownIn(tx, issue.channel, other.channel))) explained.push(other);
  }
  const leader = head ?? issue;
  // What is over together stays one incident: a later look tells of another time.
  const former = issue.symptomOf === null ? null : await tx.issues.get(issue.symptomOf);
  const stays = former?.status === 'resolved' && issue.recoveredAt !== null ? former.id : null;
  await tx.issues.apply(issue.id, transitions.joinIncident(head?.id ?? stays));
  if (head !== null) await tx.issues.moveSymptoms(issue.id, head.id);
  for (const other of explained) await putUnder(tx, other, leader, at);
  if (leader.id !== issue.id || explained.length > 0) await tx.outbox.refreshCards(leader.id);
  return head;
}

/** What people taught comes first; results count where they are kept, and the services of symptoms are on the path. */
async function relationTo(
  tx: Aggregates,
  mine: Reading,
  head: Issue,
  symptoms: readonly Issue[],
  taught: ReadonlyMap<string, 'together' | 'apart'>,
): Promise<Relation> {
  const lesson = head.identity === null ? undefined : taught.get(head.identity);
  if (lesson === 'apart') return 'apart';
  const found = head.endedVersion > 0 ? await tx.results.newest(head.id) : null;
  if (found === null) return lesson === 'together' ? 'symptom' : 'apart';
  const theirs = readingOf(head, found);
  if (lesson === 'together') return mine.sure > theirs.sure ? 'head' : 'symptom';
  const services = symptoms.flatMap(({ service }) => service ?? []);
  return relate(mine, { ...theirs, symptoms: new Set(services) });
}

/** An issue that led, or was alone, is a symptom of another one: its thread says so, and its symptoms go with it. */
async function putUnder(tx: Aggregates, issue: Issue, head: Issue, at: number): Promise<void> {
  await tx.issues.moveSymptoms(issue.id, head.id);
  await tx.issues.apply(issue.id, transitions.joinIncident(head.id));
  await tx.outbox.want(symptomIntent(issue, head.id, at));
  await tx.outbox.refreshCards(issue.id);
}

/** A symptom that the new results no longer explain becomes an issue of its own again, unless people said that it belongs here. */
async function releaseSymptoms(
  tx: Aggregates,
  issue: Issue,
  mine: Reading,
  taught: ReadonlyMap<string, 'together' | 'apart'>,
): Promise<void> {
  for (const symptom of await tx.issues.symptomsOf(issue.id)) {
    if (symptom.identity !== null && taught.get(symptom.identity) === 'together') continue;
    const found = await tx.results.newest(symptom.id);
    if (found === null || relate(readingOf(symptom, found), mine) !== 'apart') continue;
    await tx.issues.apply(symptom.id, transitions.joinIncident(null));
    await tx.outbox.refreshCards(symptom.id);
  }
}

const MOST_BESIDE = 3;
/** Far more than an overview has. */
const MOST_READ = 5_000;

/**
 * Where no cause was found but the results name other services: the open issues about these, as far as they may be named
 * in this issue's channel.
 */
export async function openAbout(
  store: Aggregates,
  issue: Issue,
  results: InvestigationResults,
): Promise<{ name: string; number: IssueNumber }[]> {
  const { rootCauseSummary = '', incidentOverview = '' } = results.rootCause ?? {};
  if (/\S/u.test(rootCauseSummary)) return [];
  const mentioned = new Set(namesIn(incidentOverview.slice(0, MOST_READ)));
  const found = new Map<string, IssueNumber>();
  for (const other of mentioned.size === 0 ? [] : await store.issues.openBeside(issue)) {
    const number = issueNumber(other);
    const name = [other.cause?.split(' ').at(-1), other.service].find((one) => one && mentioned.has(one));
    if (number !== null && name && name !== issue.service) found.set(name, number);
  }
  return [...found].slice(0, MOST_BESIDE).map(([name, number]) => ({ name, number }));
}
