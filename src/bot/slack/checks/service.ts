import { keyVariables, type Organization } from '../../../contract/client/client.ts';
import { type KeyVariable, RejectedError, ServiceError } from '../../../contract/client/errors.ts';
import { type CheckResult, failed, passed } from './result.ts';

/** The one call that the check makes: the newest issue. */
export interface IssueLister {
  issues: { page(filter: { limit: number }, signal?: AbortSignal): Promise<unknown> };
}

export interface ServiceCheckOptions {
  /** 15 seconds unless told: a check need not be as patient as the client, which tries again and again. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whose key is checked; the default organization's unless told. */
  organization?: Organization;
}

const patienceMs = 15_000;

function fixOf(error: unknown, variable: KeyVariable): string {
  if (error instanceof RejectedError && (error.status === 401 || error.status === 403)) {
    return `check ${variable}: the service rejects it`;
  }
  if (error instanceof RejectedError && error.status === 404) {
    return 'check ISSUE_SERVICE_URL: it must end with /api/v2';
  }
  return 'check ISSUE_SERVICE_URL and that the service is up';
}

/** Whether the service answers `GET /issues?limit=1` (contract, section 4.1) to our key, and in time. */
export async function checkService(
  service: IssueLister,
  options: ServiceCheckOptions = {},
): Promise<CheckResult> {
  const { timeoutMs = patienceMs, signal, organization = 'default' } = options;
  const isPrivate = organization === 'private';
  const name = `Issue Investigation Service${isPrivate ? ', for private channels' : ''}`;
  const keyVariable = keyVariables[organization];
  const late = AbortSignal.timeout(timeoutMs);
  try {
    await service.issues.page({ limit: 1 }, signal === undefined ? late : AbortSignal.any([late, signal]));
    return passed(name, 'it answers');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const detail = late.aborted ? `no answer within ${timeoutMs / 1000} seconds` : error.message;
    return failed(name, detail, fixOf(error, keyVariable));
  }
}
