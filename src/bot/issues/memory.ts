import { z } from 'zod';
import type { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { cutAtWord, displayName, nearest } from '../../lib/text.ts';
import { type IssueNumber, issueNumber } from '../shared/issue-number.ts';
import type { Issue } from '../store/issues.ts';
import type { Note } from '../store/notes.ts';
import type { Aggregates } from '../store/open.ts';
import { causeOf } from './cause.ts';
import { checklistOf, stepName } from './checklist.ts';

const DAY_MS = 24 * 60 * 60_000;
export const REMEMBERED_DAYS = 60;
/** So many of the newest that may be read are compared. */
const MOST = 50;
const MOST_LISTED = 10;

/** How an earlier issue ended; texts are untrusted, times in milliseconds. */
export interface Ending {
  issueId: string;
  number: IssueNumber | null;
  title: string;
  channel: string;
  threadTs: string | null;
  /**
   * What ended it: a rollback or another deploy that somebody ticked or telemetry showed, other steps, somebody who
   * resolved it, or nobody: its alert recovered.
   */
  by: 'rollback' | 'deploy' | 'steps' | 'person' | 'itself';
  /** The steps that were done, and by whom. */
  steps: { name: string; who: string }[];
  endedAt: number;
  /** From filing to recovery, or to the end where no recovery was seen. */
  tookMs: number;
}

/** An ending with what is only read where it is listed. */
export interface Remembered extends Ending {
  cause: string | null;
  notes: Note[];
  votes: { up: number; down: number };
}

const LastAction = z.object({ what: z.string() });
const ROLLBACK = /\broll(?:ed|ing)?[\s-]*back\b|\brevert/iu;
const compareVersions = new Intl.Collator('en', { numeric: true });
const CHANGE = /change|deploy|release/iu;

/**
 * Issues of the last 60 days that are over and were the same problem: of the same alert identity, or of the same kind and
 * place of cause. Newest first, and only those that `mayRead` lets through; issues of one cause count once.
 */
export async function seenBefore(
  issue: Issue,
  now: number,
  store: Aggregates,
  mayRead: (other: Issue) => Promise<boolean>,
): Promise<Ending[]> {
  const found = new Map<string, Issue>();
  let readable = 0;
  for (let offset = 0, isMore = true; isMore && readable < MOST; offset += MOST) {
    const page = { limit: MOST, offset };
    const others = await store.issues.endedLike(issue, now - REMEMBERED_DAYS * DAY_MS, page);
    isMore = others.length === MOST;
    for (const other of others) {
      const group = other.symptomOf ?? other.id;
      if (group === (issue.symptomOf ?? issue.id) || !(await mayRead(other))) continue;
      readable += 1;
      if (readable > MOST) break;
      // Steps are ticked on the one that was investigated first.
      if (!found.has(group) || other.id === group) found.set(group, other);
    }
  }
  return Promise.all([...found.values()].map((other) => endingOf(other, store)));
}

/** What else is remembered of the newest of them. */
export function recall(endings: readonly Ending[], store: Aggregates): Promise<Remembered[]> {
  return Promise.all(
    endings.slice(0, MOST_LISTED).map(async (ending) => {
      const issue = await store.issues.get(ending.issueId);
      return {
        ...ending,
        cause: issue === null ? null : ((await causeOf(issue, store)) ?? null),
        notes: await store.notes.ofIssue(ending.issueId),
        votes: await store.votes.ofIssue(ending.issueId),
      };
    }),
  );
}

async function endingOf(issue: Issue, store: Aggregates): Promise<Ending> {
  const endedAt = issue.recoveredAt ?? issue.statusSince;
  const ticks = await store.checklistSteps.ofIssue(issue.id);
  const results = await store.results.newest(issue.id);
  const done = checklistOf(results ?? {}, ticks)
    .flat()
    .flatMap(({ action, step, done: tick }) =>
      tick === null
        ? []
        : [{ name: stepName(step), who: tick.by, words: `${action.title ?? ''} ${stepName(step)}` }],
    );
  const last = issue.lastAction === null ? null : decodeStored(LastAction, issue.lastAction);
  const isResolvedByPerson = issue.recoveredAt === null || last?.what === 'resolved it';
  return {
    issueId: issue.id,
    number: issueNumber(issue),
    title: displayName(issue),
    channel: issue.channel,
    threadTs: issue.threadTs,
    by: done.some(({ words }) => ROLLBACK.test(words))
      ? 'rollback'
      : (changeIn(results, issue.createdAt) ??
        (ticks.length > 0 ? 'steps' : isResolvedByPerson ? 'person' : 'itself')),
    steps: done.map(({ name, who }) => ({ name: cutAtWord(name, 80), who })),
    endedAt,
    tookMs: Math.max(0, endedAt - issue.createdAt),
  };
}

/** A change that telemetry showed after the issue was filed. */
function changeIn(results: InvestigationResults | null, since: number): 'rollback' | 'deploy' | null {
  const changes = (results?.timeline ?? []).filter(
    ({ type, timestamp }) => CHANGE.test(type ?? '') && Date.parse(timestamp ?? '') > since,
  );
  if (changes.length === 0) return null;
  const isBack = changes.some(
    ({ title = '', description = '' }) => ROLLBACK.test(`${title} ${description}`) || returns(title),
  );
  return isBack ? 'rollback' : 'deploy';
}

/** Whether a change brings back an older version: `payments 1.2.7 (was 1.4.0)`. */
function returns(title: string): boolean {
  const { now, before } = /(?<now>\S*\d\S*) \(was (?<before>[^()\s]*\d[^()\s]*)\)/u.exec(title)?.groups ?? {};
  return now !== undefined && before !== undefined && compareVersions.compare(now, before) < 0;
}

/** Words that questions about earlier cases are made of; what is mistyped is read as the nearest of them. */
const WORDS =
  'happened happen happens occurred seen saw before fixed fix resolved solved ended helped last time often similar previous previously earlier already first known past issues incidents history problem same this that what when with have been does were there ever like alert fired firing failed service services list test'.split(
    ' ',
  );
const BEFORE = '(?:before|already|previously|earlier|in the past)';
const IT = '(?:this|it|that|the same|something like this|this (?:alert|problem|issue|one))';
const ENDED = '(?:fix(?:ed)?|resolved?|solved?|ended|helped|did we do|was done)';
const QUESTIONS = [
  `^(?:has|have|had|did|was|were|is) .*\\b(?:${IT}|we|there) (?:ever |been |already )*(?:happen(?:ed)?|occur(?:red)?|seen|saw|had)\\b.*\\b${BEFORE}$`,
  `^(?:have|has|did|do) (?:we|you|anyone|anybody|somebody|someone) (?:ever )?(?:seen|see|saw|had|have) ${IT}(?: ${BEFORE})?$`,
  `^(?:ever )?(?:seen|had) (?:${IT} )?${BEFORE}$`,
  `^(?:what|how|who)\\b.*\\b${ENDED}\\b.*\\b(?:last time|the time before|${BEFORE})$`,
  `^(?:what|how|who)\\b.*\\b(?:last time|previously)\\b.*\\b${ENDED}(?: ${IT})?$`,
  `^(?:is|was) ${IT} (?:the first time|new|known)\\b`,
  `^how (?:often|many times)\\b.*\\b${IT} (?:already )?happen(?:s|ed)?\\b`,
  `^when (?:did|has) (?:${IT} last happen(?:ed)?|${IT} happen(?:ed)? (?:last|before|the last time))$`,
  '^when was the last time\\b',
  `^last time\\b.*\\b(?:what|how|who)\\b.*\\b${ENDED}(?: ${IT})?$`,
  `^(?:any |were there |are there |show )?(?:similar|previous|earlier|past) (?:issues|incidents)(?: like ${IT}| ${BEFORE})?$`,
].map((pattern) => new RegExp(pattern, 'u'));
const MOST_WORDS = 14;

/** Whether a question is about earlier cases: *has this happened before?*, *what fixed it last time?* */
export function asksForMemory(question: string): boolean {
  const words = question
    .toLowerCase()
    .replace(/['’]s\b/gu, ' is')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/u);
  if (words.length > MOST_WORDS) return false;
  const read = words.map(likeliest);
  const [text, typed] = [read, words].map((some) =>
    some
      .join(' ')
      .replace(
        /^(?:(?:hey|hi|ok|so|and|but|please|do you know|can you tell(?: me)?) )+|\b(?:if|the last) (?=has|have|this|it)/gu,
        '',
      ),
  );
  return QUESTIONS.some((pattern) => pattern.test(typed ?? '') || pattern.test(text ?? ''));
}

/** What somebody meant to type: letters in another order, or the nearest word. */
function likeliest(word: string): string {
  if (word.length < 4) return word;
  const letters = (text: string) => [...text].sort().join('');
  return WORDS.find((known) => letters(known) === letters(word)) ?? nearest(word, WORDS) ?? word;
}
