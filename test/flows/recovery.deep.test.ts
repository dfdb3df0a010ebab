import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { corpusMessage, wordsOf } from '../support/alerts.ts';
import { BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { pacedClock } from '../support/paced-clock.ts';
import { type Surroundings, startBotOn, startSurroundings, UNHURRIED_MS } from '../support/program.ts';
import { type ServiceProxy, startServiceProxy } from '../support/proxies/service-proxy.ts';
import { until } from '../support/until.ts';

/** Longer than a test waits for anything. */
const INVESTIGATION_MS = 10 * 60_000;
/** How fast the clock goes once the investigation may end. */
const TIMES = 200;

let around: Surroundings;
let proxy: ServiceProxy;
let bot: Bot;
let views: ChannelViews;

const start = () => startBotOn(around, { env: { ISSUE_SERVICE_URL: proxy.url } });

beforeEach(async () => {
  around = await startSurroundings('socket');
  proxy = await startServiceProxy(around.service.url);
  bot = await start();
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

const down = () => around.workspace.post(corpusMessage('uptime-kuma', 'uptime-kuma-down'));
const up = () => around.workspace.post(corpusMessage('uptime-kuma', 'uptime-kuma-up'));

/** From now on a recovery resolves the issue. */
async function recoveriesResolve(): Promise<void> {
  const channel = around.workspace.channels.alerts;
  await around.workspace.command({ as: BOB, channel, command: '/gumshoe', text: 'watch' });
  const chosen = { onRecovery: { onRecovery: { selected_option: { value: 'resolve' } } } };
  expect(await views.send(chosen)).toEqual({ ok: true });
}

function patches(): number {
  return proxy.seen.filter((request) => request.startsWith('PATCH')).length;
}

it('a recovery resolves the issue, and firing again soon brings the same one back', async () => {
  await recoveriesResolve();
  const { ts } = await down();
  await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
  await views.seen(/Results of/, 'alerts', ts);
  const before = views.thread('alerts', ts).length;
  await up();
  await views.seen(/✅ Resolved[\s\S]*The alert recovered/, 'alerts', ts);
  const again = await down();
  await views.seen(/Ready to fix[\s\S]*Fired again 1 time/, 'alerts', ts);
  await until('the service was told both', () => patches() >= 2);
  expect(patches()).toBe(2);
  const sign = await views.seen(
    /Fired again within the cool-down: <\S+\|#1> is open again\./,
    'alerts',
    again.ts,
  );
  expect(views.thread('alerts', again.ts)).toEqual([sign]);
  expect(views.thread('alerts', ts)).toHaveLength(before);
  expect(proxy.seen.filter((request) => request === 'POST /issues')).toHaveLength(1);
});

it('a recovery while the service is down, and a restart in between, resolves it once it is back', async () => {
  await recoveriesResolve();
  const { ts } = await down();
  await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
  proxy.fault = '500';
  await up();
  const card = await views.seen(/The alert recovered/, 'alerts', ts);
  expect(wordsOf(card)).toMatch(/Ready to fix/);
  await views.seen(/I will keep trying to update it/, 'alerts', ts);
  await bot.stop();
  bot = await start();
  proxy.fault = 'none';
  const resolved = await views.seen(/✅ Resolved/, 'alerts', ts);
  expect(wordsOf(resolved)).not.toMatch(/keep trying/);
});

it('a recovery that the alert overtakes while the service is down resolves nothing', async () => {
  await recoveriesResolve();
  const { ts } = await down();
  await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
  proxy.fault = '500';
  const before = patches();
  await up();
  await views.seen(/The alert recovered/, 'alerts', ts);
  // Only what was sent may have taken effect, so that the service has to be told again.
  await until('the recovery was sent once', () => patches() > before);
  await down();
  await views.seen(/Fired again 1 time/, 'alerts', ts);
  proxy.fault = 'none';
  const told = patches();
  await until('the service is told what stands', () => patches() > told);
  const card = await views.seen(/Ready to fix[\s\S]*Fired again 1 time/, 'alerts', ts);
  expect(wordsOf(card)).not.toMatch(/keep trying/);
});

it('a recovery while it is still investigated resolves it; firing again continues with the investigation', async () => {
  await bot.stop();
  await around.close();
  // The investigation goes on until the test lets it end, however long the rest takes on a busy machine.
  const clock = pacedClock();
  around = await startSurroundings('socket', {
    clock,
    investigationMs: INVESTIGATION_MS,
    ackTimeoutMs: TIMES * UNHURRIED_MS,
  });
  await proxy.close();
  proxy = await startServiceProxy(around.service.url);
  bot = await start();
  views = channelViews(around);
  await recoveriesResolve();
  const { ts } = await down();
  await views.seen(/#1[\s\S]*Investigating/, 'alerts', ts);
  await up();
  await views.seen(/✅ Resolved/, 'alerts', ts);
  await down();
  await views.seen(/Investigating[\s\S]*Fired again 1 time/, 'alerts', ts);
  clock.go(TIMES);
  const results = await views.seen(/Results of/, 'alerts', ts);
  expect(wordsOf(results)).not.toMatch(/· version 2/);
  await views.seen(/Ready to fix/, 'alerts', ts);
  expect(proxy.seen.filter((request) => request === 'POST /issues')).toHaveLength(1);
});
