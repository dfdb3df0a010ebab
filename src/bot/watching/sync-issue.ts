import { isDeepStrictEqual } from 'node:util';
import type { InvestigationResults, IssueDetail } from '../../contract/answers.ts';
import { artifactPlaces } from '../../contract/client/artifact-refs.ts';
import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Checkpoint, Clock } from '../../lib/clock.ts';
import { causeKeyOf } from '../issues/cause.ts';
import { isClosed, statusChanges, versionState } from '../issues/change-status.ts';
import { joinIncident } from '../issues/incident.ts';
import { isAnotherCause, isAsBefore, lastTimeOf } from '../issues/last-time.ts';
import { Expected, keepVerdict } from '../record/keep.ts';
import type { Logger } from '../shared/log.ts';
import { endedIntent, resultIntent, slowIntent } from '../store/intents/issue-intents.ts';
import { endedKey, resultKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { FoundSoFar } from '../store/progress.ts';
import { isLook } from '../store/reasons.ts';

const RETRY_WINDOW_MS = 30 * 60_000;
const WATCH_RESOLVED_MS = 7 * 24 * 60 * 60_000;

/** Stored results; `at` in milliseconds. */
export interface StoredResults {
  issueId: string;
  version: number;
  results: InvestigationResults;
  at: number;
  /** Its message is a line: it names the issue that leads, or says that nothing is new. */
  isFolded: boolean;
}

/** Called with results to be posted, in the transaction that stores them. */
export type OnResults = (tx: Aggregates, stored: StoredResults) => Promise<void>;

/** Files what fired again as an issue of its own; false if a person requested this investigation. */
type FileAnotherCause = (
  tx: Aggregates,
  issue: Issue,
  found: { version: number; was: string; now: string },
) => Promise<boolean>;

export interface SyncOptions {
  store: Store;
  /** For the organization whose issues are watched. */
  service: ServiceClient;
  clock: Clock;
  log: Logger;
  checkpoint: Checkpoint;
  onResults: OnResults;
  fileAnotherCause: FileAnotherCause;
}

/**
 * Fetches one issue, stores what changed, and requests what is to be posted about it.
 *
 * @param isEarly moments after the investigation was started: a service that answers from a replica may not know of it yet,
 *   so that a 404 is left to the next poll
 */
export async function syncIssue(
  issue: Issue,
  options: SyncOptions,
  signal: AbortSignal,
  isEarly = false,
): Promise<void> {
  const { store, service, clock, checkpoint } = options;
  if (issue.uuid === null) return;
  const detail = await orGone(service.issues.get(issue.uuid, {}, signal));
  if (detail === 'gone') return isEarly ? undefined : gone(issue, options);
  const version = detail.latestVersion ?? issue.version;
  const sign = await detectEnd(detail, version, issue, store);
  const results =
    sign === 'ended' || sign === 'unconfirmed'
      ? await orGone(service.issues.results(issue.uuid, { version }, signal))
      : null;
  if (results === 'gone' && isEarly) return;
  const isLong = clock.now() - issue.investigatingSince >= RETRY_WINDOW_MS;
  const soFar = sign === null ? await resultsSoFar(issue, detail, version, options, signal) : null;
  const end = sign === 'unconfirmed' ? (hasCause(results) || isLong ? 'ended' : null) : sign;
  const expects =
    end === 'ended' && hasCause(results) ? await predictionOf(issue, version, options, signal) : null;
  await checkpoint('watch: results fetched');
  await store.transaction(async (tx) => {
    const now = clock.now();
    // Somebody changed it in the meantime: what was fetched is older. The next poll fetches it again.
    const fresh = await tx.issues.get(issue.id);
    if (fresh?.statusSince !== issue.statusSince || fresh.wantedStatus !== null) return;
    await keepState(tx, issue, detail, version, now);
    if (soFar !== null) await keepProgress(tx, issue, soFar);
    if (end === null) return noteSlowInvestigation(tx, issue, version, now);
    if (await hasBecomeAnother(tx, fresh, version, { end, results }, options)) return;
    const found =
      results === null || results === 'gone'
        ? null
        : await keepVerdict(tx, issue, { version, results, at: now, expects });
    if (found !== null) {
      await tx.results.save(issue.id, version, JSON.stringify(found), now);
      const referred = artifactPlaces(found).map(({ id }) => id);
      await tx.artifacts.want(issue.id, referred);
    }
    const words = end === 'failed' ? 'failed' : wordsFor(results, detail);
    const isAnew = found !== null && (await isOfNewFiring(tx, fresh, found));
    const head =
      found === null || words !== 'result' ? null : await joinIncident(tx, fresh, found, { at: now, isAnew });
    const reason = words === 'failed' ? descriptionOf(detail, version) : '';
    const isLike =
      found !== null &&
      head === null &&
      !isAnew &&
      (await isAsBefore(issue, { version, results: found }, tx));
    const isKnown = head === null ? isLike : head.id === fresh.symptomOf;
    const isSaid = isKnown && (await isNobodysWish(tx, fresh, isLike));
    await announce(tx, issue, version, { words, reason, isSaid, isAsBefore: isLike }, now);
    if (words === 'result' && found !== null) {
      await options.onResults(tx, {
        issueId: issue.id,
        version,
        results: found,
        at: now,
        isFolded: head !== null || isLike,
      });
    }
    // What is only wrong, and not explained, has no cause to be listed, or to be seen before.
    const isExplained = found?.rootCause?.isUnexplained !== true;
    const cause = found === null ? {} : { cause: isExplained ? causeKeyOf(found) : null };
    await tx.issues.apply(issue.id, transitions.announceEnd(version, cause));
  });
  await checkpoint('watch: recorded');
}

/** What fired anew has another cause than the issue: it is another issue, and this one keeps its verdict. */
async function hasBecomeAnother(
  tx: Aggregates,
  issue: Issue,
  version: number,
  { end, results }: { end: 'ended' | 'failed'; results: InvestigationResults | 'gone' | null },
  { fileAnotherCause }: SyncOptions,
): Promise<boolean> {
  if (end === 'failed' || results === null || results === 'gone') return false;
  const last = await lastTimeOf(issue, { version, results }, tx);
  if (version === 1 || !isAnotherCause(last)) return false;
  if (!(await fileAnotherCause(tx, issue, { version, was: last.was, now: last.now }))) return false;
  await tx.issues.apply(issue.id, transitions.announceEnd(version));
  return true;
}

/**
 * What tells that the investigation has ended: the newest version's own status; if that says nothing, an issue status
 * other than `investigating` that somebody else has set. A status that we set (somebody here resolved it, muted it, or
 * marked it ready) says nothing, nor does *ready* set elsewhere while the version is running: it has then ended
 * `unconfirmed`, which a root cause confirms, or the time it has taken.
 */
async function detectEnd(
  detail: IssueDetail,
  version: number,
  issue: Issue,
  store: Store,
): Promise<'ended' | 'failed' | 'unconfirmed' | null> {
  if (issue.endedVersion >= version) return null;
  const state = versionState(detail, version);
  const { status } = detail;
  if (state === 'failed' || state === 'done') {
    // Started again under the number of the previous version, whose end was already reported.
    if (status === 'investigating' && (await wasNotified(issue.id, version, store))) return null;
    return state === 'failed' ? 'failed' : 'ended';
  }
  if (status === 'investigating') return null;
  const isOurs = status === issue.ourStatus;
  if (state === 'running') return isOurs || isClosed(status) ? null : 'unconfirmed';
  return isOurs ? 'unconfirmed' : 'ended';
}

/**
 * What an investigation has found that somebody asked for and that still runs; `null` if nobody waits for it. That it
 * cannot be fetched holds nothing up: the next look asks again.
 */
async function resultsSoFar(
  { id, uuid }: Issue,
  { status }: IssueDetail,
  version: number,
  { store, service, log }: SyncOptions,
  signal: AbortSignal,
): Promise<FoundSoFar | null> {
  if (uuid === null || status !== 'investigating' || (await store.progress.of(id)) === null) return null;
  try {
    const results = await orGone(service.issues.results(uuid, { version }, signal));
    return foundSoFar(results === 'gone' ? null : results);
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ err: error, issue: id }, 'could not fetch interim results');
    return null;
  }
}

/** A verdict's prediction, where the service says so. A failure to fetch it delays nothing. */
async function predictionOf(
  { id, uuid }: Issue,
  version: number,
  { service, log }: SyncOptions,
  signal: AbortSignal,
) {
  try {
    const { prediction } = uuid === null ? {} : await service.issues.facts(uuid, { version }, signal);
    return Expected.safeParse(prediction).data ?? null;
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ err: error, issue: id }, 'could not fetch a verdict’s prediction');
    return null;
  }
}

async function keepProgress(tx: Aggregates, { id }: Issue, found: FoundSoFar): Promise<void> {
  const before = await tx.progress.of(id);
  if (before === null || isDeepStrictEqual(before, found)) return;
  await tx.progress.save(id, found);
  await tx.outbox.refreshCards(id);
}

async function wasNotified(issueId: string, version: number, { outbox }: Store): Promise<boolean> {
  return (
    ((await outbox.get(resultKey(issueId, version))) ?? (await outbox.get(endedKey(issueId, version)))) !==
    null
  );
}

function hasCause(results: InvestigationResults | 'gone' | null): boolean {
  return results !== null && results !== 'gone' && Boolean(results.rootCause?.rootCauseSummary);
}

type Words = 'result' | 'nothing' | 'failed' | 'silent';

function wordsFor(results: InvestigationResults | 'gone' | null, detail: IssueDetail): Words {
  if (results === null || results === 'gone') return isClosed(detail.status) ? 'silent' : 'nothing';
  // Somebody resolved or muted it before anything was found: there is nothing to report.
  if (isClosed(detail.status) && !hasCause(results)) return 'silent';
  return 'result';
}

const MAX_REASON = 1_000;

function descriptionOf({ versions }: IssueDetail, version: number): string {
  const description = versions?.find((one) => one.version === version)?.description ?? '';
  return description.slice(0, MAX_REASON);
}

/**
 * Whether a later look began by itself: nobody waits for its answer.
 *
 * @param counts whether a firing since then asks for one too
 */
async function isNobodysWish(tx: Aggregates, { id, endedVersion }: Issue, counts: boolean): Promise<boolean> {
  const endedAt = await tx.results.at(id, endedVersion);
  if (endedAt === null) return false;
  const asked = statusChanges.investigateAgain.did;
  const [newest] = counts ? await tx.alerts.ofIssue(id, 1) : [];
  if (newest !== undefined && newest.decidedAt >= endedAt) return false;
  return (await tx.audit.of(id)).every(({ at, what }) => what !== asked || at < endedAt);
}

/** Whether a firing after the one before was over began the investigation, and what it found began since: another time. */
async function isOfNewFiring(
  tx: Aggregates,
  { id, endedVersion }: Issue,
  { timeline = [] }: InvestigationResults,
): Promise<boolean> {
  const endedAt = (await tx.results.at(id, endedVersion)) ?? Number.POSITIVE_INFINITY;
  const [newest] = await tx.alerts.ofIssue(id, 1);
  const isNewFiring = newest !== undefined && isLook(newest) && newest.decidedAt >= endedAt;
  const isSince = ({ type, timestamp }: (typeof timeline)[number]) =>
    type !== 'change' && Date.parse(timestamp ?? '') > endedAt;
  return isNewFiring && timeline.some(isSince);
}

async function announce(
  tx: Aggregates,
  issue: Issue,
  version: number,
  { words, reason, ...said }: { words: Words; reason: string; isSaid: boolean; isAsBefore: boolean },
  at: number,
): Promise<void> {
  if (words === 'silent') return;
  await tx.outbox.want(
    words === 'result'
      ? resultIntent(issue, version, at, said)
      : endedIntent(issue, version, { notice: words, reason }, at),
  );
  if (said.isAsBefore) await tx.outbox.resultsAgain(issue.id);
  if (!said.isSaid && !said.isAsBefore) await tx.outbox.wantVerdicts(issue.id, version, at);
}

async function keepState(tx: Aggregates, issue: Issue, detail: IssueDetail, version: number, now: number) {
  const changed = detail.status !== issue.status || version !== issue.version;
  const resolved = detail.status === 'resolved';
  const watchedLongEnough =
    resolved && issue.status === 'resolved' && now - issue.statusSince > WATCH_RESOLVED_MS;
  const { number, title, severity, environment, status } = detail;
  const seen = {
    number,
    title,
    severity,
    environment,
    isOurStatus: status === issue.ourStatus,
    isWatchedEnough: watchedLongEnough,
    changed: changed
      ? {
          status,
          version,
          isOpen: await takesRepeats(tx, issue, resolved),
          isNewVersion: version !== issue.version,
          statusBefore: isClosed(status) && !isClosed(issue.status) ? issue.status : null,
        }
      : null,
  };
  await tx.issues.apply(issue.id, transitions.observe(seen, now));
  if (changed) await tx.outbox.refreshCards(issue.id);
}

/** A resolved issue takes no more repeats; reopened elsewhere it does again, unless a newer one has taken its place. */
async function takesRepeats(tx: Aggregates, issue: Issue, resolved: boolean): Promise<boolean> {
  if (resolved || issue.identity === null) return !resolved;
  const other = await tx.issues.openByIdentity(issue.identity);
  return other === null || other.id === issue.id;
}

async function noteSlowInvestigation(
  tx: Aggregates,
  issue: Issue,
  version: number,
  now: number,
): Promise<void> {
  if (issue.status !== 'investigating' || now - issue.investigatingSince < RETRY_WINDOW_MS) return;
  const intent = slowIntent(issue, version, now);
  if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
}

async function gone(issue: Issue, { store, clock }: SyncOptions): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.issues.apply(issue.id, transitions.markGone(clock.now()));
    await tx.outbox.refreshCards(issue.id);
    await tx.issues.moveSymptoms(issue.id, null);
  });
}

async function orGone<T>(call: Promise<T>): Promise<T | 'gone'> {
  try {
    return await call;
  } catch (error) {
    // Only with the contract's error body: a proxy's own 404 says nothing about the issue.
    if (error instanceof ServiceError && error.status === 404 && error.type !== null) return 'gone';
    throw error;
  }
}

/** What results say of how far their investigation is; `null` stands for none. */
function foundSoFar(results: InvestigationResults | null): FoundSoFar {
  const { rootCause, causalTree, causalTreeV2, timeline } = results ?? {};
  const hasOverview = /\S/u.test(rootCause?.incidentOverview ?? '');
  return {
    overview: hasOverview || (timeline?.length ?? 0) > 0,
    evidence: rootCause?.relevantEvidence?.length ?? 0,
    ruledOut: rootCause?.irrelevantEvidence?.length ?? 0,
    causes: causalTreeV2?.nodes?.length || (causalTree?.nodes?.length ?? 0),
  };
}
