import type { IssueSummary } from '../../../contract/answers.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import type { Organization } from '../../../lib/issue-number.ts';
import type { ListenerDeps } from '../listening/deps.ts';
import type { Belonging } from './issue-access.ts';

const MAY_BE_CUT = /^\s*$|(?:…|\.\.\.)\s*$/u;

/** A list may truncate descriptions, and with them the reference: then the issue itself is fetched. */
export async function belongingOf(
  issue: IssueSummary,
  organization: Organization,
  { access, services, log }: Pick<ListenerDeps, 'access' | 'services' | 'log'>,
): Promise<Belonging> {
  const belonging = await access.belonging(issue);
  const isTold = belonging.kind === 'ours' || (belonging.kind === 'forgotten' && belonging.channels !== null);
  if (isTold || !MAY_BE_CUT.test(issue.description)) return belonging;
  try {
    return await access.belonging(await services.for(organization).issues.get(issue.uuid));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error, number: issue.number }, 'could not tell which channel an issue belongs to');
    return { kind: 'forgotten', channels: null };
  }
}
