import type { Clock } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import { trialOverIntent } from '../store/intents/channel-intents.ts';
import type { Aggregates, Store } from '../store/open.ts';
import type { SettingsChange } from './change-settings.ts';

const DAY = 24 * 60 * 60_000;
/** After so long, the channel is asked whether to go on. */
export const TRIAL_DAYS = 14;
const EVERY_MS = 10 * 60_000;

/**
 * Watches a channel on trial: beside reactions and what is in threads, nothing is posted. Saving its settings ends the trial.
 *
 * @returns false if it is on trial already
 */
export async function startTrial(
  tx: Aggregates,
  { channel, by, seenTs, now }: Pick<SettingsChange, 'channel' | 'by' | 'seenTs' | 'now'>,
): Promise<boolean> {
  const { watched, settings } = await tx.channels.get(channel);
  if (watched && settings.trial !== undefined) return false;
  await tx.channels.watch(channel, { ...settings, broadcast: false, trial: { by, at: now } }, seenTs);
  await tx.audit.add({ at: now, who: by, what: `started a trial in ${channel}`, issueId: null, channel });
  return true;
}

/** Asks each channel once, two weeks after its trial began, whether to go on. */
export function createTrialWatch({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): Worker {
  return createWorkerLoop({
    round: () => store.transaction((tx) => endTrials(tx, clock.now())),
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not look which trials are over'),
  });
}

export async function endTrials(tx: Aggregates, now: number): Promise<void> {
  for (const { channel, settings } of await tx.channels.watched()) {
    const since = settings.trial?.at;
    if (since === undefined || now < since + TRIAL_DAYS * DAY) continue;
    const over = trialOverIntent(channel, since, now);
    if ((await tx.outbox.get(over.key)) === null) await tx.outbox.want(over);
  }
}
