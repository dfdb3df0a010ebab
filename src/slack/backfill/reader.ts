import { type ReadChannel, readChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import type { Gaps } from './gaps.ts';
import { tellLeftOut } from './left-out.ts';
import { readThreads } from './threads.ts';
import { inWords, outcomeOf } from './trouble.ts';

/** Reads what was missed; one reading at a time. */
export interface Reader {
  /**
   * Reads every channel that has a gap; a channel that cannot be read keeps its own, and holds up no other.
   *
   * @param threads whether threads are read too
   * @throws what kept it from its end; what was not read is read again.
   */
  read(threads: boolean): Promise<void>;
  /** How many channels are still to be read. */
  remaining(): number;
}

export function createReader(deps: BackfillDeps, gaps: Gaps): Reader {
  const { store, client, log, metrics } = deps.listeners;
  const troubles = new Map<string, string>();
  let remaining = 0;

  async function read(threads: boolean): Promise<void> {
    const begun = gaps.begun();
    const open = (await store.channels.watched()).flatMap(({ channel, gapFrom }) =>
      gapFrom === null ? [] : [{ channel, gapFrom }],
    );
    remaining = open.length;
    const done: ReadChannel[] = [];
    for (const one of open) {
      const result = await attempt(one);
      if (gaps.begun() === begun) gaps.release(one.channel);
      if (result === null) remaining -= 1;
      else done.push(result);
    }
    if (threads) await readThreads(done, deps);
    for (const one of done) {
      await tellLeftOut(one, deps);
      await deps.step('backfill: before close');
      // A gap that has begun since is as old as this one, and is read next.
      if (gaps.begun() === begun) await store.channels.closeGap(one.channel);
      remaining -= 1;
    }
  }

  async function attempt(one: { channel: string; gapFrom: string }): Promise<ReadChannel | null> {
    try {
      const result = await readChannel(one, deps);
      metrics.count('gumshoe_backfilled_channels_total', { outcome: 'ok' });
      troubles.delete(one.channel);
      return result;
    } catch (error) {
      deps.signal.throwIfAborted();
      const outcome = outcomeOf(error);
      metrics.count('gumshoe_backfilled_channels_total', { outcome });
      // Once, not again each hour.
      if (troubles.get(one.channel) !== outcome) {
        const { detail, fix } = await inWords(error, one.channel, client);
        log.warn({ channel: one.channel, detail, fix }, 'what was missed in a channel could not be read');
      }
      troubles.set(one.channel, outcome);
      return null;
    }
  }

  return {
    read: async (threads) => {
      const begun = gaps.begun();
      try {
        await read(threads);
      } finally {
        remaining = 0;
        if (gaps.begun() === begun) gaps.releaseAll();
      }
    },
    remaining: () => remaining,
  };
}
