import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { addCreated } from '../../../../support/issues.ts';
import { responseAddress } from '../../support/listening.ts';
import { talking } from '../../support/talking.ts';

type Talking = Awaited<ReturnType<typeof talking>>;
type Button = 'stopAnswer' | 'stopListening' | 'tryAgain' | 'answerLate';

/** Somebody presses a button; answers what they were told privately. */
async function press(
  t: Talking,
  button: Button,
  value: unknown,
  more: { user?: string; channel?: string; trigger?: string } = {},
): Promise<{ text: string; thread_ts?: string }[]> {
  const { user = 'U2', channel = 'C1', trigger = '1.2.3' } = more;
  const address = await responseAddress();
  await t.give({
    type: 'block_actions',
    team: { id: 'T1', domain: 'acme' },
    user: { id: user, name: 'bob' },
    channel: { id: channel, name: 'alerts' },
    message: { type: 'message', ts: '7.0', thread_ts: t.root, text: '' },
    trigger_id: trigger,
    response_url: address.url,
    actions: [{ type: 'button', action_id: actionIds[button], block_id: 'b', value, action_ts: '1.0' }],
  });
  return address.bodies.map(({ text, thread_ts }) => ({ text: String(text), thread_ts: String(thread_ts) }));
}

/** A thread with a question, and an older one, where somebody pressed *Ask*, with two that came late. */
async function withQuestions(state: 'asking' | 'failed' | 'complete' = 'asking') {
  const t = await talking();
  await t.begin();
  const id = `C1:${t.root}`;
  await t.store.questions.update(id, { state }, 0);
  t.woken.length = 0;
  t.acks.length = 0;
  const offer = async () => {
    const threadTs = t.ts(5_000);
    const begun = { channel: 'C1', threadTs, issueId: null, startedBy: 'U1', createdAt: 1 };
    await t.store.conversations.start({ id: 'asked-on-a-card', ...begun });
    await t.reply('and since when?', { thread_ts: threadTs, ts: t.ts(4_000) });
    await t.reply('and payments?', { thread_ts: threadTs, ts: t.ts(3_900) });
    t.woken.length = 0;
    return `late:C1:${t.ts(4_000)}`;
  };
  return { t, id, offer, get: () => t.store.questions.get(id) };
}

const buttons: Button[] = ['stopAnswer', 'stopListening', 'tryAgain', 'answerLate'];

describe.each(buttons)('the button “%s”', (button) => {
  it.each([
    ['of another channel', { channel: 'C0OTHER' }],
    ['of a private talk that the question is not in', { channel: 'D1' }],
  ])('pressed where it does not stand (%s) does nothing', async (_where, more) => {
    const { t, id, offer, get } = await withQuestions('failed');
    const value = button === 'answerLate' ? await offer() : id;
    const before = await get();
    expect(await press(t, button, value, more)).toEqual([
      { text: expect.stringMatching(/^I no longer have this question/), thread_ts: t.root },
    ]);
    expect([await get(), t.woken]).toEqual([before, []]);
    expect((await t.store.conversations.byThread('C1', t.root))?.listening).toBe(true);
  });

  it.each([['C1:9.9'], [''], [undefined], [7]])(
    'with the value %o says that it knows none',
    async (value) => {
      const { t } = await withQuestions();
      expect(await press(t, button, value)).toMatchObject([
        { text: expect.stringMatching(/^I no longer have this question/) },
      ]);
      expect(t.acks).toEqual([null]);
    },
  );
});

describe('Stop', () => {
  it('ends an answer that grows, whoever asked', async () => {
    const { t, id, get } = await withQuestions();
    expect(await press(t, 'stopAnswer', id)).toEqual([]);
    expect(await get()).toMatchObject({ stoppedBy: 'U2' });
    expect(t.woken).toEqual(['asked', 'outbox']);
  });

  it('pressed too late says so to the presser', async () => {
    const { t, id, get } = await withQuestions('complete');
    expect(await press(t, 'stopAnswer', id)).toMatchObject([
      { text: expect.stringMatching(/^Nothing to stop/) },
    ]);
    expect(await get()).toMatchObject({ state: 'complete', stoppedBy: null });
  });

  it('counts in the direct message that the answer went to instead of a channel', async () => {
    const { t, id, get } = await withQuestions();
    await t.store.outbox.redirect({ key: `answer:${id}`, kind: 'answer', payload: {} }, 'D1');
    expect(await press(t, 'stopAnswer', id, { channel: 'D1' })).toEqual([]);
    expect(await get()).toMatchObject({ stoppedBy: 'U2' });
  });
});

describe('Stop listening', () => {
  it('leaves the thread to people, says once who wanted that, and only once', async () => {
    const { t, id } = await withQuestions('complete');
    expect(await press(t, 'stopListening', id)).toEqual([]);
    expect(await t.store.conversations.byThread('C1', t.root)).toMatchObject({ listening: false });
    expect(await t.store.outbox.get('not_listening:1.2.3')).toMatchObject({
      kind: 'aside',
      channel: 'C1',
      threadTs: t.root,
    });
    expect(t.woken).toEqual(['outbox']);
    expect(await press(t, 'stopListening', id, { user: 'U3', trigger: '4.5.6' })).toMatchObject([
      { text: expect.stringMatching(/^I have stopped listening here/) },
    ]);
    expect(await t.store.outbox.get('not_listening:4.5.6')).toBeNull();
  });
});

describe('Stop listening in an issue’s thread', () => {
  it('is written down with the issue', async () => {
    const t = await talking();
    await addCreated(t.store, 0, { threadTs: t.root });
    await t.mention('<@U0BOT> what changed?', { thread_ts: t.root });
    await press(t, 'stopListening', `C1:${t.ts(60)}`);
    await press(t, 'stopListening', `C1:${t.ts(60)}`);
    expect(await t.store.audit.of('issue-1')).toEqual([
      { at: t.clock.now(), who: 'U2', what: 'asked me to stop listening in its thread' },
    ]);
  });
});

describe('Try again', () => {
  it('asks a question that failed once more, and once however often it is pressed', async () => {
    const { t, id, get } = await withQuestions('failed');
    expect(await press(t, 'tryAgain', id)).toEqual([]);
    expect(await get()).toMatchObject({ state: 'queued', asker: 'U1' });
    expect(t.woken).toEqual(['asked', 'outbox', 'sessions']);
    expect(await press(t, 'tryAgain', id)).toMatchObject([
      { text: expect.stringMatching(/^Already asked again or answered/) },
    ]);
  });
});

describe('Answer them', () => {
  it('asks what came late, in its order', async () => {
    const { t, offer } = await withQuestions('complete');
    const key = await offer();
    expect(await press(t, 'answerLate', key)).toEqual([]);
    const states = [await t.question(4_000), await t.question(3_900)];
    expect(states).toMatchObject([{ state: 'queued' }, { state: 'queued' }]);
    expect((await t.store.questions.next(10)).map(({ text }) => text)).toEqual(['and since when?']);
    expect(t.woken).toEqual(['asked', 'outbox', 'sessions']);
    expect(await press(t, 'answerLate', key)).toMatchObject([
      { text: expect.stringMatching(/^Somebody beat you to it/) },
    ]);
  });

  it('does not take another message’s key for its own', async () => {
    const { t, id } = await withQuestions('failed');
    expect(await press(t, 'answerLate', `answer:${id}`)).toMatchObject([
      { text: expect.stringMatching(/^I no longer have this question/) },
    ]);
  });
});
