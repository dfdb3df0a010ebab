import type { WebClient } from '@slack/web-api';
import { keyVariables, type Organization } from '../../contract/client/client.ts';
import { type KeyVariable, RejectedError, ServiceError } from '../../contract/client/errors.ts';
import type { Logger } from '../shared/log.ts';
import { classifySlackError, terminalSlackError } from './errors.ts';
import { botScopes } from './ids.ts';

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

async function checkChannel(client: WebClient, id: string): Promise<CheckResult> {
  const name = `channel ${id}`;
  try {
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived === true) {
      return failed(
        name,
        'it is archived',
        `unarchive it, or remove ${id} from ALERT_CHANNELS, ALERT_ROUTES and OWNERS`,
      );
    }
    if (channel?.is_member !== true) {
      return failed(name, 'Gumshoe is not a member', 'run /invite @Gumshoe in the channel');
    }
    return passed(name, 'Gumshoe is a member');
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || failure.error !== 'channel_not_found') {
      return slackFailure(name, error, 'SLACK_BOT_TOKEN');
    }
    return failed(
      name,
      'it does not exist, or it is private and Gumshoe is not a member',
      `run /invite @Gumshoe in it, or correct ${id} in ALERT_CHANNELS, ALERT_ROUTES or OWNERS`,
    );
  }
}

/** Whether the bot is a member of each of these channels. One call a channel, one after the other. */
export async function checkAlertChannels(client: WebClient, ids: readonly string[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const id of ids) results.push(await checkChannel(client, id));
  return results;
}

function checkScopes(granted: string[] | undefined): CheckResult {
  const name = 'Slack scopes';
  if (granted === undefined) return passed(name, 'Slack did not say which are granted');
  const needed = botScopes();
  const missing = needed.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return passed(name, `all ${needed.length} are granted`);
  return failed(
    name,
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not granted`,
    'paste manifest.yml at https://api.slack.com/apps → your app → App Manifest, then reinstall the app',
  );
}

/** Whether Slack takes the bot's token, and whether it grants every scope of the manifest. One call: `auth.test`. */
export async function checkSlackToken(client: WebClient): Promise<CheckResult[]> {
  const name = 'Slack token';
  try {
    const identity = await client.auth.test();
    const who = passed(name, `${identity.user ?? 'the bot'} in ${identity.team ?? 'the workspace'}`);
    if (identity.is_enterprise_install === true)
      return [
        failed(
          name,
          'it is of a whole organization of Enterprise Grid, and Gumshoe serves one workspace',
          'install the app in that workspace, and use the token that it shows',
        ),
      ];
    const grid =
      'The workspace is part of an Enterprise Grid: its admins may have to approve the app before it can post.';
    const first = identity.enterprise_id === undefined ? who : { ...who, notes: [grid] };
    return [first, checkScopes(identity.response_metadata?.scopes)];
  } catch (error) {
    return [slackFailure(name, error, 'SLACK_BOT_TOKEN')];
  }
}

const fixes: Record<string, string> = {
  missing_scope:
    'add the scope connections:write to the app-level token: Basic Information → App-Level Tokens',
  not_allowed_token_type: 'SLACK_APP_TOKEN must be an app-level token: Basic Information → App-Level Tokens',
  forbidden_team: 'turn on Socket Mode: https://api.slack.com/apps → your app → Socket Mode',
};

/** Whether Slack would open a socket for the app-level token of `client`. The socket itself is not opened. */
export async function checkSocketMode(client: WebClient): Promise<CheckResult> {
  const name = 'Socket Mode';
  try {
    await client.apps.connections.open({});
    return passed(name, 'Slack offers a connection');
  } catch (error) {
    const failure = classifySlackError(error);
    const fix = failure.kind === 'refused' ? fixes[failure.error] : undefined;
    if (failure.kind === 'refused' && fix !== undefined)
      return failed(name, `Slack answered ${failure.error}`, fix);
    return slackFailure(name, error, 'SLACK_APP_TOKEN');
  }
}

/** The one call that the check makes: the newest issue. */
export interface IssueLister {
  issues: { page(filter: { limit: number }, signal?: AbortSignal): Promise<unknown> };
}

interface ServiceCheckOptions {
  /** 15 seconds by default: a check need not be as patient as the client, which tries again and again. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whose key is checked; by default, the default organization's. */
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

export interface CheckResult {
  /** What was looked at: `Slack token`, `channel C0123ABCD`, … */
  name: string;
  ok: boolean;
  detail: string;
  /** What the operator should do; `null` if nothing is wrong. */
  fix: string | null;
  /** What else was found, a line each. */
  notes?: readonly string[];
}

export function passed(name: string, detail: string): CheckResult {
  return { name, ok: true, detail, fix: null };
}

export function failed(name: string, detail: string, fix: string): CheckResult {
  return { name, ok: false, detail, fix };
}

/** A failed call of the Web API as the result of a check: what happened, and what to do about it. */
export function slackFailure(name: string, error: unknown, variable: string): CheckResult {
  const failure = classifySlackError(error);
  switch (failure.kind) {
    case 'unreachable':
    case 'ambiguous':
      return failed(
        name,
        `cannot reach Slack (${failure.error})`,
        'check the network, HTTPS_PROXY and SLACK_API_URL',
      );
    case 'rate_limited':
      return failed(
        name,
        `rate-limited by Slack for ${Math.ceil(failure.retryAfterMs / 1000)} seconds`,
        'wait, and try again',
      );
    case 'refused':
    case 'token_refused':
      return failed(
        name,
        `Slack answered ${failure.error}`,
        terminalSlackError(error, variable) ??
          `look up ${failure.error} at https://docs.slack.dev/reference/methods`,
      );
  }
}
