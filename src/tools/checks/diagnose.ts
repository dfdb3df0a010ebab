import { existsSync } from 'node:fs';
import { type Config, readConfig, type ServiceConfig, type SlackConfig } from '../../bot/config/config.ts';
import { checkAlertChannels } from '../../bot/slack/checks/alert-channels.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { checkService } from '../../bot/slack/checks/service.ts';
import { checkSlackToken } from '../../bot/slack/checks/slack-token.ts';
import { checkSocketMode } from '../../bot/slack/checks/socket-mode.ts';
import { createSlackClient } from '../../bot/slack/client.ts';
import { createServiceClient } from '../../contract/client/client.ts';
import { keyVariables } from '../../contract/client/organizations.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Organization } from '../../lib/issue-number.ts';
import { createLogger } from '../../lib/log.ts';
import { checkDatabase } from './database.ts';
import { checkStored } from './stored.ts';

const log = createLogger('silent');

async function diagnoseSlack(slack: SlackConfig, alertChannels: readonly string[]): Promise<CheckResult[]> {
  const client = createSlackClient({ token: slack.botToken, apiUrl: slack.apiUrl, log });
  const results = await checkSlackToken(client);
  if (slack.mode === 'socket') {
    results.push(
      await checkSocketMode(createSlackClient({ token: slack.appToken, apiUrl: slack.apiUrl, log })),
    );
  } else {
    results.push(delayedEvents());
  }
  return [...results, ...(await checkAlertChannels(client, alertChannels))];
}

/** Slack tells nobody of this switch, so all that can be done is to name it. */
function delayedEvents(): CheckResult {
  return passed(
    'Delayed Events',
    'Slack does not tell; make sure that it is on: https://api.slack.com/apps → your app → Event Subscriptions',
  );
}

async function diagnoseService({ privateApiKey, ...service }: ServiceConfig): Promise<CheckResult[]> {
  const main = await checkKey(service, 'default');
  if (privateApiKey === undefined) return [main.check];
  const second = await checkKey({ ...service, apiKey: privateApiKey }, 'private');
  const isSame = main.newest !== null && main.newest === second.newest;
  return [main.check, second.check, ...(isSame ? [sameOrganization()] : [])];
}

async function checkKey(
  service: ServiceConfig,
  organization: Organization,
): Promise<{ check: CheckResult; newest: string | null }> {
  const client = createServiceClient({
    ...service,
    keyVariable: keyVariables[organization],
    clock: systemClock,
  });
  let newest: string | null = null;
  const issues = {
    page: async (...asked: Parameters<typeof client.issues.page>) => {
      newest = (await client.issues.page(...asked)).data[0]?.uuid ?? null;
    },
  };
  try {
    const check = await checkService({ issues }, { organization });
    return { check, newest };
  } finally {
    await client.close();
  }
}

/** Seen by one issue: of two organisations without any it is not known. */
function sameOrganization(): CheckResult {
  return failed(
    'API keys',
    'both keys belong to the same organisation, so the agent knows private channels’ issues everywhere',
    'set ISSUE_SERVICE_PRIVATE_API_KEY to a key of a second organisation',
  );
}

function summary({ slack, service }: Config): string {
  const modes = { socket: 'Slack through Socket Mode', http: 'Slack through HTTP (POST /slack/events)' };
  const first = slack === null ? 'the local workspace is embedded' : modes[slack.mode];
  return `valid: ${first}, ${service === null ? 'the service is embedded (simulated systems)' : 'a real service'}`;
}

/** Everything that `npm run doctor` checks, in the order in which it is printed. */
export async function diagnose(env: Record<string, string | undefined>): Promise<CheckResult[]> {
  const read = readConfig(env);
  if (!read.ok) {
    const fix = 'fix the environment (see .env.example) and run this again';
    return read.problems.map((problem) => failed('configuration', problem, fix));
  }
  const { config } = read;
  const [slack, service] = await Promise.all([
    config.slack === null ? [] : diagnoseSlack(config.slack, config.alertChannels),
    config.service === null ? [] : diagnoseService(config.service),
  ]);
  const { databaseFile } = config;
  const database = checkDatabase(databaseFile);
  return [
    passed('configuration', summary(config)),
    ...slack,
    ...service,
    database,
    ...(database.ok && existsSync(databaseFile) ? checkStored(databaseFile) : []),
  ];
}
