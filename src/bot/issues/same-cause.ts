import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { type IssueNumber, issueNumber } from '../shared/issue-number.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';

const MAX_KEY = 200;
/** Far more than an overview has. */
const MOST_READ = 5_000;

/**
 * Kind and place of the cause that results name, as text to compare: *bad deploy of payments*. Versions and other
 * numbers differ from case to case, and are left out. `null` without a cause.
 */
export function causeKeyOf(results: InvestigationResults): string | null {
  const { rootCause, remediation } = results;
  if (!/\S/u.test(rootCause?.rootCauseSummary ?? '')) return null;
  // What undoes a cause names its kind and place too.
  const words = causeNodeOf(results)?.title ?? remediation?.actions?.[0]?.title ?? '';
  const key = oneLine(words.trim() || (rootCause?.rootCauseSummary ?? ''))
    .toLowerCase()
    .replace(/(?:\s(?:to|from))?\s\S*\d+\.\d\S*/gu, '');
  return key === '' ? null : cutAtWord(key, MAX_KEY);
}

/**
 * The open issue whose results say the same as these: the same kind and place of cause in the same environment, at
 * overlapping times, and the same change where both name one. It was investigated first, has its own results, and may be
 * named in this issue's channel.
 */
export async function sameCauseIn(
  tx: Aggregates,
  issue: Issue,
  results: InvestigationResults,
): Promise<Issue | null> {
  const key = causeKeyOf(results);
  if (key === null || issue.joinedInto !== null) return null;
  for (const other of await tx.issues.openOfCause(issue, key)) {
    const latest = await tx.results.latest(other.id);
    const theirs = latest === null ? null : decodeStored(InvestigationResults, latest.body);
    if (theirs === null) continue;
    if (isSameEpisode({ issue: other, results: theirs }, { issue, results })) return other;
  }
  return null;
}

/** The cause in the graph. */
export function causeNodeOf({ causalTreeV2 }: InvestigationResults) {
  return causalTreeV2?.nodes?.find(({ nodeType }) => /^(?:root[\s_-]?)?cause$/iu.test(nodeType ?? ''));
}

interface Episode {
  issue: Pick<Issue, 'createdAt' | 'recoveredAt'>;
  results: InvestigationResults;
}

function isSameEpisode(one: Episode, other: Episode): boolean {
  const [changes, others] = [changesOf(one.results), changesOf(other.results)];
  if (changes.size > 0 && others.size > 0) return [...changes].some((change) => others.has(change));
  const begins = [one, other].map(({ issue, results }) => Math.min(issue.createdAt, ...momentsOf(results)));
  const ends = [one, other].map(({ issue }) => issue.recoveredAt ?? Number.POSITIVE_INFINITY);
  return Math.max(...begins) <= Math.min(...ends);
}

function changesOf({ timeline = [] }: InvestigationResults): Set<string> {
  const changes = timeline.filter(({ type }) => /change|deploy|config|release|flag/iu.test(type ?? ''));
  return new Set(
    changes.map(({ timestamp, title }) => `${Date.parse(timestamp ?? '')} ${oneLine(title ?? '')}`),
  );
}

function momentsOf({ timeline = [] }: InvestigationResults): number[] {
  return timeline.map(({ timestamp }) => Date.parse(timestamp ?? '')).filter((at) => !Number.isNaN(at));
}

/** New results of an issue no longer say what those do that refer to it: these stand for themselves again. */
export async function releaseOthers(
  tx: Aggregates,
  { id }: Pick<Issue, 'id'>,
  results: InvestigationResults,
): Promise<void> {
  const key = causeKeyOf(results);
  for (const other of await tx.issues.ofSameCause(id)) {
    if (other.cause === key) continue;
    await tx.issues.apply(other.id, transitions.standAlone());
    await tx.outbox.refreshCards(other.id);
  }
}

const MOST_BESIDE = 3;

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
  const words = incidentOverview.slice(0, MOST_READ).match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*(?<=[\p{L}\p{N}])/gu);
  const mentioned = new Set(words);
  const found = new Map<string, IssueNumber>();
  if (mentioned.size === 0) return [];
  for (const other of await store.issues.openBeside(issue)) {
    const number = issueNumber(other);
    const name = [other.cause?.split(' ').at(-1), other.service].find((one) => one && mentioned.has(one));
    if (number === null || !name || name === issue.service || found.has(name)) continue;
    found.set(name, number);
  }
  return [...found].slice(0, MOST_BESIDE).map(([name, number]) => ({ name, number }));
}
