import { backfilledIntent } from '../../store/intents/channel-intents.ts';
import { isOthers, type ReadChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import { historyPages } from './pages.ts';

/** Ten thousand messages; beyond that, the notice says "at least". */
const MOST_PAGES = 50;

/** Counts missed messages that are too old to be decided on, and says so in the channel if there are any. */
export async function tellLeftOut({ channel, range, came }: ReadChannel, deps: BackfillDeps): Promise<void> {
  const { gapFrom, tooOldBefore } = range;
  if (gapFrom >= tooOldBefore) return;
  const { store, clock, log, metrics } = deps.listeners;
  const { older, isMore } = await countOlder({ channel, gapFrom, tooOldBefore }, deps);
  if (older === 0) return;
  metrics.count('gumshoe_backfilled_messages_total', { outcome: 'too_old' }, older);
  log.warn({ channel, older, from: gapFrom }, 'skipped missed messages that are too old');
  const missed = { messages: came + older, older, isMore };
  await store.outbox.want(backfilledIntent(channel, gapFrom, missed, clock.now()));
}

async function countOlder(
  { channel, gapFrom, tooOldBefore }: { channel: string; gapFrom: string; tooOldBefore: string },
  deps: BackfillDeps,
): Promise<{ older: number; isMore: boolean }> {
  let older = 0;
  let pages = 0;
  for await (const page of historyPages(deps, { channel, oldest: gapFrom, latest: tooOldBefore })) {
    if (pages === MOST_PAGES) return { older, isMore: true };
    pages += 1;
    for (const past of page) {
      const isMissed = past.ts > gapFrom && past.ts < tooOldBefore && isOthers(past, deps);
      // An earlier reading that was interrupted may have decided on it.
      if (isMissed && (await deps.listeners.store.alerts.find(channel, past.ts)) === null) older += 1;
    }
  }
  return { older, isMore: false };
}
