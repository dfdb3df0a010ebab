import { expect, it } from 'vitest';
import { SlackMessage } from '../../../../src/bot/alerts/message.ts';
import { namingOf } from '../../../../src/bot/slack/agent-context/naming.ts';
import { talkOf } from '../../../../src/bot/slack/agent-context/thread.ts';

it('of a thread one message is put into words in a turn, and other work is done between', async () => {
  let isOver = false;
  let turns = 0;
  const inTurn = new Set<number>();
  const naming = namingOf([], true);
  const watched = {
    ...naming,
    of: (id: string) => {
      expect(inTurn.has(turns)).toBe(false);
      inTurn.add(turns);
      return naming.of(id);
    },
  };
  const watch = () => {
    turns += 1;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  const messages = Array.from({ length: 30 }, (_, i) => ({
    message: SlackMessage.parse({ user: 'U1', text: `message ${i}`, ts: `${i}.0` }),
    person: 'U1',
    files: [],
  }));
  const talk = await talkOf(messages, watched);
  isOver = true;
  expect(talk.map(({ text }) => text)).toEqual(messages.map(({ message }) => message.text));
  expect(inTurn.size).toBe(30);
});
