import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
let around: Surroundings;

beforeEach(async () => {
  around = await startSurroundings('socket');
  onTestFinished(() => around.close());
  const bot = await startBotOn(around, { env: { ALERT_CHANNELS: around.workspace.channels.alerts } });
  onTestFinished(() => bot.stop());
});

async function told(text: string, pattern: RegExp): Promise<string> {
  const channel = around.workspace.channels.alerts;
  await around.workspace.command({ as: ALICE, channel, command: '/gumshoe', text });
  return until(`somebody is told ${pattern}`, () =>
    around.workspace
      .messages(channel)
      .filter(({ ephemeral_to }) => ephemeral_to === ALICE)
      .map(wordsOf)
      .findLast((words) => pattern.test(words)),
  );
}

it('/gumshoe systems says of each service what is seen, and of one all that is', async () => {
  const all = await told('systems', /payments/u);
  expect(all).toMatch(/payments[^\n]*: requests, errors, latency/u);
  expect(await told('systems payments', /payments/u)).toMatch(/requests, errors, latency/u);
  expect(await told('systems nosuch', /nosuch/u)).toMatch(/I see no service nosuch\. I see: cache, cart/u);
});
