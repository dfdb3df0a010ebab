import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/compose.ts';
import type { PageMessage } from '../../src/sandbox/workspace/page-api.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
/** Fast enough not to wait long, slow enough for the storm to be over before the budget of ten minutes frees. */
const TIMES = 6;
const ALERTS = 1_000;
const KINDS = 40;
const SERVICES = ['cart', 'checkout', 'payments', 'search'];

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  const clock = fastClock(TIMES);
  around = await startSurroundings('socket', { clock, patience: TIMES * 3_000 });
  bot = await startBotOn(around, { clock });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

/** What the bot says at top level in #alerts. */
function ownMessages(): PageMessage[] {
  const { channels, botUserId } = around.workspace;
  return around.workspace.messages(channels.alerts).filter(({ user }) => user === botUserId);
}

const heldWords = () => ownMessages().map(wordsOf).join('\n');

async function press(actionId: string): Promise<void> {
  const [message] = ownMessages();
  const row = (message?.blocks ?? []).map(Object).find((block) => block.type === 'actions');
  const element = row?.elements.map(Object).find((one: { action_id: string }) => one.action_id === actionId);
  const outcome = await around.workspace.action({
    as: ALICE,
    channel: around.workspace.channels.alerts,
    message_ts: message?.ts ?? '',
    block_id: row?.block_id,
    action_id: actionId,
    value: element?.value,
  });
  expect(outcome).toEqual({ ok: true });
}

describe('a storm of 1,000 alerts of 40 kinds in #alerts', () => {
  it('is ten cards and one message; File all adds thirty, and the message says what became of each', async () => {
    const posted: string[] = [];
    for (let n = 0; n < ALERTS; n += 1) {
      const kind = n % KINDS;
      const alert = alertmanagerAlert(`Kind${kind}`, SERVICES[kind % SERVICES.length]);
      posted.push((await around.workspace.post(alert)).ts);
    }
    await until('all that is no repeat is held', () =>
      /750 alerts of 30 problems are held/.test(heldWords()),
    );
    const cardsOf = (from: number, to: number) =>
      posted.slice(from, to).filter((ts) => repliesTo(around, ts).some((m) => /Kind\d+/.test(wordsOf(m))));
    await until('the first ten have their cards', () => cardsOf(0, 10).length === 10);
    expect(cardsOf(10, ALERTS)).toEqual([]);
    await until('the message says that it is over', () => /It is over: no more came/.test(heldWords()));
    expect(heldWords()).toContain('File all (30)');

    await press('hold:file-all');
    await until('each has its card', () => cardsOf(0, KINDS).length === KINDS);
    expect(cardsOf(KINDS, ALERTS)).toEqual([]);
    const numbers = () =>
      [...heldWords().matchAll(/\|#(\d+)> Kind\d+ .*\(25 alerts\)/g)].map(([, n]) => Number(n));
    await until('the message names each issue', () => numbers().length === 30);
    expect(numbers()).toEqual(Array.from({ length: 30 }, (_, n) => n + 11));
    expect(heldWords()).toContain('All 750 alerts of 30 problems that were held back are accounted for');
    expect(ownMessages()).toHaveLength(1);

    const metrics = await (await fetch(`${bot.url}/metrics`)).text();
    expect(metrics).toMatch(/gumshoe_slack_calls_total\{.*chat\.postMessage.*outcome="ok"/);
    expect(metrics).not.toContain('outcome="rate_limited"');
  });
});
