import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import type { Blocker } from '../../store/blockers.ts';
import { troubleIntent, troubleNow } from '../../store/intents/channel-intents.ts';
import { troublePrefix } from '../../store/intents/keys.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { Admins } from '../access/admins.ts';
import { openDm } from '../open-dm.ts';
import { channelOf, consentOf } from './names.ts';

/**
 * Tells those who can fix it, each once, by direct message.
 *
 * @returns false if nobody can be told
 * @throws the client's error if Slack cannot be reached now
 */
export async function tellBlocker(
  blocker: Blocker,
  { store, client, clock, admins }: { store: Store; client: WebClient; clock: Clock; admins: Admins },
): Promise<boolean> {
  if ((await store.outbox.keyed(troublePrefix(blocker))).length > 0) return true;
  const people = await admins.adminsToTell(channelOf(blocker.name) ?? consentOf(blocker.name) ?? undefined);
  const dms = new Map<string, string>();
  for (const person of people) {
    const dm = await openDm(client, person);
    if (dm !== null) dms.set(person, dm);
  }
  await store.transaction(async (tx) => {
    // It may have been fixed in the meantime, or have another reason now.
    const now = await tx.blockers.get(blocker.name);
    if (now?.since !== blocker.since) return;
    for (const [person, channel] of dms) {
      await tx.outbox.want(troubleIntent(now, person, channel, clock.now()));
    }
  });
  return dms.size > 0;
}

/** Updates the messages about a blocker: it has another reason now, or is fixed. */
export async function replaceBlockerPayload(
  tx: Aggregates,
  blocker: Blocker,
  mendedAt: number | null,
): Promise<void> {
  for (const { key } of await tx.outbox.keyed(troublePrefix(blocker))) {
    await tx.outbox.replacePayload(troubleNow(key, blocker, mendedAt));
  }
}
