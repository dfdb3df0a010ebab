import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { untilDecided } from '../support/decided.ts';
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

/** An hour passes in ten seconds. */
const TIMES = 360;
const HOUR = 60 * 60_000;
const BUDGET = 10;
const Readiness = z.object({ ready: z.boolean(), degraded: z.array(z.string()) });

let clock: PacedClock;
let around: Surroundings;
let proxy: ServiceProxy;
let bot: Bot;

beforeEach(async () => {
  clock = pacedClock();
  around = await startSurroundings('socket', { clock, ackTimeoutMs: TIMES * UNHURRIED_MS });
  proxy = await startServiceProxy(around.service.url);
  bot = await startBotOn(around, { clock, env: { ISSUE_SERVICE_URL: proxy.url } });
});

afterEach(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

/** What the bot says at top level in #alerts. */
function ownMessages(): PageMessage[] {
  const { channels, botUserId } = around.workspace;
  return around.workspace.messages(channels.alerts).filter(({ user }) => user === botUserId);
}

const cardOf = (ts: string) => wordsOf(repliesTo(around, ts)[0] ?? NOTHING);
const NOTHING = { type: 'message' as const, channel: '', ts: '', text: '' };

async function issuesThere(): Promise<{ number: number; title: string }[]> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  const page = Object(await (await fetch(`${around.service.url}/issues?limit=100`, { headers })).json());
  return page.data;
}

async function post(names: string[]): Promise<string[]> {
  const posted: string[] = [];
  for (const name of names) {
    posted.push((await around.workspace.post(alertmanagerAlert(name))).ts);
    await untilDecided(bot, posted.length);
  }
  return posted;
}

const KINDS = ['Lag', 'Disk', 'Heap', 'Queue', 'Errors', 'Latency', 'Swap', 'Retries', 'Locks', 'Sockets'];

describe('the service is down for an hour', () => {
  it('the channel hears of it in one line, and all is filed in its order, once', async () => {
    proxy.fault = 'down';
    const began = clock.now();
    const posted = await post([...KINDS, 'OverBudget', 'OverBudgetToo']);
    await until('what exceeds the budget is held', () =>
      ownMessages().some((message) => /2 alerts are on hold/u.test(wordsOf(message))),
    );
    clock.go(TIMES);
    const line = await until('the channel is told', () =>
      ownMessages().find((message) => /⏳.*10 alerts are queued here/u.test(wordsOf(message))),
    );
    await until('readiness says so', async () => {
      const { ready, degraded } = Readiness.parse(await (await fetch(`${bot.url}/readyz`)).json());
      return ready && degraded.some((one) => /been (unreachable|down).*since/u.test(one)) && degraded.join();
    });
    await until('an hour has passed', () => clock.now() - began > HOUR);
    const told = posted.slice(0, BUDGET).filter((ts) => /Try again|keep trying/u.test(cardOf(ts)));
    // Those that were sent before it was known; how many depends on how fast the machine is.
    expect(told.length).toBeLessThan(BUDGET / 2);
    await until('every card says that it waits', () =>
      posted.slice(0, BUDGET).every((ts) => cardOf(ts).includes('⚠️')),
    );

    proxy.fault = 'none';
    await until('the line says that it is back', () =>
      ownMessages().some((m) => m.ts === line.ts && /✅.*All 10 queued alerts/u.test(wordsOf(m))),
    );
    const there = (await issuesThere()).sort((a, b) => a.number - b.number);
    expect(there.map(({ title }) => title.split(' ')[0])).toEqual(KINDS);
    // The budget's message, and the line.
    expect(ownMessages()).toHaveLength(2);
    expect(ownMessages().map(wordsOf).join('\n')).toMatch(/2 alerts are on hold/u);
    await until('no card says that it waits', () =>
      posted.slice(0, BUDGET).every((ts) => !cardOf(ts).includes('⚠️')),
    );
    await until('it is well again', async () => {
      const { degraded } = Readiness.parse(await (await fetch(`${bot.url}/readyz`)).json());
      return degraded.length === 0;
    });
  });
});
