import { describe, expect, it } from 'vitest';
import { asPlainText } from '../../../../src/bot/render/plain.ts';
import { deliver } from '../../../../src/bot/slack/delivery/deliver.ts';
import { ALICE, ALICES_DM } from '../../../support/talking.ts';
import { CHANNEL, delivering, inThread, KEY, ROOT, words } from '../support/delivering.ts';

const asked = JSON.stringify({ requester: ALICE });

describe('blocks that Slack will not show', () => {
  it.each(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long'])(
    'because of %s are sent again as plain text, and counted',
    async (error) => {
      const d = await delivering();
      d.slack.next('chat.postMessage', { error });
      await d.want();
      await d.work();
      await d.after(2_000);

      expect(d.slack.messages().map(({ text, blocks }) => ({ text, blocks }))).toEqual([
        { text: 'hello', blocks: undefined },
      ]);
      expect(await d.metrics.text()).toContain(`gumshoe_posts_total{kind="plain_text",outcome="${error}"} 1`);
      expect(await d.row()).toMatchObject({ state: 'idle' });
    },
  );

  it('in an edit are sent again as plain text too', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    d.content = inThread('changed');
    d.slack.next('chat.update', { error: 'invalid_blocks' });
    await d.want();
    await d.after(2_000);
    await d.after(2_000);
    expect(d.slack.messages().map(({ text, blocks }) => ({ text, blocks }))).toEqual([
      { text: 'changed', blocks: undefined },
    ]);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });
});

it('blocks that are too many arrive as plain text', async () => {
  const d = await delivering();
  const tooMany = Array.from({ length: 51 }, (_, n) => words(`line ${n}`).blocks).flat();
  const rendered = { text: 'many lines', blocks: tooMany };
  d.content = { ...inThread(), parts: [rendered] };
  await d.want();
  await d.work();
  expect(d.slack.messages()).toMatchObject([{ text: asPlainText(rendered).text }]);
  expect(d.slack.messages()[0]).not.toHaveProperty('blocks');
  expect(await d.row()).toMatchObject({ state: 'idle' });
});

describe('what a person asked for where the bot is no member', () => {
  it.each(['not_in_channel', 'channel_not_found'])('(%s) goes to their DM', async (error) => {
    const d = await delivering();
    d.content = async () => {
      const { channel } = await d.row();
      return { kind: 'messages', parts: [words('card')], channel, threadTs: null };
    };
    d.slack.next('chat.postMessage', { error });
    await d.want({ threadTs: null, payload: asked });
    await d.work();
    await d.after(2_000);

    expect(d.slack.messages().map(({ channel, text }) => [channel, text])).toEqual([[ALICES_DM, 'card']]);
    expect(await d.row()).toMatchObject({
      state: 'idle',
      channel: ALICES_DM,
      payload: JSON.stringify({ requester: ALICE, insteadOf: CHANNEL }),
    });
  });

  it('is given up where the DM is refused as well', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'not_in_channel' }, { error: 'channel_not_found' });
    await d.want({ threadTs: null, payload: asked });
    await d.work();
    await d.after(2_000);
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'conversations.open', 'chat.postMessage']);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'channel_not_found' });
  });

  it('is given up where Slack opens no DM with them', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'not_in_channel' });
    d.slack.next('conversations.open', { error: 'user_disabled' });
    await d.want({ threadTs: null, payload: asked });
    await d.work();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'conversations.open']);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'not_in_channel' });
  });

  it('is tried again where the DM could not be opened this time', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'not_in_channel' }, { error: 'not_in_channel' });
    d.slack.next('conversations.open', { status: 500 });
    await d.want({ threadTs: null, payload: asked });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', attempts: 1, channel: CHANNEL });
    await d.after(60_000);
    expect(await d.row()).toMatchObject({ state: 'due', channel: ALICES_DM });
  });

  it('stays where it was for any other refusal', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'is_archived' });
    await d.want({ threadTs: null, payload: asked });
    await d.work();
    expect(d.slack.methods()).toEqual(['chat.postMessage']);
  });
});

describe('an answer that Slack refuses in a channel where the bot is', () => {
  async function answering() {
    const d = await delivering();
    d.content = async () => {
      const { channel, threadTs } = await d.row();
      return { kind: 'messages', parts: [words('the answer')], channel, threadTs };
    };
    const answer = { kind: 'answer', payload: asked } as const;
    return { ...d, ask: () => d.want(answer) };
  }

  it.each(['restricted_action', 'is_archived', 'restricted_action_thread_locked'])(
    'because of %s goes to the asker’s DM, with the reason',
    async (error) => {
      const d = await answering();
      d.slack.next('chat.postMessage', { error });
      await d.ask();
      await d.work();
      await d.after(2_000);
      expect(d.slack.messages().map(({ channel, text }) => [channel, text])).toEqual([
        [ALICES_DM, 'the answer'],
      ]);
      expect(await d.row()).toMatchObject({
        state: 'idle',
        threadTs: null,
        payload: JSON.stringify({ requester: ALICE, insteadOf: CHANNEL, because: error }),
      });
    },
  );

  it('after its beginning goes to the DM whole', async () => {
    const d = await answering();
    await d.ask();
    await d.work();
    await d.store.outbox.recordSent(KEY, JSON.stringify([{ ts: d.slack.messages()[0]?.ts, hash: 'old' }]));
    d.slack.next('chat.update', { error: 'is_archived' });
    await d.ask();
    await d.after(2_000);
    await d.after(2_000);
    expect(d.slack.messages().map(({ channel }) => channel)).toEqual([CHANNEL, ALICES_DM]);
  });

  it.each(['message_not_found', 'thread_not_found'])(
    'because of %s was deleted, and stays so',
    async (error) => {
      const d = await answering();
      d.slack.next('chat.postMessage', { error });
      await d.ask();
      await d.work();
      expect(d.slack.methods()).toEqual(['chat.postMessage']);
      expect(await d.row()).toMatchObject({ state: 'dead', error });
    },
  );

  it('and in the DM too is given up, and counted', async () => {
    const d = await answering();
    d.slack.next('chat.postMessage', { error: 'is_archived' }, { error: 'restricted_action' });
    await d.ask();
    await d.work();
    await d.after(60_000);
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'conversations.open', 'chat.postMessage']);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'restricted_action' });
    expect(await d.metrics.text()).toContain('{kind="answer",outcome="restricted_action"} 1');
  });

  it('in the DM itself has nowhere else to go', async () => {
    const d = await answering();
    d.slack.next('chat.postMessage', { error: 'restricted_action' });
    await d.want({ kind: 'answer', payload: asked, channel: ALICES_DM });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'restricted_action' });
  });
});

describe('a reply whose thread is gone', () => {
  /** Slack puts such a reply at top level. */
  async function withoutParent() {
    const d = await delivering();
    d.options = {
      ...d.options,
      checkpoint: (name) => {
        return name === 'card: before send' ? d.workspace.remove(CHANNEL, ROOT) : undefined;
      },
    };
    return d;
  }

  it('is taken back from the top level, and given up', async () => {
    const d = await withoutParent();
    await d.want();
    await d.work();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.delete']);
    expect(d.slack.messages()).toEqual([]);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'thread_gone' });
  });

  it.each([
    ['Slack asked to wait', { status: 429, retryAfter: 1 }],
    ['Slack failed', { status: 500 }],
  ])('is taken back at the second try where %s at the first, and not posted again', async (_w, fault) => {
    const d = await withoutParent();
    d.slack.next('chat.delete', fault);
    await d.want();
    await d.work();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.delete', 'chat.delete']);
    expect(d.slack.messages()).toEqual([]);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'thread_gone' });
  });

  it('that cannot be taken back is not posted again either', async () => {
    const d = await withoutParent();
    d.slack.next('chat.delete', { error: 'cant_delete_message' });
    await d.want();
    await d.work();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.delete']);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'thread_gone' });
  });
});

it('a failure while a refusal is dealt with does not come out of the delivery', async () => {
  const d = await delivering();
  d.slack.next('chat.postMessage', { error: 'not_in_channel' });
  await d.want();
  const options = { ...d.options, onRefused: () => Promise.reject(new Error('no DM today')) };
  await deliver(await d.row(), options);
  expect(await d.row()).toMatchObject({ state: 'due', attempts: 1, error: 'no DM today' });
});
