import { describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { anEvent, openInbox } from '../support/inboxes.ts';

describe('a delivery whose handling fails', () => {
  it('is tried again after 2, 4, 8, 16 and 32 seconds, then given up and kept', async () => {
    const opened = await openInbox();
    const { inbox, clock, rows, metrics } = opened;
    const began = clock.now();
    const tries: number[] = [];
    inbox.start(() => {
      tries.push((clock.now() - began) / 1000);
      return Promise.reject(new Error('users.info fails'));
    });
    await inbox.accept(anEvent('Ev1').incoming);
    await until('it has failed', () => rows()[0]?.attempts === 1);
    expect(rows()).toMatchObject([{ state: 'open', attempts: 1, error: 'users.info fails' }]);

    const expected = [0, 2, 6, 14, 30, 62];
    for (let second = 1; second <= 120; second += 1) {
      await until(
        'the inbox sleeps, and what was tried is stored',
        () => clock.sleeping() === 1 && rows()[0]?.attempts === tries.length,
      );
      clock.advance(1_000);
      const triesByNow = expected.filter((at) => at <= second).length;
      await until(`it is tried ${triesByNow} times`, () => tries.length >= triesByNow);
    }
    expect(tries).toEqual(expected);
    expect(rows()).toMatchObject([{ state: 'dead', attempts: 6, error: 'users.info fails' }]);
    expect(JSON.parse(rows()[0]?.body ?? '')).toMatchObject({ event_id: 'Ev1' });
    expect(await metrics.text()).toContain('gumshoe_listener_failures_total 6');
  });

  it('is done once it succeeds, with nothing left of it but its key', async () => {
    const { inbox, clock, rows } = await openInbox();
    let tries = 0;
    inbox.start(async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    });
    await inbox.accept(anEvent('Ev1').incoming);
    await until('it has failed', () => clock.sleeping() === 1 && rows()[0]?.attempts === 1);
    clock.advance(5_000);
    await until('it is done', () => rows()[0]?.state === 'done');
    expect(rows()).toEqual([{ key: 'Ev1', body: '', state: 'done', attempts: 1, error: null }]);
  });

  it('is acknowledged all the same, and not a second time when it is tried again', async () => {
    const { inbox, clock, rows } = await openInbox();
    let tries = 0;
    inbox.start(async ({ ack }) => {
      tries += 1;
      await ack();
      if (tries === 1) throw new Error('not yet');
    });
    const { incoming, acks } = anEvent('', { body: { command: '/issue' }, envelopeId: 'env-1' });
    await inbox.accept(incoming);
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    clock.advance(5_000);
    await until('it is done', () => rows()[0]?.state === 'done');
    expect({ tries, acks: acks.count }).toEqual({ tries: 2, acks: 1 });
  });

  it('does not hold up the one behind it', async () => {
    const { inbox, rows, handled } = await openInbox();
    inbox.start(async ({ body }) => {
      if (body.event_id === 'Ev1') throw new Error('no');
    });
    await Promise.all([inbox.accept(anEvent('Ev1').incoming), inbox.accept(anEvent('Ev2').incoming)]);
    await handled(1);
    expect(rows().map(({ key, state }) => [key, state])).toEqual([
      ['Ev1', 'open'],
      ['Ev2', 'done'],
    ]);
  });
});

describe('what an earlier process left unfinished', () => {
  it('is taken up at the start, oldest first', async () => {
    const { inbox, store, clock, rows } = await openInbox();
    const at = clock.now();
    await store.inbox.add([
      { key: 'Ev2', body: '{"event_id":"Ev2"}', receivedAt: at - 1_000 },
      { key: 'Ev1', body: '{"event_id":"Ev1"}', receivedAt: at - 2_000 },
    ]);
    const bodies: unknown[] = [];
    inbox.start(async ({ body }) => void bodies.push(body));
    await until('all is done', () => rows().every(({ state }) => state === 'done'));
    expect(bodies).toEqual([{ event_id: 'Ev1' }, { event_id: 'Ev2' }]);
  });

  it('is taken up whole where it is more than fits in memory, and each once', async () => {
    const { inbox, create, store, rows } = await openInbox();
    inbox.start(() => new Promise(() => undefined));
    const ids = Array.from({ length: 1_500 }, (_, n) => `Ev${n}`);
    const acknowledged = ids.map(
      (id) =>
        new Promise<void>((resolve) => {
          void inbox.accept(anEvent(id, { ack: async () => resolve() }).incoming);
        }),
    );
    await Promise.all(acknowledged);
    expect(await store.inbox.countOpen()).toBe(1_500);

    const handled: unknown[] = [];
    create().start(async ({ body }) => void handled.push(body.event_id));
    await until('all is done', () => rows().every(({ state }) => state === 'done'));
    expect(handled).toEqual(ids);
  });

  it('and cannot be read any more holds up nothing else', async () => {
    const { inbox, store, clock } = await openInbox();
    const at = clock.now();
    await store.inbox.add([
      { key: 'Ev1', body: '{"event_id":', receivedAt: at - 2_000 },
      { key: 'Ev2', body: '{"event_id":"Ev2"}', receivedAt: at - 1_000 },
    ]);
    const bodies: unknown[] = [];
    inbox.start(async ({ body }) => void bodies.push(body));
    await until('the other is handled', () => bodies.length === 1);
    expect(bodies).toEqual([{ event_id: 'Ev2' }]);
  });

  it('is not taken up before its next try is due', async () => {
    const { inbox, store, clock } = await openInbox();
    await store.inbox.add([{ key: 'Ev1', body: '{}', receivedAt: 1 }]);
    await store.inbox.failed('Ev1', 'no', clock.now() + 8_000);
    let tries = 0;
    inbox.start(async () => {
      tries += 1;
    });
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    clock.advance(5_000);
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    expect(tries).toBe(0);
    clock.advance(5_000);
    await until('it is tried', () => tries === 1);
  });

  it('is not handled again by the sweep while it is being handled', async () => {
    const { inbox, clock } = await openInbox();
    const under = Promise.withResolvers<void>();
    let tries = 0;
    inbox.start(() => {
      tries += 1;
      return under.promise;
    });
    const accepted = inbox.accept(anEvent('Ev1').incoming);
    await until('it is being handled', () => tries === 1);
    for (let n = 0; n < 3; n += 1) {
      await until('the inbox sleeps', () => clock.sleeping() === 1);
      clock.advance(5_000);
    }
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    under.resolve();
    await accepted;
    expect(tries).toBe(1);
  });

  it('is not taken from under a delivery that is stored and about to be handled', async () => {
    const entered = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const { inbox, clock } = await openInbox({
      checkpoint: (name) => {
        if (name !== 'inbox: stored') return;
        entered.resolve();
        return opened.promise;
      },
    });
    let handled = 0;
    inbox.start(async () => {
      handled += 1;
    });
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    const accepted = inbox.accept(anEvent('Ev1').incoming);
    await entered.promise;
    clock.advance(5_000);
    await until('the inbox has looked and sleeps again', () => clock.sleeping() === 1);
    opened.resolve();
    await accepted;
    expect(handled).toBe(1);
  });

  it('is taken up later where the database cannot be read at first', async () => {
    let failures = 1;
    const { inbox, store, clock, rows } = await openInbox({
      change: (real) => ({
        ...real,
        inbox: {
          ...real.inbox,
          open: async (...asked) => {
            failures -= 1;
            if (failures >= 0) throw new Error('disk I/O error');
            return real.inbox.open(...asked);
          },
        },
      }),
    });
    await store.inbox.add([{ key: 'Ev1', body: '{}', receivedAt: 1 }]);
    inbox.start(async () => undefined);
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    clock.advance(5_000);
    await until('it is done', () => rows()[0]?.state === 'done');
  });
});

describe('the stop of the inbox', () => {
  it('waits for what is being handled', async () => {
    const { inbox, rows } = await openInbox();
    const under = Promise.withResolvers<void>();
    let began = false;
    inbox.start(() => {
      began = true;
      return under.promise;
    });
    const accepted = inbox.accept(anEvent('Ev1').incoming);
    await until('it is being handled', () => began);
    let stopped = false;
    const stop = inbox.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    under.resolve();
    await Promise.all([stop, accepted]);
    expect(rows()).toMatchObject([{ state: 'done' }]);
  });

  it('leaves what takes longer than three seconds to the next start', async () => {
    const { inbox, create, clock, rows } = await openInbox();
    let began = false;
    inbox.start(() => {
      began = true;
      return new Promise(() => undefined);
    });
    void inbox.accept(anEvent('Ev1').incoming);
    await until('it is being handled', () => began);
    const stop = inbox.stop();
    await until('the stop waits', () => clock.sleeping() === 1);
    clock.advance(3_000);
    await stop;
    expect(rows()).toMatchObject([{ state: 'open' }]);

    const next = create();
    next.start(async () => undefined);
    await until('the next start finishes it', () => rows()[0]?.state === 'done');
  });

  it('is quick where nothing is under way', async () => {
    const { inbox, clock } = await openInbox();
    inbox.start(async () => undefined);
    await until('the inbox sleeps', () => clock.sleeping() === 1);
    await inbox.stop();
    expect(clock.sleeping()).toBe(0);
  });
});
