import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { IssueDetail } from '../../contract/schema/issue.ts';
import type { ChangeOptions } from './idempotent-change.ts';

/**
 * Begins the version after `version` of an issue (contract 4.3), and never one more: to set `investigating` again
 * would, once the investigation that it began has ended. So the service is looked at before, and wherever it may have
 * heard of it without our hearing its answer.
 *
 * @throws ServiceError when it was not begun.
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

/** Some services give the next version its number only when it ends: until then the status says it. */
function isBegun({ latestVersion, status }: IssueDetail, version: number): boolean {
  return (latestVersion ?? version) > version || status === 'investigating';
}
