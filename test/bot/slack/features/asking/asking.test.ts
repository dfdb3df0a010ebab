import { describe, expect, it } from 'vitest';
import { addCreated } from '../../../../support/issues.ts';
import { talking } from '../../support/talking.ts';

const file = {
  id: 'F1',
  name: 'app.log',
  mimetype: 'text/plain',
  filetype: 'text',
  size: 12,
  url_private: 'https://files.slack.test/F1',
};

describe('a person’s message in a direct message', () => {
  it('is a question, answered in a thread below it', async () => {
    const t = await talking();
    await t.dm('what is slow?');
    expect(await t.question(60, 'D1')).toMatchObject({
      asker: 'U1',
      text: 'what is slow?',
      state: 'queued',
      writtenAt: t.clock.now() - 60_000,
      files: '[]',
    });
    expect(await t.store.conversations.byThread('D1', t.ts(60))).toMatchObject({ startedBy: 'U1' });
    expect(await t.store.outbox.get(`answer:D1:${t.ts(60)}`)).toMatchObject({
      channel: 'D1',
      threadTs: t.ts(60),
    });
    expect(t.woken).toEqual(['asked', 'outbox', 'sessions']);
  });

  it.each(['thanks!', 'ok', 'stop', '  '])('that says “%s” asks nothing', async (text) => {
    const t = await talking();
    await t.dm(text);
    expect(await t.question(60, 'D1')).toBeNull();
    expect([t.woken, t.slack.calls]).toEqual([[], []]);
  });

  it('that is edited is not asked again', async () => {
    const t = await talking();
    await t.dm('what is slow?');
    const message = { ts: t.ts(60), user: 'U1', text: 'what is slow now?' };
    await t.dm('', { subtype: 'message_changed', ts: t.ts(30), message });
    expect((await t.question(60, 'D1'))?.text).toBe('what is slow?');
    expect(await t.store.outbox.countDue()).toBe(1);
  });

  it('that mentions somebody is a question too: there is nobody else', async () => {
    const t = await talking();
    await t.dm('was it <@U3> who deployed?');
    expect((await t.question(60, 'D1'))?.text).toBe('was it <@U3> who deployed?');
  });

  it('in a thread where we were told to listen no more is left alone, until we are mentioned', async () => {
    const t = await talking();
    await t.dm('what is slow?', { ts: t.root });
    const conversation = await t.store.conversations.byThread('D1', t.root);
    await t.store.conversations.listen(conversation?.id ?? '', false, 0);
    await t.dm('note to myself', { thread_ts: t.root });
    expect(await t.question(60, 'D1')).toBeNull();
    await t.dm('<@U0BOT> and now?', { thread_ts: t.root, ts: t.ts(50) });
    expect((await t.question(50, 'D1'))?.text).toBe('and now?');
    expect((await t.store.conversations.byThread('D1', t.root))?.listening).toBe(true);
  });

  it.each([
    ['a guest', 'U0GUEST', /^Guests cannot use Gumshoe/],
    ['somebody of another organization', 'U0EVE', /^People from other organizations cannot/],
  ])('of %s is refused so that only they see it, once a thread', async (_who, user, words) => {
    const t = await talking();
    await t.dm('what is slow?', { user, ts: t.root });
    await t.dm('hello?', { user, thread_ts: t.root });
    await t.dm('thanks', { user, ts: t.ts(55) });
    expect(t.ephemerals()).toEqual([
      { channel: 'D1', user, thread: null, text: expect.stringMatching(words) },
    ]);
    await t.dm('hello again?', { user, ts: t.ts(50) });
    expect(t.ephemerals()).toHaveLength(2);
    expect(await t.store.outbox.countDue()).toBe(0);
  });
});

describe('a reply in a thread where somebody asked', () => {
  it.each([
    ['somebody else', 'and since when?', {}, 'and since when?'],
    ['somebody who mentions us', '<@U0BOT> and since when?', {}, 'and since when?'],
    ['somebody who mentions us and another', '<@U0BOT> ask <@U3>', {}, 'ask <@U3>'],
    ['somebody with a file', 'what is this?', { subtype: 'file_share' }, 'what is this?'],
    ['somebody who shows it in the channel too', 'why?', { subtype: 'thread_broadcast' }, 'why?'],
    ['somebody who speaks to another', '<@U3> have a look', {}, null],
    ['somebody who speaks to all', '<!here> have a look', {}, null],
    ['somebody who thanks', 'thank you', {}, null],
    ['another bot', 'and since when?', { bot_id: 'B0TOOL' }, null],
    ['Slack itself', 'has joined', { subtype: 'channel_join' }, null],
  ])('by %s: “%s” %o asks %s', async (_who, said, more, text) => {
    const t = await talking();
    await t.begin();
    await t.reply(said, more);
    expect((await t.question())?.text ?? null).toBe(text);
  });

  it('by a guest is refused so that only they see it, once; what they say besides is not ours', async () => {
    const t = await talking();
    await t.begin();
    for (const text of ['thanks', 'stop', '<@U3> look', 'and since when?', 'hello?']) {
      await t.reply(text, { user: 'U0GUEST', ts: t.ts(60 - text.length) });
    }
    expect(t.ephemerals()).toEqual([
      { channel: 'C1', user: 'U0GUEST', thread: t.root, text: expect.stringMatching(/^Guests cannot/) },
    ]);
    expect(await t.store.questions.countBy('U0GUEST', 0)).toBe(0);
  });

  it('goes on with one conversation', async () => {
    const t = await talking();
    await t.begin();
    await t.reply('and since when?');
    expect((await t.question())?.conversation).toBe((await t.question(600))?.conversation);
  });

  it('after Stop listening is people’s own, until somebody mentions us', async () => {
    const t = await talking();
    await t.begin();
    const { id = '' } = (await t.store.conversations.byThread('C1', t.root)) ?? {};
    await t.store.conversations.listen(id, false, 0);
    await t.reply('who is on call?');
    expect(await t.question()).toBeNull();
    await t.mention('<@U0BOT> and now?', { thread_ts: t.root, ts: t.ts(50) });
    await t.reply('and payments?', { ts: t.ts(40) });
    expect([(await t.question(50))?.text, (await t.question(40))?.text]).toEqual([
      'and now?',
      'and payments?',
    ]);
  });

  it('more than an hour late is offered to be answered, not answered', async () => {
    const t = await talking();
    const root = t.ts(4_000);
    await t.mention('<@U0BOT> what is slow?', { ts: root });
    await t.reply('and since when?', { ts: t.ts(3_601), thread_ts: root });
    await t.reply('and payments?', { ts: t.ts(3_590), thread_ts: root });
    expect(await t.question(3_601)).toMatchObject({
      state: 'late',
      offer: `late:C1:${root}`,
      writtenAt: t.clock.now() - 3_601_000,
    });
    expect(await t.question(3_590)).toMatchObject({ state: 'queued' });
  });
});

describe('a reply in a thread where nobody asked', () => {
  it.each([
    ['is anybody looking?', 'U2'],
    ['stop', 'U2'],
    ['stop', 'U0GUEST'],
    ['is anybody looking?', 'U0GUEST'],
  ])('is left alone: “%s” by %s', async (text, user) => {
    const t = await talking();
    await t.reply(text, { user });
    expect([t.woken, t.slack.calls]).toEqual([[], []]);
    expect(await t.question()).toBeNull();
  });
});

describe('a mention', () => {
  it('in a channel starts a thread', async () => {
    const t = await talking();
    await t.mention('hey <@U0BOT>, what is slow?');
    expect(await t.question()).toMatchObject({ asker: 'U1', text: 'hey  , what is slow?' });
    expect(await t.store.conversations.byThread('C1', t.ts(60))).toMatchObject({ issueId: null });
  });

  it('in a thread in which nobody asked begins a conversation there', async () => {
    const t = await talking();
    await t.mention('<@U0BOT> what happened here?', { thread_ts: t.root });
    expect(await t.store.conversations.byThread('C1', t.root)).toMatchObject({ startedBy: 'U1' });
    await t.reply('and since when?', { ts: t.ts(50) });
    expect((await t.question(50))?.text).toBe('and since when?');
  });

  it('makes no question of what was written before it and is heard after it', async () => {
    const t = await talking();
    await t.mention('<@U0BOT> who is right?', { thread_ts: t.root });
    await t.reply('not me', { ts: t.ts(61) });
    expect(await t.question(61)).toBeNull();
    await t.mention('<@U0BOT> and who is wrong?', { thread_ts: t.root, ts: t.ts(62) });
    expect((await t.question(62))?.text).toBe('and who is wrong?');
  });

  describe('that begins a conversation, and comes after replies to it', () => {
    const replies = (t: Awaited<ReturnType<typeof talking>>) => [
      { ts: t.root, user: 'U1', text: '<@U0BOT> what is slow?' },
      { ts: t.ts(590), thread_ts: t.root, user: 'U1', text: 'and payments?' },
      { ts: t.ts(580), thread_ts: t.root, user: 'U2', text: '<@U3> do you know?' },
      { ts: t.ts(570), thread_ts: t.root, user: 'U0TOOL', bot_id: 'B0TOOL', text: 'deployed' },
    ];

    it('has those answered that go on with it', async () => {
      const t = await talking();
      t.slack.answers('conversations.replies', { messages: replies(t) });
      await t.reply('and payments?', { ts: t.ts(590), user: 'U1' });
      await t.begin();
      expect([(await t.question(600))?.text, (await t.question(590))?.text]).toEqual([
        'what is slow?',
        'and payments?',
      ]);
      expect([await t.question(580), await t.question(570)]).toEqual([null, null]);
    });

    it('is asked although Slack does not let us read them', async () => {
      const t = await talking();
      t.slack.next('conversations.replies', { error: 'missing_scope' });
      await t.begin();
      expect((await t.question(600))?.text).toBe('what is slow?');
    });

    it('comes again where Slack cannot be asked, and is one question', async () => {
      const t = await talking();
      t.slack.next('conversations.replies', 'unreachable');
      t.slack.answers('conversations.replies', { messages: replies(t) });
      await expect(t.begin()).rejects.toThrow();
      await t.begin();
      expect(await t.store.questions.countBy('U1', 0)).toBe(2);
    });
  });

  it('in an issue’s thread is about that issue', async () => {
    const t = await talking();
    await addCreated(t.store, 0, { threadTs: t.root });
    await t.mention('<@U0BOT> what changed?', { thread_ts: t.root });
    expect(await t.store.conversations.byThread('C1', t.root)).toMatchObject({ issueId: 'issue-1' });
  });

  it.each([
    ['the mention first', ['app_mention', 'message']],
    ['the message first', ['message', 'app_mention']],
  ])('that arrives as message too, %s, is one question', async (_order, types) => {
    const t = await talking();
    await t.begin();
    for (const type of types) {
      const text = '<@U0BOT> and now?';
      await t.event({ type, channel: 'C1', thread_ts: t.root, ts: t.ts(60), user: 'U1', text });
    }
    expect(await t.store.questions.countBy('U1', 0)).toBe(2);
    expect(await t.store.outbox.countDue()).toBe(2);
    expect(await t.store.outbox.get(`answer:C1:${t.ts(60)}`)).toMatchObject({ wanted: 1 });
    expect(t.slack.calls).toEqual([]);
  });

  it('without words is told how to ask, privately and in its thread', async () => {
    const t = await talking();
    await t.mention('<@U0BOT>', { thread_ts: t.root });
    const text = expect.stringMatching(/Mention me with a question/);
    expect(t.ephemerals()).toEqual([{ channel: 'C1', user: 'U1', thread: t.root, text }]);
    expect(await t.store.outbox.countDue()).toBe(0);
  });

  it.each(['thanks <@U0BOT>!', '<@U0BOT> stop'])('that only says “%s” is left alone', async (text) => {
    const t = await talking();
    await t.mention(text);
    expect([t.woken, t.slack.calls]).toEqual([[], []]);
  });

  it('whose private answer Slack refuses does not fail the delivery', async () => {
    const t = await talking();
    t.slack.next('chat.postEphemeral', { error: 'user_not_in_channel' });
    await t.mention('<@U0BOT>');
    expect(t.slack.methods()).toEqual(['chat.postEphemeral']);
  });
});

describe('what is attached', () => {
  it('comes with the question', async () => {
    const t = await talking();
    await t.dm('what is wrong in it?', { subtype: 'file_share', files: [file] });
    expect(await t.question(60, 'D1')).toMatchObject({
      text: 'what is wrong in it?',
      files: JSON.stringify([
        {
          id: 'F1',
          name: 'app.log',
          mimetype: 'text/plain',
          filetype: 'text',
          size: 12,
          url: 'https://files.slack.test/F1',
        },
      ]),
    });
  });

  it.each([
    ['one file', [file], 'What does the attached file say?'],
    ['two files', [file, { ...file, id: 'F2' }], 'What do the attached files say?'],
    ['a file that was taken away again', [{ ...file, mode: 'tombstone' }], null],
  ])('without a word asks what it says: %s', async (_what, files, text) => {
    const t = await talking();
    await t.begin();
    await t.dm('', { subtype: 'file_share', files });
    await t.reply('', { subtype: 'file_share', files });
    await t.mention('<@U0BOT>', { ts: t.ts(50), files });
    expect([
      (await t.question(60, 'D1'))?.text ?? null,
      (await t.question(60))?.text ?? null,
      (await t.question(50))?.text ?? null,
    ]).toEqual([text, text, text]);
  });

  it('to a thread where nobody asked is nobody’s question', async () => {
    const t = await talking();
    await t.reply('', { subtype: 'file_share', files: [file] });
    expect(await t.question()).toBeNull();
  });
});

describe('a bare “stop”', () => {
  it.each([
    ['in the thread', {}, 'stop'],
    ['politely', {}, 'Stop, please.'],
  ])('%s stops the answer that grows there', async (_how, more, text) => {
    const t = await talking();
    await t.begin();
    await t.store.questions.update(`C1:${t.root}`, { state: 'asking' }, 0);
    t.woken.length = 0;
    await t.reply(text, more);
    expect(await t.question(600)).toMatchObject({ stoppedBy: 'U2' });
    expect(t.woken).toEqual(['asked', 'outbox']);
    expect(t.slack.calls).toEqual([]);
  });

  it('that mentions us, and so comes twice, stops one answer', async () => {
    const t = await talking();
    await t.begin();
    await t.reply('and since when?', { ts: t.ts(100) });
    for (const type of ['message', 'app_mention', 'message']) {
      const text = '<@U0BOT> stop';
      await t.event({ type, channel: 'C1', thread_ts: t.root, ts: t.ts(60), user: 'U2', text });
    }
    expect([(await t.question(600))?.state, (await t.question(100))?.state]).toEqual(['stopped', 'queued']);
  });

  it('that is heard again does not stop what was asked after it', async () => {
    const t = await talking();
    await t.begin();
    await t.reply('stop');
    await t.reply('and since when?', { ts: t.ts(30) });
    await t.reply('stop');
    expect([(await t.question(600))?.state, (await t.question(30))?.state]).toEqual(['stopped', 'queued']);
  });

  it('in a direct message stops what is answered in its thread', async () => {
    const t = await talking();
    await t.dm('what is slow?', { ts: t.root });
    await t.dm('stop', { thread_ts: t.root });
    expect(await t.question(600, 'D1')).toMatchObject({ state: 'stopped', stoppedBy: 'U1' });
  });

  it('at the top of a direct message stops what is being answered there, in whatever thread', async () => {
    const t = await talking();
    await t.dm('what is slow?', { ts: t.root });
    await t.dm('what is open?', { ts: t.ts(300) });
    await t.store.questions.begin(`D1:${t.root}`, t.clock.now());
    await t.dm('stop');
    expect(await t.question(600, 'D1')).toMatchObject({ state: 'asking', stoppedBy: 'U1' });
    expect(await t.question(300, 'D1')).toMatchObject({ state: 'queued', stoppedBy: null });
  });
});
