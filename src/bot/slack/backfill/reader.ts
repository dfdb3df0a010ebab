import { isOfTheChannel } from '../blockers/sentences.ts';
import { type ReadChannel, readChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import { inWords, outcomeOf, passes } from './failure.ts';
import type { Gaps } from './gaps.ts';
import { tellLeftOut } from './left-out.ts';
import { readTalk } from './talk.ts';

/** Reads what was missed, one reading at a time. */
export interface Reader {
  /**
   * Reads every channel that has a gap; a channel that cannot be read keeps its gap, and does not hold up the others.
   *
   * @param talk whether to read what people wrote in threads and direct messages too
   * @returns false if a channel was not read because of a transient failure
   * @throws what interrupted it; what was not read is read again.
   */
  read(talk: boolean): Promise<boolean>;
  /** How many channels are still to be read. */
  remaining(): number;
}

export function createReader(deps: BackfillDeps, gaps: Gaps): Reader {
  const { store, client, log, metrics } = deps.listeners;
  const troubles = new Map<string, string>();
  let remaining = 0;

  async function read(talk: boolean): Promise<boolean> {
    const begun = gaps.begun();
    const open = (await store.channels.watched()).flatMap(({ channel, gapFrom }) =>
      gapFrom === null ? [] : [{ channel, gapFrom }],
    );
    remaining = open.length;
    const done: ReadChannel[] = [];
    let isWhole = true;
    for (const one of open) {
      const result = await attempt(one);
      if (gaps.begun() === begun) gaps.release(one.channel);
      if (typeof result === 'object') done.push(result);
      else remaining -= 1;
      if (result === 'passes') isWhole = false;
    }
    if (talk) await readTalk(done, deps);
    for (const one of done) {
      await tellLeftOut(one, deps);
      await deps.checkpoint('backfill: before close');
      // A gap that has begun since is as old as this one, and is read next.
      if (gaps.begun() === begun) await store.channels.closeGap(one.channel);
      remaining -= 1;
    }
    if (talk && gaps.begun() === begun) await store.flags.closeUnheard();
    return isWhole;
  }

  async function attempt(one: {
    channel: string;
    gapFrom: string;
  }): Promise<ReadChannel | 'closed' | 'passes'> {
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
        log.warn({ channel: one.channel, detail, fix }, 'could not backfill a channel');
      }
      troubles.set(one.channel, outcome);
      if (isOfTheChannel(one.channel, outcome)) {
        await deps.listeners.blockers.channelBroke(one.channel, outcome);
      }
      return passes(error) ? 'passes' : 'closed';
    }
  }

  return {
    read: async (talk) => {
      const begun = gaps.begun();
      try {
        return await read(talk);
      } finally {
        remaining = 0;
        if (gaps.begun() === begun) gaps.releaseAll();
      }
    },
    remaining: () => remaining,
  };
}
