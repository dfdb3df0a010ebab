import { createOrganizations, type ServiceClient, type Services } from '../../contract/client/client.ts';
import type { Organization } from '../../lib/issue-number.ts';
import { keepCalls } from '../slack/keep-calls.ts';
import type { Common, Shared } from './common.ts';

/** The investigation service, as the rest of the bot sees it. */
export interface ServiceParts {
  services: Services;
  organizations: { organization: Organization; service: ServiceClient }[];
}

/** Creates the clients of the investigation service. */
export function composeService(
  common: Common,
  { config, lifecycle, statusTracker }: Pick<Shared, 'config' | 'lifecycle' | 'statusTracker'>,
): ServiceParts {
  const { clock, random, log, metrics } = common;
  const { services, organizations } = createOrganizations({
    ...config.service,
    clock,
    random,
    ...keepCalls({ log, metrics, statusTracker }),
  });
  for (const { organization, service } of organizations) {
    lifecycle.onStop(`service client (${organization})`, () => service.close());
  }
  return { services, organizations };
}
