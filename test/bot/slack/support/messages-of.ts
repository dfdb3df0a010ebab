import { createMessages } from '../../../../src/bot/slack/messages/index.ts';
import { mayReadOf } from './reading.ts';

type Options = Parameters<typeof createMessages>[0];

/** What intents come to, in a workspace of `acme`. */
export function messagesOf(options: Pick<Options, 'store' | 'clock'> & Partial<Options>) {
  return createMessages({
    mayRead: mayReadOf(options),
    identity: { botUserId: 'U0BOT', botId: 'B0BOT', teamId: 'T1' },
    simulated: false,
    nameOf: async () => null,
    permalink: (channel, ts) => `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    maxIssuesPerDay: 500,
    reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
    ...options,
  });
}
