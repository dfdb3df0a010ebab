import { describe, expect, it } from 'vitest';
import { rejected } from '../../support/fake-service.ts';
import { addCreated } from '../../support/issues.ts';
import { asking, done, saying } from './support.ts';

const ID = '0f1e2d3c4b5a69788796';
const PUBLIC = 'C1';

/** Everybody may see C1, and nothing else. */
async function world() {
  const test = await asking({ maySee: async ({ channel }, from) => from === PUBLIC || from === channel });
  await addCreated(test.store, 1, { id: ID, number: 1, channel: 'C0SECRET', title: 'Vault rotation failed' });
  await addCreated(test.store, 2, {
    id: 'other',
    identity: 'other',
    number: 2,
    title: 'Checkout is slow',
    threadTs: '9.0',
  });
  test.answerer.start();
  return test;
}

async function answers(test: Awaited<ReturnType<typeof world>>, id: string, text: string, answer: string) {
  test.service.answers.push(saying(done(answer)));
  await test.ask(id, { text });
  const { answer: stored, withheld } = await test.reached(id, 'complete');
  return { answer: stored, withheld };
}

const NOTHING = { answer: '', withheld: 'all' };

describe('an answer', () => {
  it('is kept without what its readers may not see', async () => {
    await using test = await world();
    expect(
      await answers(test, 'q1', 'what is open?', '- #1 Vault rotation failed\n- #2 Checkout is slow'),
    ).toEqual({
      answer: '- #2 Checkout is slow',
      withheld: 'part',
    });
  });

  it.each(['what about issue 1?', 'And #1?', 'Why "vault rotation failed"?', `and gumshoe-${ID}?`])(
    'to a question that names the issue (%s) is left out whole',
    async (text) => {
      await using test = await world();
      expect(await answers(test, 'q1', text, 'It is resolved; a key had expired.')).toEqual(NOTHING);
    },
  );

  it('may say what the issues that its readers may see have found, though a private one found the same', async () => {
    await using test = await world();
    const cause = 'Bad deploy of payments: version 1.2.3 rolled out at noon and errors rose at once.';
    const body = JSON.stringify({ rootCause: { rootCauseSummary: cause } });
    for (const id of [ID, 'other']) {
      await test.store.issues.rewrite(id, { version: 1 });
      await test.store.results.save(id, 1, body, 3);
    }
    expect(await answers(test, 'q1', 'what is open?', `- #2 Checkout is slow: ${cause}`)).toEqual({
      answer: `- #2 Checkout is slow: ${cause}`,
      withheld: null,
    });
  });

  it('to what goes on about it is left out too, until another issue is asked about', async () => {
    await using test = await world();
    await answers(test, 'q1', 'what about issue 1?', 'It is resolved.');
    const left = { answer: '', withheld: 'thread' };
    expect(await answers(test, 'q2', 'What was the root cause?', 'A key had expired.')).toEqual(left);
    expect(await answers(test, 'q3', 'And #2?', 'A slow query.')).toEqual({
      answer: 'A slow query.',
      withheld: null,
    });
    expect(await answers(test, 'q4', 'Since when?', 'Since noon.')).toEqual({
      answer: 'Since noon.',
      withheld: null,
    });
  });

  it('to what points back at a list of which a part was left out is left out', async () => {
    await using test = await world();
    await answers(test, 'q1', 'what is open?', '- #1 Vault rotation failed\n- #2 Checkout is slow');
    const left = { answer: '', withheld: 'thread' };
    expect(await answers(test, 'q2', 'tell me about the other one', 'A key had expired.')).toEqual(left);
    expect(await answers(test, 'q3', 'how are the payments pods doing today', 'Well.')).toEqual({
      answer: 'Well.',
      withheld: null,
    });
  });

  it('says nothing of an issue that was filed from a channel that nobody knows any more', async () => {
    await using test = await world();
    test.service.client.issues.byNumber = async (number) => {
      if (number === 8) throw rejected(404, 'unknown');
      const description =
        number === 7 ? 'Slow\n\n---\nReference: gumshoe-ffffffffffffffffffff' : 'Filed by hand';
      return { uuid: `u${number}`, number, status: 'resolved', description };
    };
    const list = '- #2 ours\n- #6 by hand\n- #7 from Slack\n- #8 nowhere';
    expect(await answers(test, 'q1', 'what is open?', list)).toEqual({
      answer: '- #2 ours\n- #6 by hand\n- #8 nowhere',
      withheld: 'part',
    });
  });

  it('says nothing of an issue that cannot be looked up', async () => {
    await using test = await world();
    test.service.client.issues.byNumber = async () => {
      throw rejected(500, 'not now');
    };
    expect((await answers(test, 'q1', 'what is open?', '- #2 ours\n- #6 who knows')).answer).toBe(
      '- #2 ours\n',
    );
  });

  it('names its own channel’s issues there', async () => {
    await using test = await world();
    test.service.answers.push(saying(done('#1 Vault rotation failed')));
    await test.ask('q1', { channel: 'C0SECRET', threadTs: '5.0', text: 'what about issue 1?' });
    expect(await test.reached('q1', 'complete')).toMatchObject({
      answer: '#1 Vault rotation failed',
      withheld: null,
    });
  });
});
