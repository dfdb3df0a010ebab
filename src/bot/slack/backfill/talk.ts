import { slackTs } from '../timestamp.ts';
import type { ReadChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import { readDirectMessages } from './direct-messages.ts';
import { NotAllTakenError } from './failure.ts';
import { TALK_MS } from './range.ts';
import { readThreads } from './threads.ts';

/** Slack does not deliver in order, and its clock differs from ours. */
const OVERLAP_MS = 60_000;

/**
 * Takes what people wrote while we were down: replies in threads, and direct messages. Questions older than an hour
 * are offered instead of asked, like any late question.
 *
 * @param channels whose top level has been read
 * @throws a transient failure of Slack's; NotAllTakenError.
 */
export async function readTalk(channels: readonly ReadChannel[], deps: BackfillDeps): Promise<void> {
  const { store, clock } = deps.listeners;
  const from = await store.flags.unheardSince();
  if (from === null) return;
  const since = slackTs(Math.max(from - OVERLAP_MS, clock.now() - TALK_MS));
  const failed = (await readThreads(channels, since, deps)) + (await readDirectMessages(since, deps));
  if (failed > 0) throw new NotAllTakenError(`could not process ${failed} messages from people`);
}
