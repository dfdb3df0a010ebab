import { onlyForItsMembers } from '../../../../render/issue-sentences.ts';
import { serviceFailure, unknownIssue } from '../../../../render/notices.ts';
import type { Rendered } from '../../../../render/rendered.ts';
import { CancelledError, ServiceError } from '../../../../service/errors.ts';
import type { IssueDetail } from '../../../../service/schema/issue.ts';
import { explainServiceError } from '../../../../service/words.ts';
import type { Issue } from '../../../../store/issues.ts';
import type { Viewer } from '../../../issue-access.ts';
import type { ListenerDeps } from '../../deps.ts';

/** An issue as the service knows it now, and our record of it; `null` where there is none. */
export interface Found {
  detail: IssueDetail;
  ours: Issue | null;
}

const TOO_SLOW =
  'The investigation service did not answer in time. Nothing was changed; try again in a minute.';

/**
 * Asks the service for an issue by its number (contract 4.5), or says what is in the way. One without a record here that
 * somebody may not see is in the way too; of one with a record, its card says what may be done with it where.
 *
 * @param signal ends the wait of somebody whose window has to open soon.
 */
export async function findIssue(
  number: number,
  viewer: Viewer,
  deps: Pick<ListenerDeps, 'service' | 'access' | 'log'>,
  signal?: AbortSignal,
): Promise<Found | { refused: Rendered }> {
  try {
    const detail = await deps.service.issues.byNumber(number, signal);
    const belonging = await deps.access.belonging(detail);
    if (belonging.kind === 'ours') return { detail, ours: belonging.issue };
    if (!(await deps.access.maySee(belonging, viewer))) return { refused: onlyForItsMembers(number) };
    return { detail, ours: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404) return { refused: unknownIssue(String(number)) };
    deps.log.warn({ err: error, number }, 'an issue could not be fetched');
    if (error instanceof CancelledError) return { refused: serviceFailure(TOO_SLOW) };
    return { refused: serviceFailure(explainServiceError(error)) };
  }
}
