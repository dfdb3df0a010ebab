import { SlackMessage } from '../../../src/bot/alerts/message.ts';
import { namingOf } from '../../../src/bot/slack/agent-context/naming.ts';
import { talkOf } from '../../../src/bot/slack/agent-context/thread.ts';
import { fill } from './messages.ts';
import type { Largest } from './stretch.ts';

/** The messages of a thread that go along with a question, each as long as Slack takes them. */
export function largestThreads(): Largest[] {
  const text = fill('disk is full on host=db-1 <https://a.example/x|label> &amp; ', 40_000);
  const messages = (person: string | null) =>
    Array.from({ length: 30 }, (_, i) => ({
      message: SlackMessage.parse({
        ts: `${i}.0`,
        text: `${i} ${text}`,
        ...(person ? { user: person } : { bot_id: 'B1' }),
      }),
      person,
      files: [],
    }));
  const naming = namingOf([], true);
  const [people, tools] = [messages('U1'), messages(null)];
  return [
    { name: 'thread: 30 messages of people', work: () => talkOf(people, naming) },
    { name: 'thread: 30 messages of tools', work: () => talkOf(tools, naming) },
  ];
}
