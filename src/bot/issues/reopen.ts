import type { IssueDetail } from '../../contract/answers.ts';
import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Issue } from '../store/issues.ts';
import { isClosed, versionState } from './version-state.ts';

/** What we know of an issue's investigation; `null` if Gumshoe did not file it. */
type Known = Pick<Issue, 'version' | 'endedVersion' | 'statusBefore'> | null;

/**
 * Reopens a resolved or muted issue (contract 4.3): it is under investigation if its investigation is still running,
 * otherwise ready to fix, because setting `investigating` would then start another one.
 *
 * @throws ServiceError if the service rejects it.
 */
export async function reopenThere(
  uuid: string,
  known: Known,
  service: ServiceClient,
  signal?: AbortSignal,
): Promise<IssueDetail> {
  const detail = await service.issues.get(uuid, {}, signal);
  // Somebody has already reopened it.
  if (!isClosed(detail.status)) return detail;
  if (!(await stillRuns(detail, known, service, signal))) {
    return service.issues.update(uuid, 'ready_to_fix', signal);
  }
  try {
    return await service.issues.update(uuid, 'investigating', signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.ambiguous) throw error;
    const after = await service.issues.get(uuid, {}, signal).catch(() => null);
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
