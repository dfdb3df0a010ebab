import { describe, expect, it } from 'vitest';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { alertIntent } from '../../../src/bot/store/intents/channel-intents.ts';
import { anAlert } from '../../support/an-alert.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { alias, received, webhooksOn } from './support.ts';

const CHANNEL = 'C0AAAAAAA';
const OTHER = 'C0BBBBBBB';
const PRIVATE = 'C0CCCCCCC';

/** What is recorded about the alerts, where their issues live, and what is to be posted in which thread. */
async function standing({ execute }: TestStore) {
  const [alerts, issues, intents] = await Promise.all([
    execute('select decision, length(ts) as digits, issue_id is not null as filed from alerts order by ts'),
    execute('select thread_ts, repeats, recovered_at from issues order by created_at, id'),
    execute("select kind, thread_ts from outbox where kind != 'alert' order by kind, key"),
  ]);
  return {
    alerts: alerts.map(({ decision, digits }) => [decision, Number(digits) <= 17 ? 'posted' : 'awaited']),
    issues: issues.map((row) => ({
      isPlaced: row.thread_ts !== null,
      repeats: Number(row.repeats),
      recovered: row.recovered_at !== null,
    })),
    intents: intents.map(({ kind, thread_ts: thread }) => (thread === null ? `${kind} at top` : `${kind}`)),
  };
}

const pending = ({ store, clock }: TestStore) => store.issues.pending(clock.now(), 9);

describe('until its message is posted, an alert by webhook', () => {
  it('has an issue that is not sent, has no card, and is in nobody’s count of what waits', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(received());
    await hooks.work();
    expect(await standing(opened)).toEqual({
      alerts: [['filed', 'awaited']],
      issues: [{ isPlaced: false, repeats: 0, recovered: false }],
      intents: [],
    });
    const { issues, queued } = opened.store;
    expect([await pending(opened), await issues.countPending(), await queued.pending(9)]).toEqual([
      [],
      0,
      [],
    ]);
    await hooks.post();
    expect(await standing(opened)).toEqual({
      alerts: [['filed', 'posted']],
      issues: [{ isPlaced: true, repeats: 0, recovered: false }],
      intents: ['card', 'reaction'],
    });
    expect((await pending(opened)).map(({ threadTs }) => threadTs?.length)).toEqual([17]);
  });

  it('counts what fires in private channels, whose signs lead to its thread afterwards', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(received({}, { aliases: [alias('group')] }));
    await hooks.work();
    await hooks.slackApp({ fingerprint: 'w' }, '1773748803.000200', PRIVATE);
    await hooks.slackApp({ fingerprint: 'w' }, '1773748804.000200', PRIVATE);
    await hooks.post();
    expect(await standing(opened)).toEqual({
      alerts: [
        ['filed', 'posted'],
        ['repeat', 'posted'],
        ['repeat', 'posted'],
      ],
      issues: [{ isPlaced: true, repeats: 2, recovered: false }],
      intents: ['card', 'reaction', 'reaction', 'reaction', 'short_card', 'sign'],
    });
    const signs = await opened.execute("select wanted from outbox where kind = 'sign'");
    expect(signs.map(({ wanted }) => Number(wanted))).toEqual([2]);
  });

  it.each([CHANNEL, OTHER])(
    'has its issue in the thread of the tool’s own app, if that writes first (in %s)',
    async (channel) => {
      await using opened = await openTestStore();
      await opened.store.channels.learn(CHANNEL, false);
      await opened.store.channels.learn(OTHER, false);
      const hooks = webhooksOn(opened);
      await hooks.deliver(received({}, { aliases: [alias('group')] }));
      await hooks.work();
      const ts = '1773748803.000200';
      expect(await hooks.slackApp({ fingerprint: 'group' }, ts, channel)).toMatchObject({
        decision: 'filed',
      });
      const [issue] = await pending(opened);
      expect(issue).toMatchObject({ channel, threadTs: ts });
      expect(issue?.request).toContain(`\\nSlack: https://acme.slack.com/archives/${channel}/p${ts}\\n`);
      await hooks.post();
      expect(await standing(opened)).toEqual({
        alerts: [
          ['filed', 'posted'],
          ['repeat', 'posted'],
        ].toReversed(),
        issues: [{ isPlaced: true, repeats: 1, recovered: false }],
        intents: ['card', 'reaction', 'reaction', ...(channel === CHANNEL ? [] : ['short_card'])],
      });
    },
  );

  it('recovers, also where it is held', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await opened.store.flags.pause({ by: 'U1', at: opened.clock.now() });
    await hooks.deliver(received());
    await hooks.work();
    await hooks.deliver(received({ kind: 'resolved' }));
    await hooks.work();
    await hooks.post();
    const [row] = await opened.execute('select decision, outcome from alerts');
    expect(row).toMatchObject({ decision: 'held', outcome: 'recovered' });
    expect(await standing(opened)).toEqual({
      alerts: [['held', 'posted']],
      issues: [],
      intents: ['reaction', 'sign'],
    });
  });

  it('is held, and then filed: its issue lives in its own thread', async () => {
    await using opened = await openTestStore();
    const { store, clock } = opened;
    const hooks = webhooksOn(opened);
    await store.flags.pause({ by: 'U1', at: clock.now() });
    await hooks.deliver(received());
    await hooks.work();
    const hold = await store.holds.current(CHANNEL, true, 0);
    if (hold === null) throw new Error('nothing is held');
    expect(await hooks.fileHeld(hold)).toEqual({ filed: 1, joined: 0 });
    expect(await pending(opened)).toEqual([]);
    await hooks.post();
    expect(await standing(opened)).toEqual({
      alerts: [['filed', 'posted']],
      issues: [{ isPlaced: true, repeats: 0, recovered: false }],
      intents: ['card', 'reaction'],
    });
    expect((await pending(opened)).length).toBe(1);
  });

  it('is suggested as soon as it has a message', async () => {
    await using opened = await openTestStore();
    const { settings } = await opened.store.channels.get(CHANNEL);
    await opened.store.channels.watch(CHANNEL, { ...settings, mode: 'suggest' }, '1.0');
    const hooks = webhooksOn(opened);
    await hooks.deliver(received());
    await hooks.work();
    expect((await standing(opened)).intents).toEqual([]);
    await hooks.post();
    expect((await standing(opened)).intents).toEqual(['suggestion']);
  });
});

describe('an alert of a private channel whose members have not agreed', () => {
  it('is posted, and filed once they have, in its thread; its recovery is not lost', async () => {
    await using opened = await openTestStore();
    const before = webhooksOn(opened, { needsConsent: true });
    await before.deliver(received());
    await before.work();
    await before.post();
    await before.work();
    await before.deliver(received({ kind: 'resolved' }));
    await before.work();
    expect(await standing(opened)).toEqual({ alerts: [], issues: [], intents: [] });
    await opened.clock.sleep(120_000);
    const after = webhooksOn(opened);
    await after.work();
    await after.work();
    expect(await standing(opened)).toEqual({
      alerts: [['filed', 'posted']],
      issues: [{ isPlaced: true, repeats: 0, recovered: true }],
      intents: ['card', 'reaction'],
    });
  });

  it('is filed in its thread, too, if they agree before it is posted', async () => {
    await using opened = await openTestStore();
    const before = webhooksOn(opened, { needsConsent: true });
    await before.deliver(received());
    await before.work();
    const after = webhooksOn(opened);
    await after.work();
    await after.post();
    await after.work();
    expect(await standing(opened)).toMatchObject({
      alerts: [['filed', 'posted']],
      issues: [{ isPlaced: true }],
    });
  });
});

it('an alert whose message Slack refuses is given up, and the next firing gets another message', async () => {
  await using opened = await openTestStore();
  const hooks = webhooksOn(opened);
  await hooks.deliver(received());
  await hooks.work();
  await hooks.refuse();
  expect(await opened.execute('select state, is_open, failure from issues')).toEqual([
    { state: 'failed', is_open: 0, failure: expect.stringContaining('(msg_too_long)') },
  ]);
  await hooks.deliver(received({ triggeredAt: '2026-03-17T12:20:00.000Z' }));
  await hooks.work();
  await hooks.post();
  expect((await pending(opened)).map(({ identity }) => identity)).toEqual(['w@production']);
});

describe('an alert that release 1.1 has stored', () => {
  const old = async (
    { store, clock }: TestStore,
    state: 'posting' | 'posted' | 'unrouted',
    ts: string | null,
  ) => {
    const row = { id: 'w1:0', source: 'tool', tool: 'The Tool', identity: 'w@production' };
    const reading = JSON.stringify(received());
    const place = state === 'unrouted' ? {} : { channel: CHANNEL, ts };
    await store.receivedAlerts.add({ ...row, reading, state, receivedAt: clock.now(), ...place });
    if (state === 'posting') await store.outbox.want(alertIntent('w1:0', CHANNEL, clock.now(), clock.now()));
  };
  const filed = {
    alerts: [['filed', 'posted']],
    issues: [{ isPlaced: true, repeats: 0, recovered: false }],
    intents: ['card', 'reaction'],
  };

  it('and has not posted is filed once it is', async () => {
    await using opened = await openTestStore();
    await old(opened, 'posting', null);
    const hooks = webhooksOn(opened);
    await hooks.deliver(received());
    await hooks.work();
    expect(await standing(opened)).toEqual({ alerts: [], issues: [], intents: [] });
    await hooks.post();
    await hooks.work();
    await hooks.work();
    expect(await standing(opened)).toEqual(filed);
  });

  it('and not decided on is filed', async () => {
    await using opened = await openTestStore();
    await old(opened, 'posted', '1773748801.000100');
    const hooks = webhooksOn(opened);
    await hooks.work();
    await hooks.work();
    expect(await standing(opened)).toEqual(filed);
  });

  it('and not routed is filed where there is a route', async () => {
    await using opened = await openTestStore();
    await old(opened, 'unrouted', null);
    const hooks = webhooksOn(opened);
    await hooks.work();
    await hooks.post();
    expect(await standing(opened)).toEqual(filed);
  });
});

it('a message that an older replica has posted while it led is found, and its alert placed', async () => {
  await using opened = await openTestStore();
  const hooks = webhooksOn(opened);
  await hooks.deliver(received());
  await hooks.work();
  await opened.execute(`update outbox set sent = '[{"ts":"1773748801.000100","hash":""}]', state = 'idle'`);
  await webhooksOn(opened).work();
  expect((await pending(opened)).map(({ threadTs }) => threadTs)).toEqual(['1773748801.000100']);
  expect(await standing(opened)).toMatchObject({
    alerts: [['filed', 'posted']],
    intents: ['card', 'reaction'],
  });
});

it('an alert of a tool that only writes in Slack is sent at once', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  const options = { store, clock, defaultEnvironment: 'production', maxIssuesPerDay: 500 };
  const place = { channel: CHANNEL, ts: '1773748801.000100', threadTs: null, permalink: null };
  const seen = { ...place, alert: anAlert(), sender: 'A Tool', byPerson: false, edited: false, note: null };
  await considerMessage(seen, { ...options, needsConsent: async () => false });
  expect(await pending(opened)).toHaveLength(1);
});
