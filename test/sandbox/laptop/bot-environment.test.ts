import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Config, readConfig, type ServiceConfig } from '../../../src/bot/config.ts';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { botEnvironment } from '../../../src/sandbox/laptop/bot-environment.ts';
import { MANIFEST } from '../../../src/sandbox/laptop/constants.ts';
import { embed } from '../../../src/sandbox/laptop/embed.ts';
import { manualClock } from '../../support/manual-clock.ts';

function configOf(env: Record<string, string>): Config {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

/** What `npm start` embeds, and what the bot reads of the environment that it is given. */
async function started(): Promise<ServiceConfig> {
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
  if (embedded.slack === null) throw new Error('the workspace is to be embedded');
  const env = botEnvironment(configOf({}), embedded.slack, embedded.service, { deliver: null });
  const { service } = configOf(env);
  if (service === null) throw new Error('the bot is to be given the embedded service');
  return service;
}

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
