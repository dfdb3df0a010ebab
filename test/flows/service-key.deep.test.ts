import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { type PacedClock, pacedClock } from '../support/paced-clock.ts';
import {
  SERVICE_KEY,
  type Surroundings,
  startBotOn,
  startSurroundings,
  UNHURRIED_MS,
} from '../support/program.ts';
import { type ServiceProxy, startServiceProxy } from '../support/proxies/service-proxy.ts';
import { until } from '../support/until.ts';

/** A minute passes in half a second, where nobody waits for an answer: what the bot gives seconds to would have milliseconds. */
const TIMES = 120;
const MINUTE = 60_000;
const ALICES_DM = 'D0ALICE001';
const Readiness = z.object({ ready: z.boolean(), degraded: z.array(z.string()) });

let clock: PacedClock;
let around: Surroundings;
let proxy: ServiceProxy;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  clock = pacedClock();
  around = await startSurroundings('socket', { clock, ackTimeoutMs: TIMES * UNHURRIED_MS });
  proxy = await startServiceProxy(around.service.url);
  bot = await startBotOn(around, {
    clock,
    env: { ISSUE_SERVICE_URL: proxy.url, ADMIN_USERS: ALICE },
  });
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

const said = (channel: string) =>
  around.workspace.messages(channel).filter(({ user }) => user === around.workspace.botUserId);
const inDm = () => said(ALICES_DM).map(wordsOf);
const inAlerts = () => said(around.workspace.channels.alerts).map(wordsOf);

async function degraded(): Promise<string[]> {
  const answer = Readiness.parse(await (await fetch(`${bot.url}/readyz`)).json());
  expect(answer.ready).toBe(true);
  return answer.degraded;
}

describe('a key that the service does not accept', () => {
  it('stops everything but one call a minute; admins are notified once, and all goes on when it is fixed', async () => {
    const before = await around.workspace.post(alertmanagerAlert('Before'));
    await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', before.ts);
    proxy.fault = 'key_refused';
    clock.go(TIMES);
    const waiting = await around.workspace.post(alertmanagerAlert('Waiting'));
    await until('an admin is told', () => inDm().some((words) => /🔑.*ISSUE_SERVICE_API_KEY/su.test(words)));
    await until('the channel is told', () =>
      inAlerts().some((words) => /⏳.*1 alert is queued here/u.test(words)),
    );
    expect(await degraded()).toContainEqual(expect.stringMatching(/has rejected the API key since/));

    const calls = proxy.seen.length;
    clock.go(1);
    const from = clock.now();
    const root = await around.workspace.post({
      channel: 'alerts',
      user: BOB,
      text: `<@${around.workspace.botUserId}> which issues are open?`,
    });
    await views.seen(/rejected our API key[\s\S]*Try again/, 'alerts', root.ts);
    clock.go(TIMES);
    await until('ten minutes have passed', () => clock.now() - from > 10 * MINUTE);
    const made = proxy.seen.slice(calls);
    // Two may ask at the same moment whether it is mended; nobody does so more often than each minute.
    expect(made.length).toBeLessThanOrEqual(2 * Math.ceil((clock.now() - from) / MINUTE));

    proxy.fault = 'none';
    await views.seen(/#2/, 'alerts', waiting.ts);
    await until('the admin hears that it is mended', () => inDm().some((words) => /✅ Fixed/u.test(words)));
    await until('the channel hears so too', () =>
      inAlerts().some((words) => /✅.*The queued alert has been filed/u.test(words)),
    );
    expect([inDm().length, inAlerts().length]).toEqual([1, 1]);
    await until('nothing is degraded', async () => (await degraded()).length === 0);
    const told = [...inDm(), ...inAlerts()].join('\n');
    expect(told).not.toContain(SERVICE_KEY);
  });
});

describe('a key without the right to delete', () => {
  it('stops nothing else, and is told to nobody but who wanted to', async () => {
    proxy.fault = 'no_deleting';
    const { ts } = await around.workspace.post(alertmanagerAlert('First'));
    await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
    const channel = around.workspace.channels.alerts;
    const command = { as: ALICE, channel, command: '/issue', text: 'delete 1' };
    expect(await around.workspace.command(command)).toEqual({ ok: true });
    const { id } = await views.modal(ALICE);
    expect(await around.workspace.submit({ as: ALICE, view_id: id, values: {} })).toEqual({ ok: true });
    await until('it was refused', () => proxy.seen.some((call) => call.startsWith('DELETE')));
    const next = await around.workspace.post(alertmanagerAlert('Second'));
    await views.seen(/#2/, 'alerts', next.ts);
    const from = clock.now();
    clock.go(TIMES);
    await until('three minutes have passed', () => clock.now() - from > 3 * MINUTE);
    expect([inDm(), inAlerts()]).toEqual([[], []]);
    expect(await degraded()).toEqual([]);
  });
});

describe('an issue that is deleted at the service', () => {
  it('is said on its card; its thread still gets answers, and the alert is a new issue when it fires again', async () => {
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts);
    const headers = { authorization: `Bearer ${SERVICE_KEY}` };
    const listed = Object(await (await fetch(`${around.service.url}/issues`, { headers })).json());
    const { uuid } = listed.data[0];
    await fetch(`${around.service.url}/issues/${uuid}`, { method: 'DELETE', headers });
    clock.go(TIMES);
    await views.seen(/🗑️ Deleted/, 'alerts', ts);
    clock.go(1);

    const gets = () => proxy.seen.filter((call) => call.includes(uuid)).length;
    const [before, from] = [gets(), clock.now()];
    const mention = `<@${around.workspace.botUserId}> which issues are open?`;
    const asked = await around.workspace.post({ channel: 'alerts', user: BOB, thread_ts: ts, text: mention });
    const votes = `up:answer:${around.workspace.channels.alerts}:${asked.ts}`;
    await until('it is answered', () => JSON.stringify(views.thread('alerts', ts)).includes(votes));
    clock.go(TIMES);
    await until('ten minutes have passed', () => clock.now() - from > 10 * MINUTE);
    expect(gets()).toBe(before);

    const again = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#2/, 'alerts', again.ts);
  });
});
