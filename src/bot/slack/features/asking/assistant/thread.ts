import { z } from 'zod';

/** A person's thread in the assistant pane. */
export interface PaneThread {
  user: string;
  /** Their direct message with the app. */
  channel: string;
  threadTs: string;
  /** The channel that they have open beside it; `null` where Slack tells of none. */
  lookingAt: string | null;
}

const Event = z.looseObject({
  assistant_thread: z.looseObject({
    user_id: z.string(),
    channel_id: z.string(),
    thread_ts: z.string(),
    context: z
      .looseObject({ channel_id: z.string().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
});

/** The thread that an event of the pane is about; `null` for what is no such event. */
export function paneThread(event: unknown): PaneThread | null {
  const { success, data } = Event.safeParse(event);
  if (!success) return null;
  const { user_id, channel_id, thread_ts, context } = data.assistant_thread;
  return {
    user: user_id,
    channel: channel_id,
    threadTs: thread_ts,
    lookingAt: context?.channel_id ?? null,
  };
}
