import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type Fault, type ServiceProxy, startServiceProxy } from '../support/proxies/service-proxy.ts';
import { until } from '../support/until.ts';

const Readiness = z.object({ ready: z.boolean(), degraded: z.array(z.string()) });
let around: Surroundings;
let proxy: ServiceProxy;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  proxy = await startServiceProxy(around.service.url);
  bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: proxy.url } });
});

afterEach(async () => {
  await bot.stop();
  await proxy.close();
  await around.close();
});

async function readyz(): Promise<{ ready: boolean; degraded: string[] }> {
  return Readiness.parse(await (await fetch(`${bot.url}/readyz`)).json());
}

const sentences: [Fault, RegExp][] = [
  ['html', /an answer Gumshoe cannot read.*keep trying/],
  ['500', /req-500/],
];

describe('an alert while the service', () => {
  it.each(sentences)(
    'answers %s is said on the card, and is filed when it is back',
    async (kind, sentence) => {
      proxy.fault = kind;
      const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
      const card = await until('the card says what is wrong', () =>
        repliesTo(around, ts).find((message) => sentence.test(wordsOf(message))),
      );
      expect(wordsOf(card)).not.toContain('It works!');
      expect(await readyz()).toMatchObject({ ready: true });

      proxy.fault = 'none';
      await until('the issue is filed and investigated', () =>
        /Ready to fix/.test(wordsOf(repliesTo(around, ts)[0] ?? card)),
      );
      expect(repliesTo(around, ts)[0]?.ts).toBe(card.ts);
    },
  );

  it('resets the connection after it took the request is filed once', async () => {
    proxy.fault = 'reset_after_effect';
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the create call was cut', () => proxy.seen.includes('POST /issues'));
    proxy.fault = 'none';
    await until('the issue is found again', () =>
      /Ready to fix/.test(wordsOf(repliesTo(around, ts)[0] ?? NOTHING)),
    );
    expect(proxy.seen.filter((call) => call === 'POST /issues')).toHaveLength(1);
  });

  it('says nothing at all does not hold up a stop, and the next start files it', async () => {
    proxy.fault = 'silent';
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the create call hangs', () => proxy.seen.includes('POST /issues'));
    await bot.stop();

    proxy.fault = 'none';
    bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: proxy.url } });
    await until('it is filed', () => /Ready to fix/.test(wordsOf(repliesTo(around, ts)[0] ?? NOTHING)));
  });
});

describe('the poller', () => {
  it('shows a failing service as degraded, and is still ready', async () => {
    await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the issue is filed', () => proxy.seen.includes('POST /issues'));
    proxy.fault = '500';
    const state = await until('the poller has failed', async () => {
      const answer = await readyz();
      return answer.degraded.some((one) => /investigation service failed/u.test(one)) ? answer : null;
    });
    expect(state.ready).toBe(true);
  });
});

const NOTHING = { type: 'message' as const, channel: '', ts: '', text: '' };
