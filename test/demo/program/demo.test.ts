import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Config, readConfig, type ServiceConfig } from '../../../src/bot/config.ts';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { botEnvironment, flagConflict, MANIFEST, readFlags, usage } from '../../../src/demo/program/demo.ts';
import { embed } from '../../../src/demo/program/embed.ts';
import { manualClock } from '../../support/manual-clock.ts';

const NONE = { help: false, scenario: null, deliver: null, ackTimeout: null };

function configOf(env: Record<string, string>): Config {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

describe('the flags of npm start', () => {
  it.each([
    [[], NONE],
    [['--help'], { ...NONE, help: true }],
    [['--scenario', 'storm'], { ...NONE, scenario: 'storm' }],
    [['--scenario=storm', '--deliver', 'http'], { ...NONE, scenario: 'storm', deliver: 'http' }],
    [['--deliver=socket'], { ...NONE, deliver: 'socket' }],
    [['--ack-timeout', '600'], { ...NONE, ackTimeout: 600 }],
  ])('are read: %j', (words, flags) => {
    expect(readFlags(words)).toEqual({ flags });
  });

  it.each([[['--scenario']], [['--scenario=']], [['--scenario', '--help']]])(
    'ask for no scenario in particular in %j, so that all are named',
    (words) => {
      expect(readFlags(words)).toMatchObject({ flags: { scenario: '' } });
    },
  );

  it.each([
    [['--speed', '3'], 'npm start has no flag --speed: the flags are '],
    [['-s', 'storm'], 'npm start has no flag -s: the flags are '],
    [['--deliver', 'smtp'], '--deliver must be socket or http.'],
    [['--deliver'], '--deliver must be socket or http.'],
    [['--deliver', '--scenario', 'storm'], '--deliver must be socket or http.'],
    [['--ack-timeout', '0'], '--ack-timeout must be a whole number of seconds'],
    [['--ack-timeout', '3s'], '--ack-timeout must be a whole number of seconds'],
    [['--help=yes'], '--help takes no value.'],
    // What is left of `npm start --scenario storm`.
    [['storm'], 'npm start takes no argument "storm": the flags are '],
  ])('%j is refused with a sentence', (words, sentence) => {
    const read = readFlags(words);
    expect('problem' in read && read.problem.startsWith(sentence)).toBe(true);
    expect('problem' in read && read.problem.endsWith('.')).toBe(true);
  });

  it('are all told by --help', () => {
    expect(usage()).toMatch(
      /--scenario <name>[\s\S]*--deliver socket\|http[\s\S]*--ack-timeout[\s\S]*--help/,
    );
  });
});

describe('a flag where nothing is embedded', () => {
  const slack = { SLACK_BOT_TOKEN: 'xoxb-1-2', SLACK_APP_TOKEN: 'xapp-1-A-2' };
  const service = { ISSUE_SERVICE_URL: 'http://service.example/api/v2', ISSUE_SERVICE_API_KEY: 'secret-key' };

  it.each([
    [
      { ...NONE, deliver: 'http' as const },
      { ...slack, ...service },
      '--deliver only applies to the embedded Slack',
    ],
    [
      { ...NONE, ackTimeout: 600 },
      { ...slack, ...service },
      '--ack-timeout only applies to the embedded Slack',
    ],
    [
      { ...NONE, deliver: 'http' as const },
      { ...slack, ALLOW_SIMULATED: 'true' },
      '--deliver only applies to the embedded Slack',
    ],
    [
      { ...NONE, scenario: 'storm' },
      { ...slack, ALLOW_SIMULATED: 'true' },
      '--scenario needs the embedded Slack',
    ],
    [{ ...NONE, scenario: 'storm' }, service, '--scenario needs the simulated shop'],
  ])('%j is refused', (flags, env, sentence) => {
    expect(flagConflict(flags, configOf(env))).toMatch(new RegExp(`^${sentence}.*\\.$`));
  });

  it('is fine where it is embedded', () => {
    expect(flagConflict({ ...NONE, scenario: 'storm', deliver: 'http' }, configOf({}))).toBeNull();
    expect(flagConflict({ ...NONE, deliver: 'http' }, configOf(service))).toBeNull();
    expect(flagConflict(NONE, configOf({ ...slack, ...service }))).toBeNull();
  });
});

/** What `npm start` embeds, and what the bot reads of the environment that it is given. */
async function started(): Promise<ServiceConfig> {
  const { service } = configOf(await environment(null));
  if (service === null) throw new Error('the bot is to be given the embedded service');
  return service;
}

async function environment(deliver: 'http' | null): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const embedded = await embed({
    slack: true,
    service: true,
    folder,
    manifest: MANIFEST,
    pageUrl: 'http://127.0.0.1:1',
  });
  onTestFinished(() => embedded.stop());
  return botEnvironment(configOf({}), embedded, { deliver });
}

it.each([
  [null, 'socket'],
  ['http', 'http'],
] as const)('with deliver %s, Slack is in mode %s, and Slackbot may call the bot', async (deliver, mode) => {
  const env = await environment(deliver);
  expect(configOf(env)).toMatchObject({
    slack: { mode },
    mcp: { signingSecrets: [env.SLACK_SIGNING_SECRET] },
  });
});

it('the bot is given two keys that the embedded service takes, each for issues of its own', async () => {
  const { privateApiKey = '', ...service } = await started();
  expect(privateApiKey).not.toBe('');
  expect(privateApiKey).not.toBe(service.apiKey);
  const client = (apiKey: string) => {
    const made = createServiceClient({ ...service, apiKey, clock: manualClock() });
    onTestFinished(() => made.close());
    return made;
  };
  const [main, second] = [client(service.apiKey), client(privateApiKey)];
  await second.issues.create({
    title: 'Payroll export stalled',
    description: 'Since lunch',
    environment: 'production',
  });
  const titles = async ({ issues }: typeof main) => (await issues.page({})).data.map(({ title }) => title);
  expect(await titles(second)).toContain('Payroll export stalled');
  expect(await titles(main)).not.toContain('Payroll export stalled');
});
