import type { WebClient } from '@slack/web-api';
import type { Organization } from '../../../contract/client/client.ts';
import type { Logger } from '../../shared/log.ts';
import { checkAlertChannels } from './alert-channels.ts';
import type { CheckResult } from './result.ts';
import { checkService, type IssueLister } from './service.ts';
import { checkSlackToken } from './slack-token.ts';

/**
 * The checks of `npm run doctor` that every start runs too: Slack's token and scopes, membership in the alert
 * channels, the service. The database and the socket are checked by being opened. Never rejects for what a check finds.
 */
export async function runStartChecks(deps: {
  client: WebClient;
  services: readonly { organization: Organization; service: IssueLister }[];
  alertChannels: readonly string[];
  /** Ends the wait for the service, when the process is to stop. */
  signal?: AbortSignal;
}): Promise<CheckResult[]> {
  const until = deps.signal === undefined ? {} : { signal: deps.signal };
  const services = Promise.all(
    deps.services.map(({ organization, service }) => checkService(service, { ...until, organization })),
  );
  const token = await checkSlackToken(deps.client);
  const channels = token[0]?.ok ? await checkAlertChannels(deps.client, deps.alertChannels) : [];
  return [...token, ...channels, ...(await services)];
}

/** The same beside everything else, into the log: a service that does not answer holds up neither Slack nor a stop. */
export function logStartChecks(deps: Parameters<typeof runStartChecks>[0], log: Logger): void {
  runStartChecks(deps).then(
    (checks) => {
      for (const { name, ok, detail, fix } of checks) {
        if (!ok) log.warn({ check: name, detail, fix }, 'a startup check failed');
      }
    },
    (error) => log.warn({ err: error }, 'could not run the startup checks'),
  );
}
