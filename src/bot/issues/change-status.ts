import type { IssueDetail } from '../../contract/answers.ts';
import type { ServiceClient, Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Checkpoint, Clock } from '../../lib/clock.ts';
import type { BegunChange } from '../store/changes.ts';
import { type Transition, transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';

/** A mute has an end. */
export const MUTE_MS = 24 * 60 * 60_000;

/**
 * What people may do to an issue's status, and the status that results; a reopened issue may still be under
 * investigation.
 */
export const statusChanges = {
  resolve: { status: 'resolved', did: 'resolved it' },
  mute: { status: 'muted', did: 'muted it' },
  reopen: { status: 'ready_to_fix', did: 'reopened it' },
  ready: { status: 'ready_to_fix', did: 'marked it ready to fix' },
  investigateAgain: { status: 'investigating', did: 'had it investigated again' },
} as const;
export type StatusChange = keyof typeof statusChanges;

/**
 * Sets an issue's status at the service (contract 4.3; repeating it changes nothing), and stores who did it. After a
 * crash at any point, repeating the request leaves it done once.
 *
 * @param options `until` is when a mute ends, in milliseconds since the epoch; 24 hours from now by default.
 * @returns the resulting status
 * @throws ServiceError if the service rejects it.
 */
export async function changeStatus(
  issue: Issue & { uuid: string },
  change: StatusChange,
  wish: ChangeRequest,
  options: ChangeOptions & { until?: number | undefined },
): Promise<string> {
  const { store, checkpoint } = options;
  const done = await changeIdempotently(wish, issue.version, options, async ({ version }) => {
    await checkpoint('status: before send');
    return { detail: await changeThere(issue, change, version, options), version };
  });
  if (done === null) return ((await store.issues.get(issue.id)) ?? issue).status;
  await checkpoint('status: sent');
  await store.transaction((tx) => record(tx, { ...done, issue, change, wish, options }));
  await checkpoint('status: recorded');
  return done.detail.status;
}

function changeThere(
  issue: Issue & { uuid: string },
  change: StatusChange,
  version: number,
  { services, checkpoint }: ChangeOptions,
): Promise<IssueDetail> {
  const service = services.for(issue.organization);
  if (change === 'investigateAgain') return reinvestigate(issue.uuid, version, { service, checkpoint });
  if (change === 'reopen') return reopenThere(issue.uuid, issue, service);
  return service.issues.update(issue.uuid, statusChanges[change].status);
}

/** What the service answered, and the issue's version when the change was requested. */
interface Done {
  issue: Issue;
  change: StatusChange;
  detail: IssueDetail;
  version: number;
  wish: ChangeRequest;
  options: Pick<ChangeOptions, 'clock'> & { until?: number | undefined };
}

async function record(
  tx: Aggregates,
  { issue, change, detail, version, wish, options }: Done,
): Promise<void> {
  const now = options.clock.now();
  const before = (await tx.issues.get(issue.id)) ?? issue;
  const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
  const open = detail.status !== 'resolved' && (other === null || other.id === issue.id);
  const { did } = statusChanges[change];
  const isQuieted = isClosed(detail.status) && !isClosed(before.status);
  const set = {
    status: detail.status,
    what: did,
    isOpen: open,
    mutedUntil: detail.status === 'muted' ? (options.until ?? now + MUTE_MS) : null,
    statusBefore: isQuieted ? before.status : null,
    newVersion:
      change === 'investigateAgain' ? begun(before, version, detail.latestVersion ?? version) : null,
  };
  await tx.issues.apply(issue.id, transitions.setStatus(set, { by: wish.who, at: now }));
  await tx.audit.add({ at: now, who: wish.who, what: did, issueId: issue.id });
  if (change === 'investigateAgain') await tx.progress.begin(issue.id);
  for (const symptom of await tx.issues.symptomsOf(issue.id)) {
    const also = alsoFor(symptom, change, { before, mutedUntil: set.mutedUntil, now });
    if (also !== null) await tx.issues.apply(symptom.id, also);
  }
  await tx.changes.recorded(wish.cause);
  await tx.outbox.refreshCards(issue.id);
}

/** Who resolves or mutes an incident does so with all of it; what was muted together is reopened together. */
function alsoFor(
  symptom: Issue,
  change: StatusChange,
  { before, mutedUntil, now }: { before: Issue; mutedUntil: number | null; now: number },
): Transition | null {
  const { isOpen, status } = symptom;
  if (!isOpen || status === 'resolved') return null;
  if (change === 'resolve') return transitions.wantStatus('resolved');
  if (change === 'mute') {
    const isLonger = (symptom.mutedUntil ?? 0) > (mutedUntil ?? 0);
    return isLonger ? null : transitions.wantStatus('muted', { mutedUntil });
  }
  const isTogether = symptom.mutedUntil !== null && symptom.mutedUntil === before.mutedUntil;
  return change === 'reopen' && isTogether ? transitions.muteUntil(now) : null;
}

/**
 * A service may give the new investigation its version at once, or when it ends: its end must be reported either way.
 * What the poller has already seen of it stays.
 */
function begun(before: Issue, from: number, version: number) {
  if (before.version > from) return null;
  return { version, endedVersion: Math.min(before.endedVersion, version - 1) };
}

/**
 * Starts the version after `version` of an issue (contract 4.3), and never more than one: setting `investigating`
 * again, after the investigation it started has ended, would start another. So the service is asked first, whenever it
 * may have received the request without our seeing its answer.
 *
 * @throws ServiceError if it was not started.
 */
export async function reinvestigate(
  uuid: string,
  version: number,
  { service, checkpoint }: Pick<ChangeOptions, 'checkpoint'> & { service: ServiceClient },
): Promise<IssueDetail> {
  const before = await service.issues.get(uuid);
  if (isBegun(before, version)) return before;
  await checkpoint('reinvestigate: before send');
  try {
    const begun = await service.issues.update(uuid, 'investigating');
    await checkpoint('reinvestigate: sent');
    return begun;
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.ambiguous) throw error;
    const after = await service.issues.get(uuid).catch(() => null);
    if (after === null || !isBegun(after, version)) throw error;
    return after;
  }
}

/** Some services number the next version only when it ends; until then the status tells. */
function isBegun({ latestVersion, status }: IssueDetail, version: number): boolean {
  return (latestVersion ?? version) > version || status === 'investigating';
}

/** What we know of an issue's investigation; `null` if Gumshoe did not file it. */
type Known = Pick<Issue, 'version' | 'endedVersion' | 'statusBefore'> | null;

/**
 * Reopens a resolved or muted issue (contract 4.3): it is under investigation if its investigation is still running,
 * otherwise ready to fix, because setting `investigating` would then start another one.
 *
 * @throws ServiceError if the service rejects it.
 */
export async function reopenThere(uuid: string, known: Known, service: ServiceClient): Promise<IssueDetail> {
  const detail = await service.issues.get(uuid);
  // Somebody has already reopened it.
  if (!isClosed(detail.status)) return detail;
  if (!(await stillRuns(detail, known, service))) return service.issues.update(uuid, 'ready_to_fix');
  try {
    return await service.issues.update(uuid, 'investigating');
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.ambiguous) throw error;
    const after = await service.issues.get(uuid).catch(() => null);
    if (after === null || isClosed(after.status)) throw error;
    return after;
  }
}

/**
 * Whether the newest investigation of an issue is still running, by its version's status. If that does not tell, an
 * investigation that was running when the issue was closed counts as running until we have seen its end, or there is a
 * root cause.
 */
export async function stillRuns(
  detail: IssueDetail,
  known: Known,
  service: ServiceClient,
  signal?: AbortSignal,
): Promise<boolean> {
  const version = detail.latestVersion ?? known?.version ?? 1;
  const state = versionState(detail, version);
  if (state !== 'unknown') return state === 'running';
  if (known?.statusBefore !== 'investigating' || known.endedVersion >= version) return false;
  try {
    const results = await service.issues.results(detail.uuid, { version }, signal);
    return !results.rootCause?.rootCauseSummary;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404 && error.type !== null) return true;
    throw error;
  }
}

const FAILED =
  /fail|error|cancel|abort|unsucc|incomplet|reject|crash|time[\s_-]?out|timed[\s_-]?out|expired/iu;
const RUNNING = /run|progress|pending|queue|start|investigating|process|analy[sz]|schedul|wait|ongoing/iu;
const DONE = /succ|complet|done|finish|ready|passed|\bended\b|resolved/iu;

/**
 * What a version's status says about its investigation. The contract defines no values (2.4), so this looks for known
 * words; `unknown` if there is no status, or no known word.
 */
export function versionState(
  detail: IssueDetail,
  version: number,
): 'running' | 'failed' | 'done' | 'unknown' {
  const own = detail.versions?.find((one) => one.version === version)?.status ?? '';
  if (FAILED.test(own)) return 'failed';
  if (RUNNING.test(own)) return 'running';
  return DONE.test(own) ? 'done' : 'unknown';
}

/** People close an issue; that says nothing about its investigation, which may still be running. */
export function isClosed(status: string): boolean {
  return status === 'resolved' || status === 'muted';
}

export interface ChangeRequest {
  who: string;
  /** The press or the command that caused it; the same when its stored delivery is retried. */
  cause: string;
}

export interface ChangeOptions {
  store: Store;
  services: Services;
  clock: Clock;
  checkpoint: Checkpoint;
}

/**
 * Makes a change at the service so that the process may be killed at any point: the request is stored first, and the
 * outcome must be stored together with `changes.recorded`. Until then `change` is called again when the delivery is
 * retried, and is told so.
 *
 * @param version of the issue in this database; 0 if Gumshoe did not file it.
 * @returns `null` if everything was done and stored before.
 * @throws ServiceError if the service rejects it; the person must be told, and may try again.
 */
export async function changeIdempotently<T>(
  { cause }: ChangeRequest,
  version: number,
  { store, clock }: Pick<ChangeOptions, 'store' | 'clock'>,
  change: (begun: BegunChange) => Promise<T>,
): Promise<T | null> {
  const begun = await store.changes.begin({ cause, version, at: clock.now() });
  if (begun.isRecorded) return null;
  try {
    return await change(begun);
  } catch (error) {
    if (error instanceof ServiceError) await store.changes.forget(cause);
    throw error;
  }
}
