import type { PageMessage } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { fileHeld } from '../../../src/bot/filing/held.ts';
import { CHANNEL, mostInMinute, shortestGap, storming } from './storming.ts';

const KINDS = 40;
const ALERTS = 1_000;
/** A shorter storm of as many kinds, five of each, for what does not hang on its size. */
const SHORT = 200;

type Storming = Awaited<ReturnType<typeof storming>>;

/** So many alerts of forty kinds, sixteen a second. */
async function stormed(s: Storming, alerts: number): Promise<void> {
  for (let n = 0; n < alerts; n += 1) {
    await s.fire(n % KINDS);
    if (n % 4 === 3) await s.pass(250);
  }
}

const keyOf = ({ metadata }: PageMessage) => String(metadata?.event_payload?.key);
const isSign = (message: PageMessage) => keyOf(message).startsWith('sign:');
/** The messages that have a sign in their thread, once for each, oldest first. */
const signed = (s: Storming) =>
  s.slack
    .messages()
    .filter(isSign)
    .map(({ thread_ts }) => thread_ts)
    .toSorted();
/** Those after the first ten, which have cards. */
const withoutCards = (s: Storming, alerts: number) =>
  Array.from({ length: alerts - 10 }, (_, n) => s.tsOf(n + 11)).toSorted();
const besideSigns = (s: Storming) => s.slack.messages().filter((message) => !isSign(message));
const updatesOf = (s: Storming, ts: string | undefined) =>
  s.slack.calls.filter(({ method, args }) => method === 'chat.update' && args.ts === ts).length;

describe('a thousand alerts of forty kinds within a minute', () => {
  it('are ten issues, their repeats, and the rest held under one message with 16 edits; none is lost', async () => {
    const s = await storming();
    await stormed(s, ALERTS);
    await s.pass(5_000);
    const rows = await Promise.all(
      Array.from({ length: ALERTS }, (_, n) => s.store.alerts.find(CHANNEL, s.tsOf(n + 1))),
    );
    expect(Object.groupBy(rows, (row) => row?.decision ?? 'lost')).toMatchObject({
      filed: { length: 10 },
      repeat: { length: 240 },
      held: { length: 750 },
    });
    expect(s.service.issues.size).toBe(10);
    expect(besideSigns(s)).toHaveLength(11);
    const [message, ...others] = s.heldMessages();
    expect(others).toEqual([]);
    expect(message).toContain('*750 alerts from 30 problems are on hold.*');
    expect(message).toContain('• *cart* · Alertmanager: 150 alerts from 6 problems');
    expect(message).toContain('• _no service_ · Alertmanager: 150 alerts from 6 problems');
    expect(message).toContain('File all (30)');
    expect(message).toContain('More may follow.');
    const held = s.slack.messages().find((message) => keyOf(message).startsWith('held:'));
    expect(updatesOf(s, held?.ts)).toBe(16);
    await s.pass(115_000);
    // A sign a second after all else, and 45 reactions a minute.
    await s.pass(1_250_000, 1_050);
    expect(signed(s)).toEqual(withoutCards(s, ALERTS));
    expect(shortestGap(s.slack.calls, 'chat.postMessage', (args) => args.channel)).toBeGreaterThanOrEqual(
      1_000,
    );
    expect(shortestGap(s.slack.calls, 'chat.update', (args) => args.ts)).toBeGreaterThanOrEqual(1_000);
    expect(mostInMinute(s.slack.calls, 'chat.update')).toBeLessThanOrEqual(50);
    expect(await s.store.outbox.countDue()).toBe(0);
  });
});

describe('a storm', () => {
  it('leaves each card its turn, and every one tells its repeats in the end', async () => {
    const s = await storming();
    await stormed(s, 600);
    const cards = () => s.slack.messages().filter((message) => keyOf(message).startsWith('card:'));
    expect(cards().map(({ ts }) => updatesOf(s, ts) > 0)).toEqual(Array(10).fill(true));
    await s.pass(60_000);
    expect(cards().map(({ blocks }) => /Fired again 14 times/.test(JSON.stringify(blocks)))).toEqual(
      Array(10).fill(true),
    );
  });

  it('leaves an answer that grows its edits, in the same channel and at the same time', async () => {
    const s = await storming();
    await stormed(s, 600);
    await s.ask('what is open?');
    for (let second = 1; second <= 12; second += 1) {
      await s.answer('what is open?', 'word '.repeat(second));
      await stormed(s, 16);
    }
    const answer = s.slack.messages().find((message) => keyOf(message).startsWith('answer:'));
    expect(updatesOf(s, answer?.ts)).toBeGreaterThanOrEqual(5);
  });

  it('when it is over the message says so, and File all makes an issue of each kind', async () => {
    const s = await storming();
    await stormed(s, SHORT);
    await s.pass(70_000);
    expect(s.heldMessages()[0]).toContain('It has stopped: none since');
    const hold = await s.hold();

    expect(await fileHeld(hold, 'all', 'U0ALICE001', s.options)).toEqual({ filed: 30, joined: 0 });
    await s.pass(60_000);
    expect(s.service.issues.size).toBe(40);
    expect(besideSigns(s)).toHaveLength(41);
    expect(shortestGap(s.slack.calls, 'chat.postMessage', (args) => args.channel)).toBeGreaterThanOrEqual(
      1_000,
    );
    await s.pass(200_000, 1_050);
    expect(signed(s)).toEqual(withoutCards(s, SHORT));
    const [message, ...others] = s.heldMessages();
    expect(others).toEqual([]);
    expect(message).toContain('✅ *All 150 alerts from 30 problems on hold have been dealt with.*');
    expect(message).toContain('*Filed*: 150 alerts from 30 problems');
    for (let number = 11; number <= 40; number += 1) {
      expect(message).toMatch(
        new RegExp(`<https://acme[^|]+[|]#${number}> Kind ${number - 1} fails \\(5 alerts\\)`),
      );
    }
    expect(message).not.toContain('File all');
    expect(await s.store.holds.get(hold.id)).toMatchObject({ state: 'closed' });
  });

  it('a person’s own command does not wait behind the cards of what was filed at once', async () => {
    const s = await storming();
    await stormed(s, SHORT);
    await s.pass(70_000);
    await fileHeld(await s.hold(), 'all', 'U0ALICE001', s.options);
    await s.pass(5_000);
    const asked = s.clock.now();
    await s.ask('what is open?');
    await s.investigate('the shop is down');
    await s.pass(10_000);
    const at = (text: string) =>
      s.slack.calls.find(({ args }) => args.blocks?.includes(text))?.at ?? Number.POSITIVE_INFINITY;
    expect(at('what is open?') - asked).toBeLessThanOrEqual(2_500);
    // A card waits 2.5 seconds for the service's answer.
    expect(at('the shop is down') - asked).toBeLessThanOrEqual(5_000);
  });
});
