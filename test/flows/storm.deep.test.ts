import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { untilDecided } from '../support/decided.ts';
import { type PacedClock, pacedClock } from '../support/paced-clock.ts';
import { type Surroundings, startBotOn, startSurroundings, UNHURRIED_MS } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
/** Once the storm is over: before, the budget of ten minutes would free while it lasts. */
const TIMES = 6;
const ALERTS = 1_000;
const KINDS = 40;
const SERVICES = ['cart', 'checkout', 'payments', 'search'];

let clock: PacedClock;
let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  clock = pacedClock();
  around = await startSurroundings('socket', { clock, ackTimeoutMs: TIMES * UNHURRIED_MS });
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

const metricsOf = async () => (await fetch(`${bot.url}/metrics`)).text();

async function press(actionId: string, as = ALICE): Promise<void> {
  const [message] = ownMessages();
  const row = (message?.blocks ?? []).map(Object).find((block) => block.type === 'actions');
  const element = row?.elements.map(Object).find((one: { action_id: string }) => one.action_id === actionId);
  const outcome = await around.workspace.action({
    as,
    channel: around.workspace.channels.alerts,
    message_ts: message?.ts ?? '',
    block_id: row?.block_id,
    action_id: actionId,
    value: element?.value,
  });
  expect(outcome).toEqual({ ok: true });
}

describe('alerts over the budget of #alerts', () => {
  it('are chosen by one person and dismissed by another; what recovered is told apart', async () => {
    const held = ['Lag', 'Disk', 'Heap', 'Queue'];
    for (let n = 0; n < 10; n += 1) await around.workspace.post(alertmanagerAlert(`Kind${n}`));
    await until('ten are filed', async () =>
      (await metricsOf()).includes('decision="filed",format="alertmanager"} 10'),
    );
    const posted: string[] = [];
    for (const name of held) posted.push((await around.workspace.post(alertmanagerAlert(name))).ts);
    const firing = JSON.stringify(alertmanagerAlert('Heap'));
    await around.workspace.post(JSON.parse(firing.replaceAll('[FIRING:1]', '[RESOLVED]')));
    // Three wait before the fourth has come, too.
    const recovered = /3 alerts are on hold[\s\S]*Recovered on their own\*: 1 alert\n• Heap/;
    await until('three wait, and one has recovered', () => recovered.test(heldWords()));

    await press('hold:choose');
    const view = await until('the modal is there', () => around.workspace.views(ALICE).at(-1));
    const options = JSON.stringify(view.modal);
    expect(held.map((name) => options.indexOf(name) > 0)).toEqual([true, true, true, true]);
    const tick = { selected_options: [{ value: posted[1] ?? '' }] };
    const sent = { as: ALICE, view_id: view.id, values: { 'problems:0': { problems: tick } } };
    expect(await around.workspace.submit(sent)).toEqual({ ok: true });
    await until('it has its card', () =>
      repliesTo(around, posted[1] ?? '').some((m) => /Disk/.test(wordsOf(m))),
    );
    await until('two wait', () => /2 alerts are on hold/.test(heldWords()));

    await press('hold:dismiss', BOB);
    await until('all is accounted for', () => /All 4 alerts/.test(heldWords()));
    await until('it has its number', () => /Filed\*: 1 alert\n• <[^|]+\|#11> Disk/.test(heldWords()));
    expect(heldWords()).toMatch(new RegExp(`Dismissed\\* by <@${BOB}>: 2 alerts`));
    expect(ownMessages()).toHaveLength(1);
    for (const ts of [posted[0], posted[2], posted[3]]) {
      await until('it has its sign', () => repliesTo(around, ts ?? '').length > 0);
      expect(repliesTo(around, ts ?? '')).toHaveLength(1);
    }
  });
});

describe('a storm of 1,000 alerts of 40 kinds in #alerts', () => {
  it('is ten cards and one message; File all adds thirty, and the message says what became of each', async () => {
    const posted: string[] = [];
    for (let n = 0; n < ALERTS; n += 1) {
      const kind = n % KINDS;
      const alert = alertmanagerAlert(`Kind${kind}`, SERVICES[kind % SERVICES.length]);
      posted.push((await around.workspace.post(alert)).ts);
      if (n < 10) await untilDecided(bot, n + 1);
    }
    // Step by step: a thousand of them take a busy machine a while.
    for (let n = 100; n <= ALERTS; n += 100) await untilDecided(bot, n);
    clock.go(TIMES);
    await until('all that is no repeat is held', () =>
      /750 alerts from 30 problems are on hold/.test(heldWords()),
    );
    const cardsOf = (from: number, to: number) =>
      posted.slice(from, to).filter((ts) => repliesTo(around, ts).some((m) => /Kind\d+/.test(wordsOf(m))));
    await until('the first ten have their cards', () => cardsOf(0, 10).length === 10);
    expect(cardsOf(10, ALERTS)).toEqual([]);
    await until('the message says that it is over', () => /It has stopped: none since/.test(heldWords()));
    expect(heldWords()).toContain('File all (30)');

    await press('hold:file-all');
    await until('each has its card', () => cardsOf(0, KINDS).length === KINDS);
    expect(cardsOf(KINDS, ALERTS)).toEqual([]);
    const numbers = () =>
      [...heldWords().matchAll(/\|#(\d+)> Kind\d+ .*\(25 alerts\)/g)].map(([, n]) => Number(n));
    await until('the message names each issue', () => numbers().length === 30);
    expect(numbers()).toEqual(Array.from({ length: 30 }, (_, n) => n + 11));
    expect(heldWords()).toContain('All 750 alerts from 30 problems on hold have been dealt with');
    expect(ownMessages()).toHaveLength(1);

    const metrics = await metricsOf();
    expect(metrics).toMatch(/gumshoe_slack_calls_total\{.*chat\.postMessage.*outcome="ok"/);
    expect(metrics).not.toContain('outcome="rate_limited"');
  });
});
