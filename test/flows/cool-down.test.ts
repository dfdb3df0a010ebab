import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, corpusMessage, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';

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

it('what a person resolved is looked at anew once it fires again, and compared with the last time', async () => {
  const errors = () => around.workspace.post(alertmanagerAlert('HighErrorRate'));
  const { ts } = await errors();
  await views.press('alerts', await readyCard(ts), 'issue:resolve');
  await views.seen(/✅ Resolved/, 'alerts', ts);
  const again = await errors();
  await views.seen(/Ready to fix[\s\S]*Fired again 1 time/, 'alerts', ts);
  await views.seen(
    /Looked again: the same root cause \(confidence \w+\)\. <\S+\|The result> above/,
    'alerts',
    ts,
  );
  await views.seen(/Results of .+ version 2/, 'alerts', ts);
  expect(views.thread('alerts', ts).filter((one) => /Results of/u.test(wordsOf(one)))).toHaveLength(1);
  expect(await issuesThere()).toMatchObject([{ status: 'ready_to_fix' }]);
  const sign = await views.seen(
    /Fired again after it was over: investigated again in <\S+\|#1>\.\n🔎 \*Root cause\*/u,
    'alerts',
    again.ts,
  );
  expect(views.thread('alerts', again.ts)).toEqual([sign]);
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
