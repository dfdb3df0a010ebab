import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/bot/alerts/types.ts';
import { fileHeld } from '../../../src/bot/filing/held.ts';
import { readReading } from '../../../src/bot/filing/occurrence.ts';
import { payloadOf } from '../../../src/bot/store/intents/payloads.ts';
import { IssueCreate } from '../../../src/contract/schema.ts';
import type { Checkpoint } from '../../../src/lib/clock.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { alias, received, webhooksOn } from './support.ts';

/** The issues, the messages of ours that were asked for, and the cards. */
async function standing({ execute }: TestStore) {
  const issues = await execute(
    'select identity, is_open, repeats, recovered_at from issues order by identity',
  );
  const [posts] = await execute(`select count(*) as n from outbox where kind = 'alert'`);
  const [cards] = await execute(`select count(*) as n from outbox where kind = 'card'`);
  return {
    issues: issues.map((row) => ({
      identity: row.identity,
      recovered: row.recovered_at !== null,
      repeats: Number(row.repeats),
    })),
    posts: Number(posts?.n),
    cards: Number(cards?.n),
  };
}

const one = (identity: string, repeats: number, recovered = false) => [{ identity, recovered, repeats }];
const slackMessage = { fingerprint: 'group' };
const firing = received({}, { aliases: [alias('group')] });
const resolved = received({ kind: 'resolved' }, { aliases: [alias('group')] });
const TS = '1773748900.000100';

describe('an alert from a webhook', () => {
  it('gets an issue, and a message in the channel that its route names, whose thread has the card', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened, { routes: 'tool{team=a}->C0BBBBBBB;*->C0AAAAAAA' });
    await hooks.deliver(received({}, { labels: { team: 'a' } }));
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 0), posts: 1, cards: 0 });
    expect(await opened.store.outbox.due(opened.clock.now(), 9)).toMatchObject([
      { kind: 'alert', channel: 'C0BBBBBBB', threadTs: null },
    ]);
    expect(await opened.store.issues.pending(opened.clock.now(), 9)).toEqual([]);
    await hooks.post();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 0), posts: 1, cards: 1 });
    const [issue] = await opened.store.issues.pending(opened.clock.now(), 9);
    const { description, context } = IssueCreate.parse(JSON.parse(issue?.request ?? ''));
    expect(description.split('\n').slice(-2)).toEqual([
      `Slack: https://acme.slack.com/archives/C0BBBBBBB/p${issue?.threadTs}`,
      `Reference: gumshoe-${issue?.id}`,
    ]);
    expect(context?.metadata).toMatchObject({ channel: 'C0BBBBBBB', slackTs: issue?.threadTs });
  });

  it('that is repeated is counted, and its recovery is noted', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    expect(await hooks.deliver(firing)).toBe(false);
    // All of a group is told again whenever one of it changes: that is the same firing.
    await hooks.deliver({ ...firing, note: 'again' });
    await hooks.deliver({ ...firing, alert: { ...firing.alert, triggeredAt: null } });
    await hooks.deliver(resolved);
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 1, true), posts: 1, cards: 1 });
  });

  it('is in one issue with the message of the tool’s own Slack app, which came first', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.slackApp(slackMessage, TS);
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.deliver(resolved);
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('group@production', 1, true), posts: 0, cards: 1 });
  });

  it('is in one issue with that message, which came later', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    expect(await hooks.slackApp(slackMessage, TS)).toMatchObject({ decision: 'repeat' });
    expect(await standing(opened)).toEqual({ issues: one('w@production', 1), posts: 1, cards: 1 });
  });

  it('is in one issue with that message, which came while ours was being posted', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.work();
    expect(await hooks.slackApp(slackMessage, TS)).toMatchObject({ decision: 'filed' });
    await hooks.post();
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 1), posts: 1, cards: 1 });
  });

  it('that recovers before it is posted has recovered once it is filed', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.deliver(resolved);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 0, true), posts: 1, cards: 1 });
  });

  it('whose recovery arrives first has recovered once it is filed', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(resolved);
    await hooks.work();
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    expect(await standing(opened)).toEqual({ issues: one('w@production', 0, true), posts: 1, cards: 1 });
  });

  it('of a group takes the group’s Slack message alone, and the others have issues of their own', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    const aliases = [alias('group')];
    await hooks.deliver(
      received({ fingerprint: 'a' }, { aliases }),
      received({ fingerprint: 'b' }, { aliases }),
    );
    await hooks.work();
    await hooks.post();
    await hooks.work();
    await hooks.slackApp(slackMessage, TS);
    expect((await standing(opened)).issues).toEqual([...one('a@production', 1), ...one('b@production', 0)]);
  });

  it('of a group does not end the group’s issue while others of it fire', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.slackApp(slackMessage, TS);
    const aliases = [alias('group')];
    await hooks.deliver(
      received({ fingerprint: 'a' }, { aliases }),
      received({ fingerprint: 'b' }, { aliases }),
    );
    await hooks.work();
    await hooks.deliver(received({ fingerprint: 'a', kind: 'resolved' }, { aliases, groupResolved: false }));
    await hooks.work();
    expect((await standing(opened)).issues).toEqual(one('group@production', 2, false));
    await hooks.deliver(received({ fingerprint: 'b', kind: 'resolved' }, { aliases, groupResolved: true }));
    await hooks.work();
    expect((await standing(opened)).issues).toEqual(one('group@production', 2, true));
  });

  it('that Slack told of before others joined its group has that issue, which ends with it', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.slackApp({ fingerprint: 'a alone' }, TS);
    const ofA = { aliases: [{ ...alias('a alone'), alone: true as const }, alias('group')] };
    const ofB = { aliases: [{ ...alias('b alone'), alone: true as const }, alias('group')] };
    await hooks.deliver(received({ fingerprint: 'a' }, ofA), received({ fingerprint: 'b' }, ofB));
    await hooks.work();
    await hooks.post();
    await hooks.work();
    await hooks.deliver(received({ fingerprint: 'a', kind: 'resolved' }, { ...ofA, groupResolved: false }));
    await hooks.work();
    expect((await standing(opened)).issues).toEqual([
      ...one('a alone@production', 1, true),
      ...one('b@production', 0, false),
    ]);
  });

  it('that fires again after its issue was closed gets a new message', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    await opened.execute('update issues set is_open = 0');
    await hooks.deliver({ ...firing, note: 'again' });
    await hooks.work();
    expect((await standing(opened)).posts).toBe(2);
  });

  it('whose group’s first alert is over takes the group’s Slack message', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    const aliases = [alias('group')];
    await hooks.deliver(received({ fingerprint: 'a' }, { aliases }));
    await hooks.work();
    await hooks.deliver(received({ fingerprint: 'a', kind: 'resolved' }, { aliases }));
    await hooks.work();
    await opened.execute('update issues set is_open = 0');
    await hooks.deliver(received({ fingerprint: 'b' }, { aliases }));
    await hooks.work();
    expect(await opened.store.identityOverrides.resolve('group@production', '')).toBe('b@production');
  });

  it('that no route covers is kept, and posted once there is a route', async () => {
    await using opened = await openTestStore();
    const without = webhooksOn(opened, { routes: '' });
    await without.deliver(firing);
    await without.deliver({ ...firing, note: 'again' });
    await without.work();
    await without.work();
    const since = opened.clock.now();
    const stored = { name: 'alerts:unrouted', reason: 'no_route', since, detail: '' };
    expect(await opened.store.problems.open()).toEqual([stored]);
    expect(await opened.store.receivedAlerts.countUnrouted()).toBe(1);
    await webhooksOn(opened, { routes: 'other->C0AAAAAAA' }).work();
    expect(await opened.store.receivedAlerts.countUnrouted()).toBe(1);
    const hooks = webhooksOn(opened);
    await hooks.work();
    expect(await opened.store.problems.open()).toEqual([]);
    await hooks.post();
    await hooks.work();
    expect(await opened.store.receivedAlerts.countUnrouted()).toBe(0);
    expect(await standing(opened)).toEqual({ issues: one('w@production', 0), posts: 1, cards: 1 });
  });

  it('begins no transaction after a round in which nothing waited for a route', async () => {
    await using opened = await openTestStore();
    let begun = 0;
    const { store } = opened;
    const transaction: typeof store.transaction = (work) => {
      begun += 1;
      return store.transaction(work);
    };
    const hooks = webhooksOn({ ...opened, store: { ...store, transaction } });
    await hooks.work();
    expect(begun).toBe(0);
  });

  it('whose acknowledgement follows has it on its card', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(firing);
    await hooks.work();
    await hooks.post();
    await hooks.work();
    await hooks.deliver(received({ kind: 'not_an_alert' }, { note: 'Acknowledged by Ada' }));
    await hooks.work();
    const issue = await opened.store.issues.openByIdentity('w@production');
    expect(issue?.note).toContain('Acknowledged by Ada');
  });
});

describe('a flood', () => {
  const pods = (count: number, more: Partial<Alert> = {}) =>
    Array.from({ length: count }, (_, at) =>
      received({ fingerprint: `pod-${at}`, title: `pod ${at}`, ...more }),
    );
  const heldIn = async ({ execute }: TestStore) =>
    (await execute("select identity from alerts where decision = 'held' and outcome is null")).length;

  it('of one delivery has messages for the most severe alone; the rest is one message, and nothing is lost', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    const [first, ...others] = pods(120);
    await hooks.deliver(...others, received({ fingerprint: 'worst', severity: 'high' }), first ?? received());
    await hooks.work();
    const due = await opened.store.outbox.due(opened.clock.now(), 999);
    expect(due.map(({ kind }) => kind).toSorted()).toEqual(['alert', 'alert', 'alert', 'held']);
    await hooks.post();
    await hooks.work();
    const { issues } = await standing(opened);
    expect(issues.map(({ identity }) => identity)).toContain('worst@production');
    expect(issues.length + (await heldIn(opened))).toBe(121);
    // The same group again, and then its end.
    await hooks.deliver(...pods(120), received({ fingerprint: 'worst' }));
    await hooks.deliver(...pods(120, { kind: 'resolved' }));
    await hooks.work();
    expect((await standing(opened)).posts).toBe(3);
    expect(await heldIn(opened)).toBe(0);
  });

  it('is posted by severity and then by age, whatever order it came in', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    for (const [name, severity] of Object.entries({
      a: 'low',
      b: 'medium',
      c: 'high',
      d: 'medium',
    } as const)) {
      await hooks.deliver(received({ fingerprint: name, title: name, severity }));
      await hooks.work();
      await opened.clock.sleep(1_000);
    }
    await hooks.deliver(
      ...(['low', 'medium', 'high'] as const).map((severity) =>
        received({ fingerprint: `e-${severity}`, title: `e-${severity}`, severity }),
      ),
    );
    await hooks.work();
    const titles: (string | null | undefined)[] = [];
    for (const row of await opened.store.outbox.due(opened.clock.now(), 99)) {
      const kept = await opened.store.receivedAlerts.get(payloadOf('alert', row).received);
      titles.push(readReading(kept?.reading ?? '')?.alert.title);
    }
    expect(titles).toEqual(['c', 'e-high', 'b', 'd', 'e-medium', 'a', 'e-low']);
  });

  it('leaves room: what comes after it in the channel is filed', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    await hooks.deliver(...pods(120));
    await hooks.work();
    await hooks.post();
    await hooks.work();
    await hooks.deliver(received({ fingerprint: 'critical', severity: 'high' }));
    await hooks.work();
    await hooks.post();
    await hooks.work();
    expect(await hooks.slackApp({ fingerprint: 'native' }, TS)).toMatchObject({ decision: 'filed' });
    expect((await standing(opened)).issues.map(({ identity }) => identity)).toContain('critical@production');
  });

  it('of many deliveries has no more messages than make a storm, and twice as many if they are severe', async () => {
    for (const [severity, posts] of [
      ['medium', 10],
      ['high', 20],
    ] as const) {
      await using opened = await openTestStore();
      const hooks = webhooksOn(opened);
      for (const pod of pods(40, { severity })) await hooks.deliver(pod);
      await hooks.work();
      await hooks.work();
      expect((await standing(opened)).posts).toBe(posts);
      expect(await heldIn(opened)).toBe(30);
    }
  });

  it('can be filed from its message, in whose thread the cards are', async () => {
    await using opened = await openTestStore();
    const { store, clock } = opened;
    const hooks = webhooksOn(opened);
    await hooks.deliver(...pods(12));
    await hooks.work();
    const hold = await store.holds.current('C0AAAAAAA', false, 0);
    if (hold === null) throw new Error('nothing is held');
    await store.outbox.recordSent(`held:${hold.id}`, JSON.stringify([{ ts: TS, hash: '' }]));
    const options = {
      ...{ store, clock, defaultEnvironment: 'production', maxIssuesPerDay: 500 },
      permalink: (channel: string, ts: string) => `https://acme.slack.com/archives/${channel}/p${ts}`,
    };
    expect(await fileHeld(hold, 'all', 'U1', options)).toEqual({ filed: 9, joined: 0 });
    // A card waits a moment for its issue's number.
    const cards = (await store.outbox.due(clock.now() + 10_000, 99)).filter(({ kind }) => kind === 'card');
    expect(cards.map(({ channel, threadTs }) => [channel, threadTs])).toEqual(
      cards.map(() => ['C0AAAAAAA', TS]),
    );
    expect(cards).toHaveLength(9);
  });
});

describe('a crash', () => {
  it.each(['webhook: before reading', 'webhook: alert received', 'webhook: done'])(
    'at "%s" loses nothing and doubles nothing',
    async (name) => {
      await using opened = await openTestStore();
      let isDead = false;
      const checkpoint: Checkpoint = (at) => {
        isDead ||= at === name;
        if (isDead) throw new Error('killed');
      };
      const two = received({ fingerprint: 'b' });
      const before = webhooksOn(opened, { checkpoint });
      await before.deliver(received(), two);
      await before.work();
      if (!isDead) {
        await before.post();
        await before.work();
      }
      expect(isDead).toBe(true);
      const after = webhooksOn(opened);
      await after.deliver(received(), two);
      for (let round = 0; round < 4; round += 1) {
        await opened.clock.sleep(120_000);
        await after.work();
        await after.post();
      }
      expect(await standing(opened)).toEqual({
        issues: [...one('b@production', 0), ...one('w@production', 0)],
        posts: 2,
        cards: 2,
      });
    },
  );
});

describe('a recovery in other words than its alert', () => {
  const basis = (...names: string[]) => ({
    source: 'webhook-tool',
    of: ['webhook-tool', 'names'],
    by: names.map((text) => ({ key: 'check', text })),
    left: [],
  });
  const fires = (fingerprint: string, name: string) =>
    received({ fingerprint, title: name, triggeredAt: null, basis: basis(name) });

  it('ends the alert of its source that both name', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    for (const alert of [fires('a', 'orders-db'), fires('b', 'users-db')]) {
      await hooks.deliver(alert);
      await hooks.work();
      await hooks.post();
      await hooks.work();
    }
    await hooks.deliver(
      received({ kind: 'resolved', fingerprint: 'c', title: 'users-db', basis: basis('users-db') }),
    );
    await hooks.work();
    expect((await standing(opened)).issues).toStrictEqual([
      ...one('a@production', 0),
      ...one('b@production', 0, true),
    ]);
  });

  it('that could be of two ends neither', async () => {
    await using opened = await openTestStore();
    const hooks = webhooksOn(opened);
    for (const fingerprint of ['a', 'b']) {
      await hooks.deliver(fires(fingerprint, 'orders-db'));
      await hooks.work();
      await hooks.post();
      await hooks.work();
    }
    await hooks.deliver(
      received({ kind: 'resolved', fingerprint: 'c', title: 'orders-db', basis: basis('orders-db') }),
    );
    await hooks.work();
    expect((await standing(opened)).issues).toStrictEqual([
      ...one('a@production', 0),
      ...one('b@production', 0),
    ]);
  });
});
