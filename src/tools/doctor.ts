import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { type Config, readConfig, type ServiceConfig, type SlackConfig } from '../bot/config.ts';
import { createLogger } from '../bot/shared/log.ts';
import {
  type CheckResult,
  checkAlertChannels,
  checkService,
  checkSlackToken,
  checkSocketMode,
  failed,
  passed,
} from '../bot/slack/checks.ts';
import { createSlackClient } from '../bot/slack/client.ts';
import { botVariables } from '../bot/variables.ts';
import { createServiceClient, keyVariables, type Organization } from '../contract/client/client.ts';
import { systemClock } from '../lib/clock.ts';
import { variablesOf } from '../lib/environment.ts';
import { type Command, type Io, loadEnvFile, processIo } from '../lib/io.ts';
import { misspeltVariables } from '../lib/misspelt.ts';
import { readOwners } from '../lib/owners.ts';
import { withoutSecrets } from '../lib/redact.ts';
import { serviceVariables } from '../service/settings.ts';
import { hasSource, readTelemetrySettings } from '../service/telemetry/settings.ts';
import { checkBlocks } from './checks/blocks.ts';
import {
  checkAlertmanager,
  checkMcp,
  checkStatusPages,
  checkTelemetry,
  checkTickets,
  checkTracing,
  checkWebhooks,
} from './checks/connections.ts';
import { checkDatabase, checkPostgres, checkStored } from './checks/database.ts';
import { checkModel } from './checks/model.ts';
import { checkOwners } from './checks/owners.ts';
import { checkRunbooks } from './checks/runbooks.ts';

const USAGE = `usage: npm run doctor [-- --blocks]

Checks this installation: one line for each check, with the fix if something is wrong. The exit code is 1 then.

  --blocks    also has Slack check every message and view of the gallery (about four minutes; nothing is posted)`;

/** `npm run doctor`. @returns the exit code */
export const doctor: Command = withoutSecrets(async (words, env, io) => {
  const flags = flagsOrUsage(words, { blocks: { type: 'boolean' } }, USAGE, io);
  if ('code' in flags) return flags.code;
  const results = await diagnose(env, { blocks: flags.values.blocks ?? false });
  for (const { name, ok, detail, fix, notes = [] } of results) {
    io.out(`${ok ? '✓' : '✗'} ${name}: ${detail}${fix === null ? '' : ` → ${fix}`}`);
    for (const note of notes) io.out(`  - ${note}`);
  }
  return results.every(({ ok }) => ok) ? 0 : 1;
});

const log = createLogger('silent');

async function diagnoseSlack(slack: SlackConfig, config: Config): Promise<CheckResult[]> {
  const client = createSlackClient({ token: slack.botToken, apiUrl: slack.apiUrl, log });
  const results = await checkSlackToken(client);
  if (slack.mode === 'socket') {
    results.push(
      await checkSocketMode(createSlackClient({ token: slack.appToken, apiUrl: slack.apiUrl, log })),
    );
  } else {
    results.push(delayedEvents());
  }
  return [...results, ...(await checkAlertChannels(client, await channelsOf(config)))];
}

/** The channels in which Gumshoe is to post: those that it watches, and those that a route or an owner names. */
async function channelsOf({ alertChannels, alertRoutes, ownersFile }: Config): Promise<string[]> {
  const owners = ownersFile === null ? '' : await readFile(ownersFile, 'utf8').catch(() => '');
  return [
    ...new Set([
      ...alertChannels,
      ...alertRoutes.map(({ channel }) => channel),
      ...readOwners(owners).entries.flatMap(({ channel }) => channel ?? []),
    ]),
  ];
}

/** Loaded on demand, because the image does not contain the gallery. */
async function diagnoseBlocks(slack: SlackConfig | null): Promise<CheckResult[]> {
  const name = 'Slack blocks';
  if (slack === null) {
    return [
      failed(name, 'nothing was checked: no Slack is configured', 'set SLACK_BOT_TOKEN, and run this again'),
    ];
  }
  if (!existsSync(new URL('./gallery/windows.ts', import.meta.url))) {
    return [
      failed(name, 'nothing was checked: the image has no gallery', 'run this in a checkout of the source'),
    ];
  }
  const { galleryPayloads } = await import('./gallery/windows.ts');
  const client = createSlackClient({ token: slack.botToken, apiUrl: slack.apiUrl, log });
  return checkBlocks(client, await galleryPayloads(), systemClock);
}

/** Slack tells nobody of this switch, so all that can be done is to name it. */
function delayedEvents(): CheckResult {
  return passed(
    'Delayed Events',
    'Slack does not say; make sure that it is on: https://api.slack.com/apps → your app → Event Subscriptions',
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

/** Seen by one issue: of two organizations without any it is not known. */
function sameOrganization(): CheckResult {
  return failed(
    'API keys',
    'both keys belong to the same organization, so the agent knows private channels’ issues everywhere',
    'set ISSUE_SERVICE_PRIVATE_API_KEY to a key of a second organization',
  );
}

/** A slip in a name leaves what it configures out without a word. */
function misspelt(env: Record<string, string | undefined>): CheckResult[] {
  const known = variablesOf(z.object({ ...botVariables.shape, ...serviceVariables.shape }));
  return misspeltVariables(env, known).map((question) =>
    failed('variables', question, 'correct its name, or remove it'),
  );
}

function summary({ slack, service }: Config, hasTelemetry: boolean): string {
  const modes = { socket: 'Slack through Socket Mode', http: 'Slack through HTTP (POST /slack/events)' };
  const first = slack === null ? 'the local workspace is embedded' : modes[slack.mode];
  const systems = hasTelemetry ? 'over your telemetry' : 'simulated systems';
  return `valid: ${first}, ${service === null ? `the service is embedded (${systems})` : 'a real service'}`;
}

/**
 * Everything that `npm run doctor` checks, in the order in which it is printed.
 *
 * @param also `blocks` has Slack check every message and view of the gallery.
 */
export async function diagnose(
  env: Record<string, string | undefined>,
  also: { blocks: boolean } = { blocks: false },
): Promise<CheckResult[]> {
  const telemetrySettings = readTelemetrySettings(env);
  const isWrong = 'problems' in telemetrySettings;
  const hasTelemetry = !isWrong && hasSource(telemetrySettings.settings);
  const read = readConfig(env, { hasTelemetry });
  if (!read.ok) {
    const fix = 'fix the environment (see .env.example) and run this again';
    return read.problems.map((problem) => failed('configuration', problem, fix));
  }
  const { config } = read;
  const [slack, service, telemetry, model, alertmanager, pages, tracing, mcp, tickets, owners, runbooks] =
    await Promise.all([
      config.slack === null ? [] : diagnoseSlack(config.slack, config),
      config.service === null ? [] : diagnoseService(config.service),
      checkTelemetry(env),
      checkModel(env),
      checkAlertmanager(config.alertmanager),
      checkStatusPages(config.statusPages),
      checkTracing(config.tracing),
      checkMcp(config),
      checkTickets(config.tickets),
      checkOwners(config),
      checkRunbooks(config),
    ]);
  return [
    // What is wrong with a source is said by its own line.
    ...(isWrong ? [] : [passed('configuration', summary(config, hasTelemetry))]),
    ...misspelt(env),
    ...slack,
    ...(also.blocks ? await diagnoseBlocks(config.slack) : []),
    ...service,
    ...telemetry,
    ...model,
    ...checkWebhooks(config),
    ...alertmanager,
    ...pages,
    ...tracing,
    ...mcp,
    ...tickets,
    ...owners,
    ...runbooks,
    ...(await diagnoseDatabase(config)),
  ];
}

async function diagnoseDatabase({
  database,
  databaseDirectUrl,
}: Pick<Config, 'database' | 'databaseDirectUrl'>): Promise<CheckResult[]> {
  if (database.kind === 'postgres') {
    return checkPostgres(database.url, databaseDirectUrl);
  }
  const { file } = database;
  const check = checkDatabase(file);
  return check.ok && existsSync(file) ? [check, ...checkStored(file)] : [check];
}

type Flags = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Flags> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/**
 * Reads a command's flags. If one is wrong, or `--help` is among them, prints why and the usage, and answers the exit code:
 * 0 for `--help`, else 2.
 */
export function flagsOrUsage<const T extends Flags>(
  words: readonly string[],
  options: T,
  usage: string,
  io: Io,
): { values: Values<T> } | { code: number } {
  if (words.some((word) => word === '--help' || word === '-h')) {
    io.out(usage);
    return { code: 0 };
  }
  try {
    return { values: parseArgs({ args: [...words], options }).values };
  } catch (error) {
    io.err(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return { code: 2 };
  }
}

if (import.meta.main) process.exitCode = await doctor(process.argv.slice(2), loadEnvFile(), processIo);
