import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { type IssueNumber, issueNumber } from '../../lib/issue-number.ts';
import { cutAtWord, displayName, oneLine } from '../../lib/text.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { causeOf } from './cause.ts';
import { checklistOf, nameOf } from './checklist.ts';

const DAY_MS = 24 * 60 * 60_000;
export const REMEMBERED_DAYS = 60;
/** So many of the newest are compared. */
const MOST = 50;

/** How an earlier issue ended; texts are untrusted, times in milliseconds. */
export interface Ending {
  number: IssueNumber | null;
  title: string;
  channel: string;
  threadTs: string | null;
  cause: string | null;
  /** What ended it: its alert recovered with no step done, a rollback, other steps, or somebody resolved it. */
  by: 'itself' | 'rollback' | 'steps' | 'person';
  /** The steps that were done. */
  steps: string[];
  notes: number;
  endedAt: number;
  /** From filing to recovery, or to the end where no recovery was seen. */
  tookMs: number;
}

const ROLLBACK = /\broll(?:ed)?[\s-]*back\b|\brevert/iu;

/**
 * Issues of the last 60 days that are over and are the same problem: of the same alert identity, or of the same kind and
 * place of cause among those of the same service. Newest first, and only those that `mayRead` lets through.
 */
export async function seenBefore(
  issue: Issue,
  now: number,
  store: Aggregates,
  mayRead: (other: Issue) => Promise<boolean>,
): Promise<Ending[]> {
  const candidates = await store.issues.endedLike(issue, now - REMEMBERED_DAYS * DAY_MS, MOST);
  const kind = candidates.every((one) => one.identity === issue.identity)
    ? null
    : await kindOf(issue.id, store);
  const found: Ending[] = [];
  for (const other of candidates) {
    const isSame =
      (issue.identity !== null && other.identity === issue.identity) ||
      (kind !== null && (await kindOf(other.id, store)) === kind);
    if (isSame && (await mayRead(other))) found.push(await endingOf(other, store));
  }
  return found;
}

async function newest(id: string, { results }: Pick<Aggregates, 'results'>) {
  const latest = await results.latest(id);
  return latest === null ? null : decodeStored(InvestigationResults, latest.body);
}

/** What a cause is undone by names its kind and its place: *roll back payments*; without versions, which differ. */
async function kindOf(id: string, store: Pick<Aggregates, 'results'>): Promise<string | null> {
  const results = await newest(id, store);
  if (!results?.rootCause?.rootCauseSummary) return null;
  const action = oneLine(results.remediation?.actions?.[0]?.title ?? '').toLowerCase();
  return action.replace(/\s(?:to|from)\s+\S*\d\S*|\S*\d+\.\d\S*/gu, '') || null;
}

async function endingOf(issue: Issue, store: Aggregates): Promise<Ending> {
  const results = await newest(issue.id, store);
  const done = checklistOf(results ?? {}, await store.checklistSteps.ofIssue(issue.id))
    .flat()
    .filter((step) => step.done !== null);
  const isRollback = done.some(({ action, step }) => ROLLBACK.test(`${action.title ?? ''} ${nameOf(step)}`));
  const isPersons = issue.lastAction?.includes('"resolved it"') === true;
  const endedAt = issue.recoveredAt ?? issue.statusSince;
  return {
    number: issueNumber(issue),
    title: displayName(issue),
    channel: issue.channel,
    threadTs: issue.threadTs,
    cause: (await causeOf(issue, store)) ?? null,
    by: isRollback ? 'rollback' : done.length > 0 ? 'steps' : isPersons ? 'person' : 'itself',
    steps: done.map(({ step }) => cutAtWord(nameOf(step), 80)),
    notes: (await store.notes.ofIssue(issue.id)).length,
    endedAt,
    tookMs: Math.max(0, endedAt - issue.createdAt),
  };
}

/** Whether a question is about earlier cases: *has this happened before?*, *what fixed it last time?* */
export function asksForMemory(question: string): boolean {
  const words = question
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  if (words.split(' ').length > 12) return false;
  return [
    /\b(?:this|it|that) (?:ever )?(?:happened|occurred|happen|occur) before\b/u,
    /\b(?:seen|had) (?:this|it|that) before\b/u,
    /\bwhat (?:fixed|ended|resolved|solved|helped)\b.*\blast time\b/u,
  ].some((pattern) => pattern.test(words));
}
