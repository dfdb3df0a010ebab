import { describe, expect, it } from 'vitest';
import { rejected } from '../../support/fake-service.ts';
import { addCreated } from '../../support/issues.ts';
import { asking, done, failing, saying } from './support.ts';

const LOG = { id: 'F1', name: 'app.log', mimetype: 'text/plain', filetype: 'text', size: 9, url: null };

const alone = (question: string) => ({ question, issue: null, said: [], asked: [], files: [] });

describe('what goes along with a question', () => {
  it('is what people said in the thread before, with the first question only', async () => {
    const talk = async () => [{ speaker: 'Person A', text: 'it is slow' }];
    await using test = await asking({ materials: { talk } });
    test.service.answers.push(saying(done('one')), saying(done('two')));
    test.answerer.start();
    for (const id of ['q1', 'q2']) {
      await test.ask(id);
      await test.reached(id, 'complete');
    }
    expect(test.service.questions).toEqual([
      {
        question: 'Said in this thread before:\nPerson A: it is slow\n\nThe question:\nabout q1',
        thread: { ...alone('about q1'), said: [{ speaker: 'Person A', text: 'it is slow' }] },
      },
      { question: 'about q2', conversation_id: 'conversation-1' },
    ]);
  });

  it('is what is attached to that very question, as often as something is', async () => {
    const file = async () => ({ name: 'app.log', text: 'pool full' });
    await using test = await asking({ materials: { file } });
    test.service.answers.push(saying(done('one')), saying(done('two')));
    test.answerer.start();
    await test.ask('q1');
    await test.reached('q1', 'complete');
    await test.ask('q2', { files: [LOG] });
    await test.reached('q2', 'complete');
    expect(test.service.questions[1]).toEqual({
      question: 'Attached file app.log:\npool full\n\nThe question:\nabout q2',
      thread: { ...alone('about q2'), files: [{ name: 'app.log', text: 'pool full' }] },
      conversation_id: 'conversation-1',
    });
  });

  it('is said below the answer where it could not go along', async () => {
    const file = async ({ name }: { name: string }) => ({ name, notRead: 'larger than 50 kB' });
    await using test = await asking({ materials: { file } });
    test.service.answers.push(saying(done('one')), failing(rejected(500, 'x')));
    test.answerer.start();
    await test.ask('q1', { files: [LOG, { ...LOG, name: 'huge.log' }] });
    expect(await test.reached('q1', 'complete')).toMatchObject({
      note: 'Not read: app.log (larger than 50 kB), huge.log (larger than 50 kB)',
    });
    await test.ask('q2', { files: [LOG] });
    expect((await test.reached('q2', 'failed')).note).not.toContain('Not read');
  });

  it('is the issue that its asker looks at, and again once that is another', async () => {
    const numbers = [7, 7, 8];
    const lookedAt = async (_: unknown, { id }: { id: string }) => ({
      ...(await addCreated(test.opened.store, 1, {
        id: `issue of ${id}`,
        identity: id,
        number: numbers[Number(id.slice(1)) - 1] ?? 0,
        title: 'Disk full',
      })),
    });
    await using test = await asking({ materials: { lookedAt } });
    test.service.answers.push(saying(done('one')), saying(done('two')), saying(done('three')));
    test.answerer.start();
    for (const [id, channel] of [
      ['q1', 'C7'],
      ['q2', 'C7'],
      ['q3', 'C8'],
    ] as const) {
      await test.ask(id, { lookingAt: { channel, messageTs: null } });
      await test.reached(id, 'complete');
    }
    const issue = (number: number) =>
      `Open in Slack beside this question is issue #${number}: Disk full\nEnvironment: production. Status: investigating.`;
    expect(test.service.questions.map(({ question }) => question)).toEqual([
      `${issue(7)}\n\nThe question:\nabout q1`,
      'about q2',
      `${issue(8)}\n\nThe question:\nabout q3`,
    ]);
  });

  it('is in a conversation that was forgotten all that preceded, in the words that may be shared', async () => {
    const materials = {
      talk: async () => [{ speaker: 'Person A', text: 'it is slow' }],
      words: async (_: unknown, { text }: { text: string }) => text.replace('<@U2>', 'Person B'),
    };
    await using test = await asking({ materials });
    test.service.answers.push(
      saying(done('one')),
      failing(rejected(404, 'forgotten')),
      saying(done('two', 'conversation-2')),
    );
    test.answerer.start();
    await test.ask('q1', { text: 'ask <@U2>?' });
    await test.reached('q1', 'complete');
    await test.ask('q2', { text: 'and <@U2>?' });
    await test.reached('q2', 'complete');
    expect(test.service.questions.at(-1)).toEqual({
      question:
        'Said in this thread before:\nPerson A: it is slow\n\n' +
        'Asked and answered before:\nQuestion: ask Person B?\nAnswer: one\n\n' +
        'The question:\nand Person B?',
      thread: {
        ...alone('and Person B?'),
        said: [{ speaker: 'Person A', text: 'it is slow' }],
        asked: [{ question: 'ask Person B?', answer: 'one' }],
      },
    });
  });

  it('never keeps the question from being asked, and names nobody by an id', async () => {
    const broken = () => Promise.reject(new Error('Slack is away'));
    await using test = await asking({ materials: { talk: broken, words: broken, file: broken } });
    test.service.answers.push(saying(done('one')));
    test.answerer.start();
    await test.ask('q1', { files: [LOG], text: 'why, <@U2|ana> and <@W3>?' });
    await test.reached('q1', 'complete');
    expect(test.service.questions).toEqual([
      {
        question: 'Not read: app.log (it could not be read)\n\nThe question:\nwhy, @someone and @someone?',
        thread: alone('why, @someone and @someone?'),
      },
    ]);
  });
});
