import { isPersonsMessage } from '../../alerts/message.ts';
import { slackTs, timeOfTs } from '../timestamp.ts';
import { asEvent } from './as-event.ts';
import type { BackfillDeps } from './deps.ts';
import { unlessRefused } from './failure.ts';
import { historyPages, inOrder, type Past, replyPages } from './pages.ts';
import { TALK_MS } from './range.ts';
import { take } from './take.ts';

const MOST_CONVERSATIONS = 500;
const MOST_PEOPLE = 30;
/** A thread in the pane is opened before its first question is asked. */
const OPENED_BEFORE_MS = 60 * 60_000;

/**
 * Takes what people wrote in direct messages, most recently active first: at top level, and in threads where they had
 * not asked yet (the pane's). Threads in which they had are read like all others.
 *
 * @param since the earliest moment that may be missing, as `ts`
 * @returns how many could not be taken
 * @throws a transient failure of Slack's.
 */
export async function readDirectMessages(since: string, deps: BackfillDeps): Promise<number> {
  const { store, clock } = deps.listeners;
  const active = await store.conversations.activeSince(clock.now() - TALK_MS, MOST_CONVERSATIONS);
  const people = new Set(active.flatMap(({ channel }) => (channel.startsWith('D') ? [channel] : [])));
  let failed = 0;
  for (const channel of [...people].slice(0, MOST_PEOPLE)) {
    failed += await unlessRefused({ channel }, () => readOne(channel, since, deps), deps);
  }
  return failed;
}

async function readOne(channel: string, since: string, deps: BackfillDeps): Promise<number> {
  const { conversations } = deps.listeners.store;
  const oldest = slackTs(timeOfTs(since) - OPENED_BEFORE_MS);
  let failed = 0;
  for (const past of await inOrder(historyPages(deps, { channel, oldest }))) {
    const isNew = past.latest_reply !== undefined && past.latest_reply >= since;
    const replies = isNew && (await conversations.byThread(channel, past.ts)) === null;
    failed += await takeOne(past, channel, since, deps);
    if (!replies) continue;
    for (const reply of await inOrder(replyPages(deps, { channel, ts: past.ts, oldest: since }))) {
      failed += await takeOne(reply, channel, since, deps);
    }
  }
  return failed;
}

/** A person's message that was not taken yet. */
async function takeOne(past: Past, channel: string, since: string, deps: BackfillDeps): Promise<0 | 1> {
  if (!isPersonsMessage(past)) return 0;
  if ((await deps.listeners.store.questions.get(`${channel}:${past.ts}`)) !== null) return 0;
  const event = asEvent(past, null, { channel, channelType: 'im', after: since });
  return event === null || (await take(event, deps)) ? 0 : 1;
}
