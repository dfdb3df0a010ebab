import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../src/service/agent/catalog/find.ts';
import { chooseTools, goneOn } from '../../../src/service/agent/router.ts';
import { understand } from '../../../src/service/agent/understand.ts';

const CATALOG = indexOf([
  {
    name: 'node_filesystem_avail_bytes',
    type: 'gauge',
    unit: 'By',
    help: '',
    labels: { nodename: ['db-a', 'db-b', 'kaf-1', 'kaf-2', 'kaf-3', 'mail'] },
  },
  {
    name: 'rabbitmq_queue_messages',
    type: 'gauge',
    unit: '',
    help: '',
    labels: { queue: ['results.import', 'reminders.send'] },
  },
]);

function ask(question: string, before: string) {
  const subject = {
    question: before,
    services: [],
    tools: [{ name: 'metric', words: before, question: before }],
  };
  return goneOn(question, subject, ['reminders', 'mail'], CATALOG);
}

describe('a question that goes on with another object', () => {
  it('by the end of its name, by its whole name, and by there being one other', () => {
    const db = 'how full is the disk of db-b';
    const other = { questions: ['how full is the disk of db-a'] };
    expect(ask('and a?', db)).toEqual(other);
    expect(ask('and the other one?', db)).toEqual(other);
    expect(ask('and reminders.send?', 'how many messages are in results.import')).toEqual({
      questions: ['how many messages are in reminders.send'],
    });
  });

  it('each of several', () => {
    expect(ask('and the other two?', 'is kaf-1 ok?')).toEqual({
      questions: ['is kaf-2 ok?', 'is kaf-3 ok?'],
    });
  });

  it('what is not known is asked, with what is', () => {
    expect(ask('and the other one?', 'is kaf-1 ok?')).toEqual({
      text: 'Which one? Besides kaf-1 I know kaf-2 and kaf-3.',
    });
    expect(ask('and 7?', 'is kaf-1 ok?')).toEqual({
      text: 'Which one? Besides kaf-1 I know kaf-2 and kaf-3.',
    });
    expect(ask('and the other one?', 'is mail ok?')).toEqual({
      text: 'Which one? I know nothing else with a name like mail.',
    });
  });

  it('a service, a measure and a time are left to the other ways of going on', () => {
    for (const next of ['and reminders?', 'and latency?', 'and yesterday?', 'is db-a ok?'])
      expect(ask(next, 'how full is the disk of db-b')).toBeNull();
  });
});

it.each([
  ['restart reminders pls', true],
  ['sms reminders going out? saw it restart', false],
])('only what is surely an order is refused: %s', (question, isOrder) => {
  const turn = understand(question, null, [{ name: 'reminders' }], 0);
  const choices = chooseTools(turn, null, ['reminders']);
  expect(choices.some((one) => one.turn.aspect === 'order')).toBe(isOrder);
});
