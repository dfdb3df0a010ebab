import { slackTs } from '../../../../src/bot/slack/timestamp.ts';
import { listening } from './listening.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

/** A real app between a store and a Slack that answers what the test says, and people who write in it; `ago` counts in seconds. */
export async function talking(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  l.slack.answers('assistant.threads.setSuggestedPrompts', {});
  l.slack.answers('conversations.replies', { messages: [] });
  const began = l.clock.now();
  const ts = (ago: number) => slackTs(began - ago * 1_000);
  const root = ts(600);
  const event = (type: string, more: Record<string, unknown>) =>
    l.event({ type, channel: 'C1', channel_type: 'channel', ts: ts(60), user: 'U1', ...more });
  return {
    ...l,
    ts,
    /** The first message of the thread in C1 that `reply` answers. */
    root,
    /** In C1, by U1. */
    mention: (text: string, more: Record<string, unknown> = {}) => event('app_mention', { text, ...more }),
    /** In the thread of C1, by U2. */
    reply: (text: string, more: Record<string, unknown> = {}) =>
      event('message', { thread_ts: root, user: 'U2', text, ...more }),
    /** In the direct message D1 of U1 with the app. */
    dm: (text: string, more: Record<string, unknown> = {}) =>
      event('message', { channel: 'D1', channel_type: 'im', text, ...more }),
    /** U1 starts the thread with a question. */
    begin: async () => {
      await event('app_mention', { ts: root, text: '<@U0BOT> what is slow?' });
      // It is heard ten minutes late, and so its thread was read.
      l.slack.calls.splice(0);
    },
    question: (ago = 60, channel = 'C1') => l.store.questions.get(`${channel}:${ts(ago)}`),
    /** What was posted to one person only: to whom, in which thread. */
    ephemerals: () => ephemerals(l),
  };
}

function ephemerals({ slack }: Pick<Listening, 'slack'>) {
  return slack.calls
    .filter(({ method }) => method === 'chat.postEphemeral')
    .map(({ args }) => ({
      channel: args.channel,
      user: args.user,
      thread: args.thread_ts ?? null,
      text: args.text,
    }));
}
