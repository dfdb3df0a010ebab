import { SEED_CHANNELS } from 'local-slack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDelivery } from '../../../../src/bot/slack/delivery/deliver.ts';
import { turns, until } from '../../../support/until.ts';
import { type Delivering, delivering, inThread } from '../support/delivering.ts';

const ALERTS = SEED_CHANNELS.alerts.id;
const GENERAL = SEED_CHANNELS.general.id;
const INCIDENTS = SEED_CHANNELS.incidents.id;
const SECRETS = SEED_CHANNELS.secrets.id;

async function running(change: (d: Delivering) => void = () => undefined) {
  const d = await delivering();
  d.options = {
    ...d.options,
    contentOf: async (row) => ({ ...inThread(row.key), channel: row.channel, threadTs: null }),
  };
  change(d);
  const delivery = createDelivery({ ...d.options, wakeup: d.wakeups.outbox });
  onTestFinished(() => delivery.stop());
  return { ...d, delivery };
}

/** Replaces operations of the outbox; to be called before the delivery is created. */
function changeOutbox(d: Delivering, change: Partial<Delivering['store']['outbox']>) {
  d.options.store = { ...d.store, outbox: { ...d.store.outbox, ...change } };
}

/** Something that the test lets go on when it wants. */
function gate() {
  const entered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = () => {
    entered.resolve();
    return opened.promise;
  };
  return { entered: entered.promise, open: opened.resolve, pass };
}

describe('the delivery of the outbox', () => {
  it('takes up what was due before it started, and what is wanted later', async () => {
    const { want, slack, delivery, store } = await running();
    await want();
    delivery.start();
    await until('the first is posted', () => slack.messages().length === 1);
    await want({ key: 'card:2', channel: ALERTS });
    await until('the second is posted', () => slack.messages().length === 2);
    await until('nothing is due', async () => (await store.outbox.countDue()) === 0);
  });

  it('sends first what is most urgent', async () => {
    const { want, slack, delivery, clock } = await running((d) => {
      d.options.contentOf = async (row) => ({ ...inThread(row.kind), channel: row.channel, threadTs: null });
      // Time passes with each call here, so that nothing is held back by the pace.
      d.options.slack.pace = {
        earliest: (_call, now) => now,
        took: () => undefined,
        blocked: () => undefined,
      };
    });
    for (const kind of ['result', 'card', 'answer'] as const) {
      await want({ key: `${kind}:1`, kind, at: clock.now() - 10 });
    }
    delivery.start();
    await until('all are posted', () => slack.messages().length === 3);
    expect(slack.messages().map(({ text }) => text)).toEqual(['answer', 'card', 'result']);
  });

  it('keeps their order if Slack’s rate limit allows the next post before the later one’s turn', async () => {
    const { want, slack, delivery, clock } = await running((d) => {
      const { outbox } = d.store;
      changeOutbox(d, {
        postpone: async (key, at, error) => {
          await outbox.postpone(key, at, error);
          // On a busy machine this takes longer than what is left of the wait.
          await d.clock.sleep(at - d.clock.now());
        },
      });
    });
    await want({ key: 'card:before', at: clock.now() - 3 });
    await want({ key: 'card:earlier', at: clock.now() - 2 });
    await want({ key: 'card:later', at: clock.now() - 1 });
    delivery.start();
    await until('all are posted', () => slack.messages().length === 3);
    expect(slack.messages().map(({ text }) => text)).toEqual(['card:before', 'card:earlier', 'card:later']);
  });

  it('does not let one channel wait for another', async () => {
    const slow = gate();
    const { want, slack, delivery } = await running((d) => {
      d.options.contentOf = async (row) => {
        if (row.channel === GENERAL) await slow.pass();
        return { ...inThread(row.key), channel: row.channel, threadTs: null };
      };
    });
    await want({ key: 'card:slow', channel: GENERAL });
    await want({ key: 'card:quick', channel: ALERTS });
    delivery.start();
    await slow.entered;
    await until('the quick one is posted', () => slack.messages().length === 1);
    expect(slack.messages().map(({ text }) => text)).toEqual(['card:quick']);
    slow.open();
    await until('the slow one is posted', () => slack.messages().length === 2);
  });

  it('continues in one channel for as long as a call takes in another', async () => {
    const begun: string[] = [];
    const slow = gate();
    const { want, slack, delivery, store } = await running((d) => {
      d.options.contentOf = async (row) => {
        begun.push(row.key);
        if (row.key === 'card:slow') await slow.pass();
        return { ...inThread(row.key), channel: row.channel, threadTs: null };
      };
    });
    await want({ key: 'card:slow', channel: GENERAL });
    delivery.start();
    await slow.entered;
    for (const channel of [ALERTS, INCIDENTS, SECRETS]) {
      await want({ key: `card:in ${channel}`, channel });
      await want({ key: `card:behind the slow one ${channel}`, channel: GENERAL });
      await until(`something is posted in ${channel}`, () =>
        slack.messages().some((message) => message.channel === channel),
      );
    }
    expect(slack.messages().map(({ text }) => text)).toEqual(
      [ALERTS, INCIDENTS, SECRETS].map((channel) => `card:in ${channel}`),
    );
    expect(begun).toEqual([
      'card:slow',
      ...[ALERTS, INCIDENTS, SECRETS].map((channel) => `card:in ${channel}`),
    ]);
    await until('all behind it wait', async () => (await store.outbox.countDue()) === 4);
    slow.open();
    await until('the slow one is posted', () => slack.messages().length === 4);
  });

  it('begins no second message of a channel that is still at work, although another one failed', async () => {
    const slow = gate();
    const { want, slack, delivery } = await running((d) => {
      const { outbox } = d.store;
      changeOutbox(d, {
        delivered: async (key, wanted) => {
          if (key === 'card:broken') throw new Error('disk full');
          return outbox.delivered(key, wanted);
        },
        postpone: async (key, at, error) => {
          if (key === 'card:broken') throw new Error('disk full');
          return outbox.postpone(key, at, error);
        },
      });
      d.options.checkpoint = async (name) => {
        if (name === 'result: before send') await slow.pass();
      };
    });
    await want({ key: 'card:slow', kind: 'result', channel: GENERAL });
    await want({ key: 'card:broken', channel: ALERTS });
    delivery.start();
    await slow.entered;
    await turns(100);
    slow.open();
    await until('the slow one is posted', () => slack.messages().some(({ text }) => text === 'card:slow'));
    await delivery.stop();
    expect(slack.messages().filter(({ text }) => text === 'card:slow')).toHaveLength(1);
    expect(slack.messages().filter(({ text }) => text === 'card:broken')).toHaveLength(1);
  });

  it('goes on after the database could not be read', async () => {
    let failures = 2;
    const { want, slack, delivery } = await running((d) => {
      const { outbox } = d.store;
      changeOutbox(d, {
        due: async (now, limit) => {
          if (failures > 0) {
            failures -= 1;
            throw new Error('disk I/O error');
          }
          return outbox.due(now, limit);
        },
      });
    });
    await want();
    delivery.start();
    await until('it is posted', () => slack.messages().length === 1);
    expect(failures).toBe(0);
  });

  it('counts what is due for its metric, once a second at most', async () => {
    const counted: number[] = [];
    const { want, slack, delivery, metrics, clock } = await running((d) => {
      const { outbox } = d.store;
      changeOutbox(d, {
        countDue: async () => {
          counted.push(d.clock.now());
          return outbox.countDue();
        },
      });
    });
    const due = async () => /^gumshoe_outbox_due (\d+)$/mu.exec(await metrics.text())?.[1];
    const channels = [GENERAL, ALERTS, INCIDENTS, SECRETS];
    for (const channel of channels) await want({ key: `card:${channel}`, channel });
    delivery.start();
    await until('all are posted', () => slack.messages().length === channels.length);
    await clock.sleep(1_000);
    await until('the metric says that nothing is due', async () => (await due()) === '0');
    expect(counted.slice(1).map((at, n) => at - (counted[n] ?? at) >= 1_000)).not.toContain(false);
  });

  it('stops only when what is being sent has been recorded, and begins nothing more', async () => {
    const sending = gate();
    const { want, slack, delivery, row } = await running((d) => {
      d.options.checkpoint = async (name) => {
        if (name === 'card: sent') await sending.pass();
      };
    });
    await want({ key: 'card:first' });
    await want({ key: 'card:second' });
    delivery.start();
    await sending.entered;
    let stopped = false;
    const stop = delivery.stop().then(() => {
      stopped = true;
    });
    await turns(50);
    expect(stopped).toBe(false);
    sending.open();
    await stop;
    expect(await row('card:first')).toMatchObject({ state: 'idle', done: 1 });
    expect(await row('card:second')).toMatchObject({ state: 'due', done: 0, sending: null });
    expect(slack.messages()).toHaveLength(1);
  });
});
