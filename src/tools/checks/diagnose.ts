import { existsSync } from 'node:fs';
import { type Config, readConfig, type ServiceConfig, type SlackConfig } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/log.ts';
import { createServiceClient } from '../../service/client.ts';
import { checkAlertChannels } from '../../slack/checks/alert-channels.ts';
import { type CheckResult, failed, passed } from '../../slack/checks/result.ts';
import { checkService } from '../../slack/checks/service.ts';
import { checkSlackToken } from '../../slack/checks/slack-token.ts';
import { checkSocketMode } from '../../slack/checks/socket-mode.ts';
import { createSlackClient } from '../../slack/client.ts';
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
  }
  return [...results, ...(await checkAlertChannels(client, alertChannels))];
}

async function diagnoseService(service: ServiceConfig): Promise<CheckResult> {
  const client = createServiceClient({ ...service, clock: systemClock });
  try {
    return await checkService(client);
  } finally {
    await client.close();
  }
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
    const fix = 'correct the environment (see .env.example), and run this again';
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
    ...[service].flat(),
    database,
    ...(database.ok && existsSync(databaseFile) ? checkStored(databaseFile) : []),
  ];
}
