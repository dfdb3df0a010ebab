import { describe, expect, it } from 'vitest';
import { type Handle, NotAnsweredError, UnreadableError } from '../../../../src/bot/slack/receivers/inbox.ts';
import type { Store } from '../../../../src/bot/store/open.ts';
import { until } from '../../../support/until.ts';
import { anEvent, openInbox } from '../support/inboxes.ts';

type Add = Store['inbox']['add'];

/** The same store with another way to add deliveries. */
const withAdd =
  (change: (add: Add) => Add) =>
  (store: Store): Store => ({ ...store, inbox: { ...store.inbox, add: change(store.inbox.add) } });

const fine: Handle = async () => undefined;

describe('a delivery', () => {
  it('is stored, then acknowledged, then handled', async () => {
    const order: string[] = [];
    const { inbox, rows } = await openInbox({ checkpoint: (name) => void order.push(name) });
    const { incoming } = anEvent('Ev1', { ack: async () => void order.push('acknowledged') });
    inbox.start(async () => {
      order.push(`handled while ${rows()[0]?.state}`);
    });
    await inbox.accept(incoming);
    await until('it is done', () => order.includes('inbox: done'));
    expect(order).toEqual([
      'inbox: before store',
      'inbox: stored',
      'acknowledged',
      'handled while open',
      'inbox: done',
    ]);
  });

  it('keeps its key and loses its body once it is handled', async () => {
    const { inbox, rows, handled } = await openInbox();
    inbox.start(fine);
    await inbox.accept(anEvent('Ev1').incoming);
    await handled(1);
    expect(rows()).toEqual([{ key: 'Ev1', body: '', state: 'done', attempts: 0, error: null }]);
  });

  it('that nothing can follow from is acknowledged, and neither stored nor handled', async () => {
    const handled: unknown[] = [];
    const { inbox, rows, metrics } = await openInbox();
    inbox.start(
      async ({ body }) => void handled.push(body.event_id),
      async (body) => body.event_id !== 'Ev1',
    );
    const talk = anEvent('Ev1');
    await inbox.accept(talk.incoming);
    await inbox.accept(anEvent('Ev2').incoming);
    await until('the other is handled', () => handled.length > 0);
    expect({ acks: talk.acks.count, handled }).toEqual({ acks: 1, handled: ['Ev2'] });
    expect(rows().map(({ key }) => key)).toEqual(['Ev2']);
    expect(await metrics.text()).toContain('gumshoe_deliveries_total{outcome="ignored"} 1');
  });

  it('that cannot be stored is neither acknowledged nor handled, and says so to its receiver', async () => {
    let handled = 0;
    const { inbox, rows, metrics } = await openInbox({
      change: withAdd(() => () => Promise.reject(new Error('disk full'))),
    });
    inbox.start(async () => {
      handled += 1;
    });
    const { incoming, acks } = anEvent('Ev1');
    await expect(inbox.accept(incoming)).rejects.toThrow('disk full');
    expect({ handled, acks: acks.count, rows: rows() }).toEqual({ handled: 0, acks: 0, rows: [] });
    expect(await metrics.text()).toContain('gumshoe_deliveries_total{outcome="not_stored"} 1');
  });

  it('can be stored once the database takes writes again', async () => {
    let failures = 1;
    const { inbox, rows } = await openInbox({
      change: withAdd((add) => async (batch) => {
        failures -= 1;
        if (failures >= 0) throw new Error('disk full');
        return add(batch);
      }),
    });
    inbox.start(fine);
    await expect(inbox.accept(anEvent('Ev1').incoming)).rejects.toThrow('disk full');
    await inbox.accept(anEvent('Ev1').incoming);
    await until('it is handled', () => rows()[0]?.state === 'done');
  });

  it('is handled although its acknowledgement fails: it is stored', async () => {
    const { inbox, handled, metrics } = await openInbox();
    inbox.start(fine);
    await inbox.accept(
      anEvent('Ev1', { ack: () => Promise.reject(new Error('the socket is closed')) }).incoming,
    );
    await handled(1);
    expect(await metrics.text()).not.toContain('outcome="not_stored"} 1');
  });

  it('that is a command or a button is acknowledged by its listener, not before', async () => {
    const { inbox } = await openInbox();
    const { incoming, acks } = anEvent('', { body: { command: '/issue', text: '1' }, envelopeId: 'env-1' });
    const seen: number[] = [];
    inbox.start(async ({ ack }) => {
      seen.push(acks.count);
      await ack();
      seen.push(acks.count);
    });
    await inbox.accept(incoming);
    expect(seen).toEqual([0, 1]);
  });

  it('whose listener fails before it answers is said to have failed at once, and stays to be tried', async () => {
    const { inbox, rows } = await openInbox();
    const { incoming, acks } = anEvent('', { body: { type: 'block_actions' }, envelopeId: 'env-1' });
    inbox.start(() => Promise.reject(new Error('the store is full')));
    await expect(inbox.accept(incoming)).rejects.toBeInstanceOf(NotAnsweredError);
    expect(acks.count).toBe(0);
    expect(rows()).toMatchObject([{ key: 'env-1', state: 'open', attempts: 1 }]);
  });

  it('that cannot be read is not tried again', async () => {
    const { inbox, rows } = await openInbox();
    inbox.start(() => Promise.reject(new UnreadableError('no')));
    const { incoming } = anEvent('', { body: { type: 'block_actions' }, envelopeId: 'env-1' });
    await expect(inbox.accept(incoming)).rejects.toBeInstanceOf(NotAnsweredError);
    expect(rows()).toMatchObject([{ key: 'env-1', state: 'dead', attempts: 1 }]);
  });

  it('that no listener takes for its own is acknowledged all the same, so that Slack need not wait', async () => {
    const { inbox, rows } = await openInbox();
    const { incoming, acks } = anEvent('', { body: { type: 'block_actions' }, envelopeId: 'env-1' });
    inbox.start(fine);
    await inbox.accept(incoming);
    expect(acks.count).toBe(1);
    const tooLate = { body: { type: 'block_actions' }, envelopeId: 'env-2' };
    await inbox.accept(anEvent('', { ...tooLate, ack: () => Promise.reject(new Error('gone')) }).incoming);
    expect(rows().map(({ state }) => state)).toEqual(['done', 'done']);
  });
});

describe('the key of a delivery', () => {
  it.each([
    ['is the event’s id', { event_id: 'Ev1', type: 'event_callback' }, 'env-1', 'Ev1'],
    ['is the envelope’s where there is no event', { command: '/issue' }, 'env-1', 'env-1'],
    ['is the envelope’s where the event has an empty id', { event_id: '' }, 'env-1', 'env-1'],
    [
      'is a hash of the body where there is neither',
      { command: '/issue', trigger_id: '1.2' },
      undefined,
      'cd2adea6',
    ],
  ])('%s', async (_what, body, envelopeId, key) => {
    const { inbox, rows } = await openInbox();
    inbox.start(fine);
    await inbox.accept(anEvent('', { body, ...(envelopeId === undefined ? {} : { envelopeId }) }).incoming);
    expect(rows()[0]?.key.slice(0, 8)).toBe(key);
  });

  it('tells two commands apart that differ in their trigger alone', async () => {
    const { inbox, rows } = await openInbox();
    inbox.start(fine);
    for (const trigger_id of ['1.1', '1.2', '1.1']) {
      await inbox.accept(anEvent('', { body: { command: '/issue', trigger_id } }).incoming);
    }
    expect(rows()).toHaveLength(2);
  });
});

describe('a delivery that arrives twice', () => {
  it.each([
    ['together', true],
    ['one after the other', false],
  ])('%s is handled once, and acknowledged both times', async (_how, together) => {
    const handled: unknown[] = [];
    const { inbox, metrics, rows } = await openInbox();
    inbox.start(async ({ body }) => void handled.push(body.event_id));
    const [first, second] = [anEvent('Ev1'), anEvent('Ev1')];
    const began = inbox.accept(first.incoming);
    if (!together) await began;
    await Promise.all([began, inbox.accept(second.incoming)]);
    await until('it is handled', () => rows()[0]?.state === 'done');
    expect({ handled, acks: [first.acks.count, second.acks.count] }).toEqual({
      handled: ['Ev1'],
      acks: [1, 1],
    });
    expect(await metrics.text()).toContain('gumshoe_deliveries_total{outcome="repeated"} 1');
  });

  it('while the first is being handled is acknowledged without waiting for it', async () => {
    const under = Promise.withResolvers<void>();
    let handled = 0;
    const { inbox } = await openInbox();
    inbox.start(() => {
      handled += 1;
      return under.promise;
    });
    const first = inbox.accept(anEvent('Ev1').incoming);
    await until('it is being handled', () => handled === 1);
    const twin = anEvent('Ev1');
    await inbox.accept(twin.incoming);
    expect({ handled, acks: twin.acks.count }).toEqual({ handled: 1, acks: 1 });
    under.resolve();
    await first;
  });
});

describe('many at once', () => {
  it('hold up no other: what arrives meanwhile is stored and acknowledged', async () => {
    const { inbox, handled } = await openInbox();
    const late = Promise.withResolvers<number>();
    let begun = 0;
    inbox.start(async () => {
      begun += 1;
      if (begun === 1) {
        const { incoming } = anEvent('EvLate', { ack: async () => late.resolve(begun) });
        void inbox.accept(incoming);
      }
    });
    await Promise.all(Array.from({ length: 20 }, (_, n) => inbox.accept(anEvent(`Ev${n}`).incoming)));
    expect(await late.promise).toBeLessThan(12);
    await handled(21);
  });

  it('hold up no command, whose sender waits', async () => {
    const order: string[] = [];
    const { inbox } = await openInbox();
    inbox.start(async ({ body }) => void order.push(typeof body.command === 'string' ? 'command' : 'event'));
    const flood = Array.from({ length: 20 }, (_, n) => inbox.accept(anEvent(`Ev${n}`).incoming));
    const command = anEvent('', { body: { command: '/issue' }, envelopeId: 'env-1' }).incoming;
    await Promise.all([...flood, inbox.accept(command)]);
    expect(order.indexOf('command')).toBeLessThan(5);
  });

  it('are begun in their order, a thousand at once; the rest wait in the database', async () => {
    const taken: number[] = [];
    const { inbox, rows, metrics } = await openInbox({
      change: (store) => ({
        ...store,
        inbox: {
          ...store.inbox,
          open: async (now, asked) => {
            const found = await store.inbox.open(now, asked);
            taken.push(found.length);
            return found;
          },
        },
      }),
    });
    const order: unknown[] = [];
    inbox.start(async ({ body }) => void order.push(body.event_id));
    const ids = Array.from({ length: 2_300 }, (_, n) => `Ev${n}`);
    const acks = await Promise.all(
      ids.map(async (id) => {
        const { incoming, acks } = anEvent(id);
        await inbox.accept(incoming);
        return acks.count;
      }),
    );
    expect(acks.every((count) => count === 1)).toBe(true);
    await until('all are handled', () => order.length === ids.length);
    expect(order).toEqual(ids);
    await until('all are done', () => rows().every(({ state }) => state === 'done'));
    expect(Math.max(...taken)).toBeLessThanOrEqual(1_000);
    expect(taken.reduce((sum, n) => sum + n)).toBeGreaterThan(1_000);
    expect(await metrics.text()).toContain('gumshoe_deliveries_total{outcome="stored"} 2300');
  });
});
