import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Nearly everything Slack sends is smaller. Larger bodies have a separate memory budget. */
const SMALL_BYTES = 256 * 1024;
const MEMORY = { small: 32 * 1024 * 1024, large: 64 * 1024 * 1024 };
/** At once per address. Behind a proxy everybody shares one address, so the oldest is dropped and no newcomer refused. */
const PER_ADDRESS = { small: 200, large: 8 };
/** A request this young is not slow: it is dropped only when memory runs out. */
const YOUNG_MS = 1_000;

/** A body that arrives more slowly than this is not from Slack, which sends it in one go. */
const GRACE_MS = 2_000;
const LEAST_BYTES_PER_SECOND = 16 * 1024;
const LONGEST_MS = 10_000;

/** Why a body was not read to its end. */
export type NotRead = 'too_large' | 'too_slow' | 'gave_way' | 'broken_off';

/** A request whose body has not been read. */
type BodyStream = Readable & { socket: { remoteAddress?: string | undefined } };

export interface Intake {
  /** Reads a body of at most `most` bytes. */
  read(req: BodyStream, most: number): Promise<Buffer | NotRead>;
}

interface Reading {
  address: string;
  size: number;
  startedAt: number;
  end(why: NotRead): void;
}

/**
 * Reads request bodies from untrusted senders: one that holds memory or a slot without sending is dropped for a newcomer.
 * Small and large bodies are budgeted apart, the oldest is dropped first, and a body must arrive at a minimum rate.
 */
export function createIntake(clock: Clock): Intake {
  /** In order of arrival. */
  const pools = { small: new Set<Reading>(), large: new Set<Reading>() };
  const held = { small: 0, large: 0 };
  let isWatching = false;

  function poolOf(size: number): 'small' | 'large' {
    return size <= SMALL_BYTES ? 'small' : 'large';
  }

  function move(reading: Reading, size: number): void {
    const [from, to] = [poolOf(reading.size), poolOf(size)];
    held[from] -= reading.size;
    held[to] += size;
    reading.size = size;
    if (from === to) return;
    pools[from].delete(reading);
    pools[to].add(reading);
    makePlace(to, reading);
  }

  function leave(reading: Reading): void {
    const pool = poolOf(reading.size);
    if (pools[pool].delete(reading)) held[pool] -= reading.size;
  }

  /** Drops the oldest, if slow, of an address with too many at once. */
  function makePlace(pool: 'small' | 'large', newcomer: Reading): void {
    const same = [...pools[pool]].filter(({ address }) => address === newcomer.address);
    const [oldest] = same;
    if (oldest === undefined || same.length <= PER_ADDRESS[pool] || oldest === newcomer) return;
    if (pool === 'large' || clock.now() - oldest.startedAt > YOUNG_MS) oldest.end('gave_way');
  }

  function makeRoom(pool: 'small' | 'large', newcomer: Reading): void {
    for (const oldest of pools[pool]) {
      if (held[pool] <= MEMORY[pool]) return;
      if (oldest !== newcomer) oldest.end('gave_way');
    }
  }

  /** One timer for all of them, for when the first is due: one for each costs more than reading most of the bodies. */
  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    for (let all = readings(); all.length > 0; all = readings()) {
      await clock.sleep(Math.min(...all.map(dueAt)) - clock.now());
      // If the event loop itself was blocked, what arrived meanwhile is read first.
      await turn();
      for (const reading of readings()) if (clock.now() >= dueAt(reading)) reading.end('too_slow');
    }
    isWatching = false;
  }

  function readings(): Reading[] {
    return [...pools.small, ...pools.large];
  }

  return {
    read: (req, most) =>
      new Promise((resolve) => {
        let isOver = false;
        const chunks: Buffer[] = [];
        const onData = (chunk: Buffer) => {
          if (reading.size + chunk.length > most) return finish('too_large');
          chunks.push(chunk);
          move(reading, reading.size + chunk.length);
          makeRoom(poolOf(reading.size), reading);
        };
        const onEnd = () => finish(Buffer.concat(chunks));
        const onBroken = () => finish('broken_off');
        const finish = (result: Buffer | NotRead) => {
          if (isOver) return;
          isOver = true;
          leave(reading);
          req.off('data', onData).off('end', onEnd).off('close', onBroken);
          req.pause();
          resolve(result);
        };
        const address = req.socket.remoteAddress ?? '';
        const reading: Reading = { address, size: 0, startedAt: clock.now(), end: finish };
        pools.small.add(reading);
        makePlace('small', reading);
        // The error listener stays: an error after the end would otherwise be unhandled.
        req.on('error', onBroken).on('data', onData).on('end', onEnd).on('close', onBroken);
        void watch();
      }),
  };
}

/** When it will have been too slow, if nothing more arrives. */
function dueAt({ startedAt, size }: Reading): number {
  return startedAt + Math.min(GRACE_MS + (size / LEAST_BYTES_PER_SECOND) * 1_000, LONGEST_MS);
}
