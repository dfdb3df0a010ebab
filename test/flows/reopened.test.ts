import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  // Longer than any test: what is muted and reopened meanwhile still runs.
  around = await startSurroundings('socket', { investigationMs: 60 * 60_000 });
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function there(): Promise<unknown> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  return (await fetch(`${around.service.url}/issues/by_number/1`, { headers })).json();
}

it.each(['mute', 'resolve'])(
  'after %s and reopen an investigation that runs goes on, the same one',
  async (change) => {
    const { ts } = await around.workspace.post(corpusMessage('uptime-kuma', 'uptime-kuma-down'));
    await views.seen(/#1[\s\S]*Investigating/, 'alerts', ts);
    const channel = around.workspace.channels.alerts;
    const issue = (text: string) => around.workspace.command({ as: BOB, channel, command: '/issue', text });
    await issue(`${change} 1`);
    await views.seen(/Muted|Resolved/, 'alerts', ts);
    await issue('reopen 1');
    await until(
      'it is under investigation again',
      async () => Object(await there()).status === 'investigating',
    );
    await views.seen(/#1[\s\S]*Investigating/, 'alerts', ts);
    expect(await there()).toMatchObject({ latestVersion: 1, versions: [{ version: 1, status: 'RUNNING' }] });
    expect(JSON.stringify(views.thread('alerts', ts))).not.toMatch(/[Nn]othing found/);
  },
);
