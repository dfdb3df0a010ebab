import { z } from 'zod';
import type { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { type IssueNumber, StoredIssueNumber } from '../shared/issue-number.ts';
import { resultKey } from '../store/intents/keys.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { causeKeyOf } from './cause.ts';

const MAX_CAUSE = 110;

/** What an investigation found beside the one before it; the causes are untrusted, and `null` where none was found. */
export interface LastTime {
  was: string | null;
  now: string | null;
  isSame: boolean;
}

const Earlier = z.looseObject({ number: StoredIssueNumber });

/** The version before, or the issue that the same alert had before; `null` if there is none, or neither found a cause. */
export async function lastTimeOf(
  issue: Issue,
  { version, results }: { version: number; results: InvestigationResults },
  store: Pick<Aggregates, 'issues' | 'results'>,
): Promise<(LastTime & { number: IssueNumber | null }) | null> {
  const before = await store.results.before(issue.id, version);
  const earlier = issue.earlier === null ? null : decodeStored(Earlier, issue.earlier);
  const other = before === null && earlier !== null ? await store.issues.byNumber(earlier.number) : null;
  const last = other === null ? before : await store.results.latest(other.id);
  const found = last?.results == null ? null : compared(last.results, results);
  return found === null ? null : { ...found, number: other === null ? null : (earlier?.number ?? null) };
}

/** Whether an investigation found what the one before it did, and that one has a message to be edited. */
export async function isAsBefore(
  { id }: Pick<Issue, 'id'>,
  { version, results }: { version: number; results: InvestigationResults },
  store: Pick<Aggregates, 'outbox' | 'results'>,
): Promise<boolean> {
  const before = await store.results.before(id, version);
  if (before?.results == null || comparableKeyOf(before.results) !== comparableKeyOf(results)) return false;
  const message = await store.outbox.get(resultKey(id, before.version));
  return message !== null && message.state !== 'dead';
}

/** `null` if neither found a cause. */
function compared(before: InvestigationResults, after: InvestigationResults): LastTime | null {
  const [was, now] = [before, after].map(shortCause);
  if (was == null && now == null) return null;
  return { was: was ?? null, now: now ?? null, isSame: comparableKeyOf(before) === comparableKeyOf(after) };
}

/** A cause in a few words: *Bad deploy of payments*, *ledger is down*. Before its colon, a summary says what it is. `null` where
 * only what is wrong is known. */
export function shortCause(results: InvestigationResults): string | null {
  if (causeKeyOf(results) === null || results.rootCause?.isUnexplained === true) return null;
  const summary = oneLine(results.rootCause?.rootCauseSummary ?? '');
  // A name alone is where, and not what: `PostgreSQL books: Session 4711 …`.
  const [words = ''] = summary.split(/(?<=\S+ .* \S+|^\S+):\s|(?<=\w)\.(?:\s|$)/u);
  return cutAtWord(words.replace(SINCE, ''), MAX_CAUSE);
}

/** Left out: an incident's head shows when it began. */
const SINCE = / since \d\d:\d\d UTC$/u;

/** Whether a cause was found both times, and not the same one. */
export function isAnotherCause(last: LastTime | null): last is { was: string; now: string; isSame: false } {
  return last !== null && last.was !== null && last.now !== null && !last.isSame;
}

/** A change that is suspected, and later proven, is one cause. */
function comparableKeyOf(results: InvestigationResults): string | null {
  const key = causeKeyOf(results);
  const [before, after] = ['degradation of ', ' after a deploy'];
  const isSuspected = key?.startsWith(before) === true && key.endsWith(after);
  return isSuspected ? `bad deploy of ${key.slice(before.length, -after.length)}` : key;
}

/** What all investigations of an issue found, each once, oldest first. */
export async function causesOf({ results }: Pick<Aggregates, 'results'>, issueId: string): Promise<string[]> {
  const all = (await results.all(issueId)).map((stored) => stored.results);
  const found = all.filter((one) => one !== null);
  const byKey = new Map(found.map((one) => [causeKeyOf(one), shortCause(one)]));
  return [...byKey.values()].flatMap((cause) => cause ?? []);
}
