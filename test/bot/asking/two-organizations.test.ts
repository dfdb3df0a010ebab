import { describe, expect, it } from 'vitest';
import { Names } from '../../../src/bot/asking/withholding/names.ts';
import { Withholder } from '../../../src/bot/asking/withholding/withhold.ts';
import type { Question } from '../../../src/bot/store/questions.ts';
import type { FakeService } from '../../support/fake-service.ts';
import { addCreated, uuidOf } from '../../support/issues.ts';
import { asking, done, saying } from './support.ts';

const PUBLIC = 'C0PUBLIC';
const HERE = 'C0HERE';
const OTHER = 'C0OTHER';

/** #1 of a public channel; P1 of the private channel where people ask, and P2 of another one. */
async function world() {
  const test = await asking({
    maySee: async ({ channel }, from) => from === PUBLIC || from === channel,
    privateChannels: [HERE, OTHER],
  });
  const { store } = test;
  await store.channels.learn(PUBLIC, false);
  await store.channels.learn(HERE, true);
  await store.channels.learn(OTHER, true);
  const issue = (id: string, channel: string, title: string) => ({ id, identity: id, channel, title });
  const inPrivate = { organization: 'private' as const };
  await addCreated(store, 1, { number: 1, ...issue('public', PUBLIC, 'Checkout is slow') });
  await addCreated(store, 2, {
    ...inPrivate,
    ...issue('here', HERE, 'Payroll export stalled'),
    number: 1,
    uuid: uuidOf(101),
  });
  await addCreated(store, 3, {
    ...inPrivate,
    ...issue('other', OTHER, 'Vault rotation failed'),
    number: 2,
    uuid: uuidOf(102),
  });
  test.answerer.start();
  const answered = async (
    service: FakeService,
    channel: string,
    text: string,
    answer: string,
  ): Promise<Pick<Question, 'answer' | 'withheld'>> => {
    service.answers.push(saying(done(answer)));
    await test.ask('q1', { channel, text });
    const { answer: stored, withheld } = await test.reached('q1', 'complete');
    return { answer: stored, withheld };
  };
  return {
    test,
    inHere: (text: string, answer: string) => answered(test.privateService, HERE, text, answer),
    inPublic: (text: string, answer: string) => answered(test.service, PUBLIC, text, answer),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const NOTHING = { answer: '', withheld: 'all' };

describe('a question in a private channel', () => {
  it('goes to the organisation of private channels alone', async () => {
    await using w = await world();
    expect(await w.inHere('what is open?', 'Nothing.')).toEqual({ answer: 'Nothing.', withheld: null });
    expect(w.test.privateService.questions).toHaveLength(1);
    expect(w.test.service.questions).toEqual([]);
    expect(await w.test.store.conversations.get('q1')).toMatchObject({ organization: 'private' });
  });

  it.each([
    '#2 is resolved',
    'issue 2 is resolved',
    'P2 is resolved',
    '**#P2** is resolved',
    '_p2_ is resolved',
    'Vault rotation failed again',
    `It is like ${uuidOf(102)}`,
  ])('is answered without another private channel’s issue (%s), but with its own', async (named) => {
    await using w = await world();
    expect(await w.inHere('what is open?', `- ${named}\n- #1 Payroll export stalled`)).toEqual({
      answer: '- #1 Payroll export stalled',
      withheld: 'part',
    });
  });

  it('may be about its own issue, as people write its number', async () => {
    await using w = await world();
    const answer = 'P1 waits for a lock.';
    expect(await w.inHere('what about #P1?', answer)).toEqual({ answer, withheld: null });
  });

  it.each(['what about P2?', 'what about #P2?', 'what about p2', 'and issue 2?', 'P1, P2'])(
    'that names another private channel’s issue (%s) is not answered',
    async (text) => {
      await using w = await world();
      expect(await w.inHere(text, 'It is resolved; a key had expired.')).toEqual(NOTHING);
    },
  );

  it('is answered without a range that includes another private channel’s issue', async () => {
    await using w = await world();
    const answer = await w.inHere('what is open?', 'All of P1-P3 wait.\n\nNobody works on P1.');
    expect(answer).toEqual({ answer: 'Nobody works on P1.', withheld: 'part' });
  });

  it('is told nothing of an issue that has no record here any more, by either way of writing it', async () => {
    await using w = await world();
    w.test.privateService.client.issues.byNumber = async (number) => ({
      uuid: uuidOf(100 + number),
      number,
      status: 'resolved',
      description: 'Slow\n\n---\nReference: gumshoe-ffffffffffffffffffff',
    });
    expect(await w.inHere('what is open?', '- P7 is stuck\n- #8 is stuck\n- #1 too')).toEqual({
      answer: '- #1 too',
      withheld: 'part',
    });
  });
});

describe('a question in a public channel', () => {
  it('goes to the default organisation alone', async () => {
    await using w = await world();
    await w.inPublic('what is open?', 'Nothing.');
    expect(w.test.service.questions).toHaveLength(1);
    expect(w.test.privateService.questions).toEqual([]);
  });

  it('may be answered by an issue whose number a private one has too', async () => {
    await using w = await world();
    const answer = '#1 Checkout is slow';
    expect(await w.inPublic('what about #1?', answer)).toEqual({ answer, withheld: null });
  });

  it('may speak of priorities and percentiles, which are no issues of its organisation', async () => {
    await using w = await world();
    const answer = 'It is a P2; p99 doubled.';
    expect(await w.inPublic('is #1 a P1 or a P2?', answer)).toEqual({ answer, withheld: null });
  });
});

it('a number that is still arriving is not shown before it was looked up', async () => {
  const withholder = new Withholder(new Names('private'), async (number) => number === 71);
  expect(await withholder.grow('Look: P7')).toBe('Look: ');
  expect(await withholder.grow('Look: P71 is stuck.\n\n')).toBe('Look: ');
  expect(await withholder.end(true)).not.toContain('P7');
});
