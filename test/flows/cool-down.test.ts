import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

const down = () => around.workspace.post(corpusMessage('uptime-kuma', 'uptime-kuma-down'));

async function service(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${SERVICE_KEY}`,
    'service-version': '2026-03-17',
    'content-type': 'application/json',
  };
  return (await fetch(`${around.service.url}${path}`, { ...init, headers })).json();
}

async function issuesThere(): Promise<{ uuid: string; status: string; latestVersion: number }[]> {
  const page = Object(await service('/issues?limit=100'));
  return page.data;
}

async function readyCard(ts: string) {
  await views.seen(/Results of/, 'alerts', ts);
  return views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
}

it('what a person resolved comes back as it was, once it fires again, with nothing new to investigate', async () => {
  const { ts } = await down();
  await views.press('alerts', await readyCard(ts), 'issue:resolve');
  await views.seen(/✅ Resolved/, 'alerts', ts);
  const before = views.thread('alerts', ts).length;
  const again = await down();
  await views.seen(/Ready to fix[\s\S]*Fired again 1 time/, 'alerts', ts);
  await until('the service knows', async () => (await issuesThere())[0]?.status === 'ready_to_fix');
  expect(await issuesThere()).toMatchObject([{ status: 'ready_to_fix' }]);
  expect(views.thread('alerts', ts)).toHaveLength(before);
  expect(views.thread('alerts', again.ts)).toEqual([]);
});

it('after the cool-down it is a new issue that names the earlier one and its root cause', async () => {
  const channel = around.workspace.channels.alerts;
  await around.workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'watch' });
  expect(await views.send({ coolDownMinutes: { coolDownMinutes: { value: '0' } } })).toEqual({ ok: true });
  const first = await down();
  await views.press('alerts', await readyCard(first.ts), 'issue:resolve');
  await views.seen(/✅ Resolved/, 'alerts', first.ts);
  const second = await down();
  const card = await views.seen(/#2/, 'alerts', second.ts);
  expect(wordsOf(card)).toMatch(/Fired before: #1, resolved <!date[^>]*>: \S/);
  expect(await issuesThere()).toHaveLength(2);
});
