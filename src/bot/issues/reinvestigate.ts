import type { IssueDetail } from '../../contract/answers.ts';
import type { ServiceClient } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { ChangeOptions } from './idempotent-change.ts';

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
