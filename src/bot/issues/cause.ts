import type { InvestigationResults } from '../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { endedKey } from '../store/intents/keys.ts';
import { endingOf } from '../store/intents/payloads.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { StoredResults } from '../store/results.ts';

const MAX_CAUSE = 110;

/** An issue whose cause may be known. */
type Investigated = Pick<Issue, 'version' | 'endedVersion'>;

/**
 * The cause that an issue's last investigation found, in one line of untrusted text; `null` if it found none, or only what
 * is wrong and not why; `undefined` if none has ended.
 */
export async function causeOf(
  issue: Investigated & Pick<Issue, 'id'>,
  { results }: Pick<Aggregates, 'results'>,
): Promise<string | null | undefined> {
  return issue.endedVersion < 1 ? undefined : causeIn(issue, await results.latest(issue.id));
}

/** The same of results that have been read. */
export function causeIn(
  { version, endedVersion }: Investigated,
  latest: Pick<StoredResults, 'results'> | null,
): string | null | undefined {
  if (endedVersion < 1) return undefined;
  const { rootCauseSummary = '', isUnexplained = false } = latest?.results?.rootCause ?? {};
  const cause = oneLine(rootCauseSummary);
  if (cause !== '') return isUnexplained ? null : cutAtWord(cause, MAX_CAUSE);
  return endedVersion < version ? undefined : null;
}

/** Statuses that the service does not have: for it, an issue is *ready to fix* however its investigation ended. */
const SYMPTOM = 'symptom';
const NO_CAUSE = 'no_cause';
const NOT_INVESTIGATED = 'not_investigated';

/** The status to show, given the cause. */
export async function shownStatus(
  status: string,
  {
    issue,
    cause,
  }: { issue: Pick<Issue, 'id' | 'endedVersion' | 'symptomOf'>; cause: string | null | undefined },
  store: Pick<Aggregates, 'outbox'>,
): Promise<string> {
  const hasEnded = status === 'ready_to_fix' && cause === null && issue.symptomOf === null;
  const isFailed = hasEnded && (await hasFailed(issue.id, issue.endedVersion, store));
  return statusFrom(status, { symptomOf: issue.symptomOf, cause, hasFailed: isFailed });
}

/** The same of what has been read. */
export function statusFrom(
  status: string,
  of: { symptomOf: string | null; cause: string | null | undefined; hasFailed: boolean },
): string {
  if (status !== 'ready_to_fix') return status;
  if (of.symptomOf !== null) return SYMPTOM;
  if (of.cause !== null) return status;
  return of.hasFailed ? NOT_INVESTIGATED : NO_CAUSE;
}

/** Whether an investigation ended without having been one. */
export async function hasFailed(
  issueId: string,
  version: number,
  { outbox }: Pick<Aggregates, 'outbox'>,
): Promise<boolean> {
  const ending = await outbox.get(endedKey(issueId, version));
  return ending !== null && endingOf(ending) === 'failed';
}

const MAX_KEY = 200;

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
  // One look says it by what is missing, another one by what an exporter says.
  const down = OUTAGE.exec(oneLine(rootCause?.rootCauseSummary ?? ''))?.groups;
  const place = down?.outage ?? down?.down;
  return key === ''
    ? null
    : cutAtWord(place === undefined ? key : `outage of ${place.toLowerCase()}`, MAX_KEY);
}

/** `Cache outage of redis: …`, `redis is down since 23:29 UTC: …` */
const OUTAGE = /^(?:[\w ]{0,20}outage of (?<outage>[\w.-]+)|(?<down>[\w.-]+) is down\b)/iu;

/** The cause in the graph. */
export function causeNodeOf({ causalTreeV2 }: InvestigationResults) {
  return causalTreeV2?.nodes?.find(({ nodeType }) => /^(?:root[\s_-]?)?cause$/iu.test(nodeType ?? ''));
}

/** The service, or the object, that the cause is at: what the graph calls it, where its title names that too; `null` if unknown. */
export function causePlaceOf(results: InvestigationResults): string | null {
  const node = causeNodeOf(results);
  return node?.id != null && node.id !== '' && namesIn(node.title ?? '').includes(node.id) ? node.id : null;
}

/** The words of a text that may be names. */
export function namesIn(text: string): string[] {
  return oneLine(text).match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*(?<=[\p{L}\p{N}])/gu) ?? [];
}
