import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createIntake, type NotRead } from '../../src/lib/intake.ts';
import { manualClock } from '../support/manual-clock.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const MOST = 4 * MIB;

/** What streams and sleepers have to do now is done. */
async function settled(): Promise<void> {
  for (let n = 0; n < 4; n += 1) await turn();
}

/** An intake, and senders whose bodies are read as they come. */
function taking() {
  const clock = manualClock();
  const intake = createIntake(clock);
  return {
    clock,
    sender(remoteAddress = '127.0.0.1', most = MOST) {
      const stream = Object.assign(new PassThrough({ highWaterMark: 8 * MIB }), {
        socket: { remoteAddress },
      });
      const outcome: { was: number | NotRead | null } = { was: null };
      const read = intake.read(stream, most).then((body) => {
        outcome.was = typeof body === 'string' ? body : body.length;
        return outcome.was;
      });
      return {
        read,
        outcome,
        send: async (bytes: number) => {
          stream.write(Buffer.alloc(bytes));
          await settled();
        },
        end: () => stream.end(),
        breakOff: () => stream.destroy(),
      };
    },
    async advance(ms: number) {
      clock.advance(ms);
      await settled();
      await settled();
    },
  };
}

describe('a body', () => {
  it('is read to its end', async () => {
    const t = taking();
    const one = t.sender();
    await one.send(100);
    await one.send(300 * KIB);
    one.end();
    expect(await one.read).toBe(100 + 300 * KIB);
    // The timer for all of them ends when the first would have been due.
    await t.advance(2_000);
    expect(t.clock.sleeping()).toBe(0);
  });

  it('that is longer than it may be is not read on', async () => {
    const one = taking().sender('127.0.0.1', 4_096);
    await one.send(4_097);
    expect(await one.read).toBe('too_large');
  });

  it('that breaks off is let go of', async () => {
    const t = taking();
    const one = t.sender();
    await one.send(10);
    one.breakOff();
    expect(await one.read).toBe('broken_off');
    // The timer for all of them ends when the first would have been due.
    await t.advance(2_000);
    expect(t.clock.sleeping()).toBe(0);
  });

  it('that says nothing is given up after two seconds, and one that drips when it has come too slowly', async () => {
    const t = taking();
    const silent = t.sender();
    const drips = t.sender();
    await drips.send(16 * KIB);
    await t.advance(1_999);
    expect(silent.outcome.was).toBeNull();
    await t.advance(1);
    expect(silent.outcome.was).toBe('too_slow');
    expect(drips.outcome.was).toBeNull();
    await t.advance(1_000);
    expect(drips.outcome.was).toBe('too_slow');
  });

  it('that keeps the least rate is given up after ten seconds all the same', async () => {
    const t = taking();
    const one = t.sender();
    for (let second = 0; second < 9; second += 1) {
      await one.send(64 * KIB);
      await t.advance(1_000);
    }
    expect(one.outcome.was).toBeNull();
    await t.advance(1_000);
    expect(one.outcome.was).toBe('too_slow');
  });
});

describe('who holds memory without sending', () => {
  it('gives way to who comes: sixteen large ones of one address, or of sixteen, keep nobody out', async () => {
    for (const address of [() => '127.0.0.1', (n: number) => `10.0.0.${n}`]) {
      const t = taking();
      const holding = Array.from({ length: 20 }, (_, n) => t.sender(address(n)));
      for (const one of holding) await one.send(MOST - 1);
      const small = t.sender();
      await small.send(2_000);
      small.end();
      expect(await small.read).toBe(2_000);
      const large = t.sender();
      await large.send(MIB);
      large.end();
      expect(await large.read).toBe(MIB);
      expect(holding[0]?.outcome.was).toBe('gave_way');
    }
  });

  it('holds no more of one address than eight large bodies', async () => {
    const t = taking();
    const holding = Array.from({ length: 10 }, () => t.sender());
    for (const one of holding) await one.send(300 * KIB);
    expect(holding.map(({ outcome }) => outcome.was)).toEqual([
      'gave_way',
      'gave_way',
      ...Array.from({ length: 8 }, () => null),
    ]);
  });

  it('holds no more with small ones than their memory, whose oldest goes first', async () => {
    const t = taking();
    const holding = Array.from({ length: 140 }, (_, n) => t.sender(`10.0.0.${n}`));
    for (const one of holding) await one.send(256 * KIB);
    expect(holding.filter(({ outcome }) => outcome.was === 'gave_way')).toHaveLength(12);
    expect(holding.slice(0, 12).every(({ outcome }) => outcome.was === 'gave_way')).toBe(true);
    const large = t.sender();
    await large.send(MIB);
    large.end();
    expect(await large.read).toBe(MIB);
  });

  it('loses the oldest of one address’s small ones once that is slow, and none that has just come', async () => {
    const t = taking();
    const first = t.sender();
    await t.advance(500);
    const burst = Array.from({ length: 250 }, () => t.sender());
    expect(first.outcome.was).toBeNull();
    await t.advance(600);
    t.sender();
    await settled();
    expect(first.outcome.was).toBe('gave_way');
    for (const one of burst) one.end();
    expect(await Promise.all(burst.map(({ read }) => read))).toEqual(burst.map(() => 0));
  });
});
