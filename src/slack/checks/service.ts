import { RejectedError, ServiceError } from '../../service/errors.ts';
import { type CheckResult, failed, passed } from './result.ts';

/** The one call that the check makes: the newest issue. */
export interface IssueLister {
  issues: { page(filter: { limit: number }): Promise<unknown> };
}

function fixOf(error: unknown): string {
  if (error instanceof RejectedError && (error.status === 401 || error.status === 403)) {
    return 'check ISSUE_SERVICE_API_KEY: the service does not take it';
  }
  if (error instanceof RejectedError && error.status === 404) {
    return 'check ISSUE_SERVICE_URL: it must end with /api/v2';
  }
  return 'check ISSUE_SERVICE_URL, and whether the service is up';
}

/** Whether the service answers `GET /issues?limit=1` (contract, section 4.1) to our key. */
export async function checkService(service: IssueLister): Promise<CheckResult> {
  const name = 'Issue Investigation Service';
  try {
    await service.issues.page({ limit: 1 });
    return passed(name, 'it answers');
  } catch (error) {
    if (error instanceof ServiceError) return failed(name, error.message, fixOf(error));
    throw error;
  }
}
