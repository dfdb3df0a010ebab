import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createAllowance } from '../../../../src/bot/slack/listening/limit.ts';
import { openStore, type Store } from '../../../../src/bot/store/open.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { createDatabase } from '../../../support/postgres/databases.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

async function replicas(count: number) {
  const { url } = await createDatabase();
  const closing = new AsyncDisposableStack();
  stack.push(closing);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  closing.defer(() => admin.end());
  const stores: Store[] = [];
  for (let n = 0; n < count; n += 1) {
    const store = await openStore({
      url,
      clock: systemClock,
      random: Math.random,
      onConnectionLost: () => undefined,
    });
    closing.defer(() => store.close());
    stores.push(store);
  }
  /** Somebody was last seen so long ago, by the database's clock. */
  const age = async (store: Store, ms: number) => {
    await admin.query('update replicas set seen_at = seen_at - $1 where id = $2', [ms, of(store).id]);
  };
  return { stores, admin, age };
}

function of(store: Store | undefined) {
  if (!store?.replicas) throw new Error('it is no replica');
  return store.replicas;
}

const delivery = (key: string) => ({ key, body: '{}', receivedAt: 1 });
const open = async (store: Store | undefined) =>
  ((await store?.inbox.open(9, { most: 9 })) ?? []).map(({ key }) => key);

describe('a replica', () => {
  it('handles what it has stored itself, and what those have stored that are gone', async () => {
    const { stores, age } = await replicas(3);
    const [one, two, three] = stores;
    for (const store of stores) await of(store).seen(false);
    await one?.inbox.add([delivery('a'), delivery('b')]);
    await two?.inbox.add([delivery('c')]);
    await one?.inbox.done(['b']);
    expect(await of(three).adoptDeliveries()).toBe(0);
    expect([await open(one), await open(two), await open(three)]).toEqual([['a'], ['c'], []]);
    if (one) await age(one, 11_000);
    expect(await of(three).adoptDeliveries()).toBe(1);
    expect([await open(two), await open(three)]).toEqual([['c'], ['a']]);
  });

  it('takes over each delivery once, however many look at the same moment', async () => {
    const { stores, age } = await replicas(4);
    const [gone, ...others] = stores;
    for (const store of stores) await of(store).seen(false);
    const keys = Array.from({ length: 50 }, (_, n) => `d${String(n).padStart(2, '0')}`);
    await gone?.inbox.add(keys.map(delivery));
    if (gone) await age(gone, 11_000);
    const taken = await Promise.all(others.map((store) => of(store).adoptDeliveries()));
    expect(taken.reduce((sum, n) => sum + n)).toBe(keys.length);
    const theirs = await Promise.all(others.map((store) => store.inbox.open(9, { most: 99 })));
    expect(
      theirs
        .flat()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(keys);
  });

  it('leads alone, until it gives up the lead or has not renewed it for long', async () => {
    const { stores, admin } = await replicas(2);
    const [one, two] = stores;
    expect([await of(one).takeLead(), await of(two).takeLead()]).toEqual([true, false]);
    expect([await of(one).renewLead(), await of(two).renewLead()]).toEqual([true, false]);
    await of(two).leaveLead();
    expect(await of(two).takeLead()).toBe(false);
    await admin.query("update leases set until = 0 where key = 'leader'");
    expect([await of(two).takeLead(), await of(one).renewLead(), await of(one).takeLead()]).toEqual([
      true,
      false,
      false,
    ]);
    await of(two).leaveLead();
    expect(await of(one).takeLead()).toBe(true);
  });

  it('knows the status of the one that leads, and who is there', async () => {
    const { stores, age } = await replicas(2);
    const [one, two] = stores;
    await of(one).seen(true, '{"polledAt":7}');
    await of(two).seen(false);
    expect(await of(two).leaderStatus()).toBe('{"polledAt":7}');
    if (one) await age(one, 11_000);
    expect([await of(two).leaderStatus(), await of(two).present()]).toEqual([null, [of(two).id]]);
    await of(one).seen(false);
    await of(one).leave();
    expect(await of(two).present()).toEqual([of(two).id]);
  });

  it('does what has a key while nobody else does, also where a replica died in the middle', async () => {
    const { stores, admin } = await replicas(2);
    const story: string[] = [];
    const work = (store: Store, name: string) =>
      of(store).inTurn('issue 7', async () => {
        story.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        story.push(`${name} ends`);
      });
    await Promise.all(stores.flatMap((store, n) => [work(store, `a${n}`), work(store, `b${n}`)]));
    for (let n = 0; n < story.length; n += 2) {
      expect(story[n + 1]).toBe(story[n]?.replace('begins', 'ends'));
    }
    await admin.query("insert into leases (key, owner, until) values ('issue 7', 'a dead one', 1)");
    await expect(of(stores[0]).inTurn('issue 7', async () => 'done')).resolves.toBe('done');
    await expect(
      of(stores[0]).inTurn('issue 7', () => Promise.reject(new Error('it failed'))),
    ).rejects.toThrow('it failed');
    expect((await admin.query('select * from leases')).rows).toEqual([]);
  });
});

it('what a person does in a minute is counted over all replicas, whatever their clocks say', async () => {
  const { stores, admin } = await replicas(3);
  const allowances = stores.map((store, n) =>
    createAllowance({ clock: { now: () => n * 120_000 }, replicas: of(store) }),
  );
  const minute = async () =>
    (await admin.query('select date_trunc($1, clock_timestamp()) as at', ['minute'])).rows[0]?.at.getTime();
  let told: string[] = [];
  let began: number;
  // The count begins anew with each minute: one that was not over in the same minute says nothing.
  do {
    began = await minute();
    await admin.query('delete from allowances');
    told = [];
    for (let n = 0; n < 22; n += 1) told.push((await allowances[n % 3]?.('U1', 'send')) ?? 'missing');
  } while ((await minute()) !== began);
  expect(told).toEqual([...Array<string>(20).fill('may'), 'over_now', 'over']);
  expect(await allowances[0]?.('U2', 'send')).toBe('may');
  await admin.query('update allowances set minute = minute - 1');
  expect(await allowances[1]?.('U1', 'send')).toBe('may');
});
