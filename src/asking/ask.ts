import type { Clock } from '../lib/clock.ts';
import type { Conversation } from '../store/conversations.ts';
import type { Aggregates, Store } from '../store/open.ts';

const HOUR_MS = 60 * 60_000;

/** A question as somebody asked it in Slack. */
export interface Asked {
  /** `<channel>:<ts>` of the message; a command's own id. The same question twice is one. */
  id: string;
  channel: string;
  /** `null`: the answer starts the thread. */
  threadTs: string | null;
  asker: string;
  text: string;
  /** Stands above the answer where nobody has written the question down in the thread. */
  shown?: string;
}

export interface AskOptions {
  store: Store;
  clock: Clock;
  perUserHour: number;
  perChannelHour: number;
}

/**
 * Queues a question in its thread's conversation, which it starts where there is none, and asks for the
 * message that will bear the answer (DESIGN section 4, *Asking*).
 */
export function ask(asked: Asked, options: AskOptions): Promise<void> {
  return options.store.transaction(async (tx) => {
    const now = options.clock.now();
    const conversation = await startConversation(tx, asked, now);
    const refused = await overCeiling(tx, asked, options, now);
    const added = await tx.questions.add({
      id: asked.id,
      conversation: conversation.id,
      asker: asked.asker,
      text: asked.text,
      createdAt: now,
      ...(refused === null ? {} : { refused }),
    });
    if (!added) return;
    await tx.outbox.want({
      key: `answer:${asked.id}`,
      kind: 'answer',
      channel: asked.channel,
      threadTs: asked.threadTs,
      questionId: asked.id,
      payload: JSON.stringify({ requester: asked.asker, shown: asked.shown }),
      at: now,
    });
  });
}

/** The thread's conversation; in an issue's thread it is about that issue. */
export async function startConversation(
  tx: Aggregates,
  start: { id: string; channel: string; threadTs: string | null; asker: string },
  now: number,
): Promise<Conversation> {
  const issue = start.threadTs === null ? null : await tx.issues.byThread(start.channel, start.threadTs);
  return tx.conversations.start({
    id: start.id,
    channel: start.channel,
    thread_ts: start.threadTs,
    issue_id: issue?.id ?? null,
    started_by: start.asker,
    created_at: now,
  });
}

async function overCeiling(
  tx: Aggregates,
  asked: Asked,
  options: AskOptions,
  now: number,
): Promise<string | null> {
  if ((await tx.questions.countBy(asked.asker, now - HOUR_MS)) >= options.perUserHour) {
    return `You have asked ${options.perUserHour} questions within the last hour, which is the limit. Try again later.`;
  }
  if ((await tx.questions.countIn(asked.channel, now - HOUR_MS)) >= options.perChannelHour) {
    return `${options.perChannelHour} questions were asked here within the last hour, which is the limit. Try again later.`;
  }
  return null;
}
