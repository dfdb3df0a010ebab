import type { Clock } from '../../lib/clock.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Logger } from '../shared/log.ts';
import type { Digest, DigestIssue } from '../store/digests.ts';
import { digestIntent, digestNowIntent } from '../store/intents/channel-intents.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { isFirstOfWeek, nextDigest } from './settings.ts';

const EVERY_MS = 5_000;
/** How far a channel's first digest looks back. */
const WEEK_MS = 7 * 24 * 60 * 60_000;

interface DigesterOptions {
  store: Store;
  clock: Clock;
  log: Logger;
}

/** Sends each channel's digest when it is due. Those missed during downtime are sent as one, late. */
export function createDigester(options: DigesterOptions): Worker {
  const { store, clock, log } = options;
  return createWorkerLoop({
    round: async () => {
      for (const digest of await store.digests.due(clock.now())) await send(digest, options);
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not process digests'),
  });
}

/** A digest that cannot be sent does not hold up the others. */
async function send({ channel, nextAt: due }: Digest, options: DigesterOptions): Promise<void> {
  try {
    await options.store.transaction(async (tx) => {
      const digest = await tx.digests.get(channel);
      if (digest?.nextAt !== due) return;
      const now = options.clock.now();
      const { settings } = await tx.channels.get(channel);
      const hygiene = settings.hygiene === true && isFirstOfWeek(digest, due, now);
      await tx.outbox.want(digestIntent(channel, { ...spanOf(digest, now), due, by: null, hygiene }));
      await tx.digests.notified(channel, now, nextDigest(digest, now));
    });
  } catch (error) {
    options.log.error({ err: error, channel }, 'could not send a digest');
  }
}

/**
 * Sends a channel's digest at once, even if none is scheduled; the schedule does not change. Repeating a `cause`
 * changes nothing.
 */
export async function sendDigestNow(
  tx: Aggregates,
  { cause, channel, by, now }: { cause: string; channel: string; by: string; now: number },
): Promise<void> {
  const { settings } = await tx.channels.get(channel);
  const hygiene = settings.hygiene ?? false;
  const intent = digestNowIntent(channel, cause, {
    ...spanOf(await tx.digests.get(channel), now),
    by,
    hygiene,
  });
  if ((await tx.outbox.get(intent.key)) !== null) return;
  await tx.audit.add({ at: now, who: by, what: `sent the digest of ${channel}`, issueId: null, channel });
  await tx.outbox.want(intent);
}

function spanOf(digest: Digest | null, now: number) {
  return { since: digest?.lastAt ?? now - WEEK_MS, until: now };
}

const HOUR_MS = 60 * 60_000;
/** After this long, an investigation counts as stuck. */
const INVESTIGATING_MS = HOUR_MS / 2;
const OPEN_MS = 72 * HOUR_MS;

/** An issue that nobody seems to be working on, and since when. */
export interface Stuck {
  issue: DigestIssue;
  why: 'investigating' | 'open';
  from: number;
}

/** The open issues that have been under investigation for too long, or ready to fix for days; in the order given. */
export function stuckIssues(open: readonly DigestIssue[], now: number): Stuck[] {
  return open.flatMap((issue): Stuck[] => {
    const { status, investigatingSince, createdAt } = issue;
    if (status === 'muted') return [];
    if (status === 'investigating') {
      return now - investigatingSince > INVESTIGATING_MS
        ? [{ issue, why: 'investigating', from: investigatingSince }]
        : [];
    }
    return now - createdAt > OPEN_MS ? [{ issue, why: 'open', from: createdAt }] : [];
  });
}

/** The median time from filing to resolving, in milliseconds; `null` if there are none. */
export function typicalTime(resolved: readonly DigestIssue[]): number | null {
  const times = resolved
    .map(({ createdAt, statusSince }) => Math.max(0, statusSince - createdAt))
    .sort((a, b) => a - b);
  const upper = times[Math.floor(times.length / 2)];
  const lower = times[Math.floor((times.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
