import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { playReplicas } from '../support/chaos/replicas.ts';
import { startDatabaseProxy } from '../support/postgres/database-proxy.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import { type Mode, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, BOB } from '../support/talking.ts';
import { until } from '../support/until.ts';

const SEED = 7;
const KILLS = 5;

describe('three replicas of the program on one database', () => {
  it(`leave one of everything, though one after the other of them is killed ${KILLS} times`, async () => {
    const { url } = await createDatabase();
    const { ledger, differences } = await playReplicas({
      seed: SEED,
      kills: KILLS,
      replicas: 3,
      databaseUrl: url,
      // A driver that did nothing would leave nothing wrong either.
      until: ({ problems, asked }) => problems.length > 4 && asked.length > 2,
    });
    expect(differences).toEqual([]);
    expect(ledger.kills).toHaveLength(KILLS);
  });
});

const running: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const stack of running.splice(0)) await stack.disposeAsync();
});

async function leads({ url }: Bot): Promise<boolean> {
  return (await (await fetch(`${url}/metrics`)).text()).includes('gumshoe_leader 1');
}

describe.each<Mode>(['socket', 'http'])('two replicas over %s', (mode) => {
  it('do everything once, also where one loses the database without noticing, and has it again later', async () => {
    const stack = new AsyncDisposableStack();
    running.push(stack);
    const around = await startSurroundings(mode);
    stack.defer(() => around.close());
    const proxy = await startDatabaseProxy(inject('postgresSocket'));
    stack.defer(() => proxy.close());
    const direct = around.env.DATABASE_URL ?? '';
    const start = async (DATABASE_URL: string) => {
      const bot = await startBotOn(around, { env: { DATABASE_URL } });
      stack.defer(() => bot.stop());
      return bot;
    };
    const first = await start(proxy.url(direct));
    await until('the first one leads', () => leads(first));
    const second = await start(direct);
    const { workspace } = around;

    const before = await workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('its results are there', () => repliesTo(around, before.ts).length > 1);
    expect(await leads(second)).toBe(false);

    proxy.cut();
    await until('the first one says why it is not ready', async () => {
      const response = await fetch(`${first.url}/readyz`);
      return response.status === 503 && (await response.text()).includes('check that PostgreSQL runs');
    });
    await until('the second one leads', () => leads(second));
    expect(await leads(first)).toBe(false);
    // Slack may still give deliveries to the first one, and gives them to the second once the first does not take them.
    const meanwhile = [await workspace.post(alertmanagerAlert('LatencyHigh'))];
    if (mode === 'socket') {
      await until('the first one has left Socket Mode', async () =>
        (await (await fetch(`${first.url}/readyz`)).text()).includes('left Socket Mode'),
      );
    }
    meanwhile.push(
      await workspace.post(alertmanagerAlert('DiskFull')),
      await workspace.post(alertmanagerAlert('CertificateExpiry')),
    );
    await until('their results are there', () =>
      meanwhile.every(({ ts }) => repliesTo(around, ts).length > 1),
    );

    proxy.mend();
    await until('the first one is ready again', async () => (await fetch(`${first.url}/readyz`)).ok);
    const after = await workspace.post(alertmanagerAlert('QueueLag'));
    await until('its results are there', () => repliesTo(around, after.ts).length > 1);

    expect([await leads(first), await leads(second)]).toEqual([false, true]);
    for (const { ts } of [before, ...meanwhile, after]) {
      const posts = repliesTo(around, ts).map(({ text }) => text);
      expect(posts).toEqual([expect.stringMatching(/^#\d+ /u), expect.stringMatching(/^#\d+ /u)]);
    }
  });
});

describe('planned work with two replicas', () => {
  it('is told to either, outlives the one that leads, and ends once though two people end it', async () => {
    const stack = new AsyncDisposableStack();
    running.push(stack);
    const around = await startSurroundings('socket');
    stack.defer(() => around.close());
    const first = await startBotOn(around);
    stack.defer(() => first.stop());
    await until('the first one leads', () => leads(first));
    const second = await startBotOn(around);
    stack.defer(() => second.stop());
    const { workspace } = around;
    const channel = workspace.channels.alerts;
    const said = (pattern: RegExp) =>
      workspace
        .messages(channel)
        .filter((one) => one.ephemeral_to === undefined && pattern.test(wordsOf(one)));
    // Slack gives each of these to one of the two.
    await workspace.command({ as: ALICE, channel, command: '/gumshoe', text: 'plan checkout* 2h "upgrade"' });
    const announced = await until('it is announced', () => said(/planned work on/u)[0]);
    const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
    const isHeld = () =>
      workspace
        .messages(channel)
        .some((one) => one.ts === ts && one.reactions?.some(({ name }) => name === 'double_vertical_bar'));
    await until('its alert is held', isHeld);
    await first.stop();
    await until('the second one leads', () => leads(second));
    const third = await startBotOn(around);
    stack.defer(() => third.stop());
    const block = (announced.blocks ?? []).map(Object).find(({ type }) => type === 'actions');
    const { action_id, value } = Object(block?.elements[0]);
    const press = { channel, message_ts: announced.ts, block_id: block?.block_id, action_id, value };
    await Promise.all([ALICE, BOB].map((as) => workspace.action({ as, ...press })));
    await until('its results are there', () => repliesTo(around, ts).length > 1);
    await until('its end is told', () => said(/is over: 1 alert fired meanwhile/u).length > 0);
    expect(
      [said(/planned work on/u), said(/is over: 1 alert fired meanwhile/u)].map(({ length }) => length),
    ).toEqual([1, 1]);
    const posts = repliesTo(around, ts).map(({ text }) => text);
    expect(posts).toEqual([expect.stringMatching(/^#1 /u), expect.stringMatching(/^#1 /u)]);
  });
});

describe('a replica that leads and cannot store', () => {
  it('reads what was posted meanwhile, though Slack does not send it again', async () => {
    const stack = new AsyncDisposableStack();
    running.push(stack);
    const around = await startSurroundings('socket', { retryDelays: [] });
    stack.defer(() => around.close());
    const proxy = await startDatabaseProxy(inject('postgresSocket'));
    stack.defer(() => proxy.close());
    const direct = around.env.DATABASE_URL ?? '';
    // As with a pooler that is down: the connection for notifications is another one.
    const bot = await startBotOn(around, {
      env: { DATABASE_URL: proxy.url(direct), DATABASE_DIRECT_URL: direct },
    });
    stack.defer(() => bot.stop());
    await until('it leads', () => leads(bot));
    const before = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('its results are there', () => repliesTo(around, before.ts).length > 1);

    proxy.cut();
    await until('it has left Socket Mode', async () =>
      (await (await fetch(`${bot.url}/readyz`)).text()).includes('left Socket Mode'),
    );
    const meanwhile = await around.workspace.post(alertmanagerAlert('DiskFull'));
    proxy.mend();
    await until('its results are there', () => repliesTo(around, meanwhile.ts).length > 1);
  });
});
