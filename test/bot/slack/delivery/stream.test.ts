import { describe, expect, it } from 'vitest';
import { stopButton } from '../../../../src/bot/render/asking/answer.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { ANSWER, type Growing, growing, QUESTION, THREAD } from '../support/growing.ts';

const keyed = { event_type: 'gumshoe_message', event_payload: { key: `${ANSWER}#0` } };

describe('an answer in a direct message', () => {
  it('grows in a stream, and is edited to its final form once that has ended', async () => {
    const d = await growing();
    await d.grows('The pool');
    await d.grows('The pool is full');
    await d.grows('The pool is full: see [the runbook](https://r.exam');
    await d.ends('The pool is full: see the runbook.', 'And more.');

    expect(d.shown()).toEqual([
      'startStream The pool',
      'appendStream is full',
      'appendStream : see',
      'stopStream',
      'update The pool is full: see the runbook.',
      'postMessage And more.',
    ]);
    expect(d.slack.messages()).toMatchObject([
      {
        channel: THREAD.channel,
        thread_ts: THREAD.threadTs,
        text: 'The pool is full: see the runbook.',
        metadata: keyed,
      },
      { text: 'And more.' },
    ]);
    expect(await d.answer()).toMatchObject({ state: 'idle', sending: null });
  });

  it('has a button to stop it above its words', async () => {
    const d = await growing();
    await d.grows('The pool');
    expect(JSON.parse(d.slack.calls[0]?.args.chunks ?? '')).toEqual([
      { type: 'blocks', blocks: [stopButton(QUESTION)] },
      { type: 'markdown_text', text: 'The pool' },
    ]);
  });

  it('goes without the button where Slack does not take it, from then on', async () => {
    const d = await growing();
    d.slack.next('chat.startStream', { error: 'invalid_chunks' });
    await d.grows('The pool');
    await d.ends('The pool is full.');
    expect(d.shown()).toEqual([
      'startStream The pool',
      'startStream The pool',
      'stopStream',
      'update The pool is full.',
    ]);
    expect(d.options.streams.withoutButton).toBe(true);
    expect(d.slack.messages()).toHaveLength(1);
  });

  it('begins with what its content opens with', async () => {
    const d = await growing();
    d.content = async () => ({
      kind: 'messages',
      parts: [],
      ...THREAD,
      stream: { opening: '*Simulated*\n\n', text: 'The pool' },
    });
    await d.want({ key: ANSWER, kind: 'answer', ...THREAD });
    await d.work();
    expect(d.shown()).toEqual(['startStream *Simulated*\n\nThe pool']);
  });

  it('lets no mention into the stream', async () => {
    const d = await growing();
    await d.grows('<!channel> <@U1');
    await d.grows('<!channel> <@U1> and more');
    expect(d.shown()).toEqual(['startStream &lt;!channel&gt; &lt;@U1', 'appendStream &gt; and more']);
  });

  it('that is wanted without having grown makes no call', async () => {
    const d = await growing();
    await d.grows('The pool');
    await d.grows('The pool');
    expect(d.shown()).toEqual(['startStream The pool']);
  });

  it('appends at most four times a second, and then all that has arrived', async () => {
    const d = await growing();
    await d.grows('a', 0);
    await d.grows('a b', 0);
    await d.grows('a b c', 100);
    await d.grows('a b c d', 100);
    await d.after(50);
    expect(d.shown()).toEqual(['startStream a', 'appendStream b', 'appendStream c d']);
  });
});

describe('a stream that cannot go on', () => {
  it.each(['message_not_in_streaming_state', 'internal_stream_trouble', 'unknown_method'])(
    'since Slack answers %s is edited from then on, without a word lost',
    async (error) => {
      const d = await growing();
      await d.grows('The pool');
      d.slack.next('chat.appendStream', { error });
      await d.grows('The pool is full');
      await d.grows('The pool is full, and slow');
      await d.ends('The pool is full, and slow.');
      expect(d.shown()).toEqual([
        'startStream The pool',
        'appendStream is full',
        'stopStream',
        'update The pool is full ▍',
        'update The pool is full, and slow ▍',
        'update The pool is full, and slow.',
      ]);
      expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full, and slow.', metadata: keyed }]);
    },
  );

  it('since nobody knows whether its words arrived gets them by an edit, not again', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.appendStream', 'lost_answer');
    await d.grows('The pool is full');
    expect(d.shown()).toEqual([
      'startStream The pool',
      'appendStream is full',
      'stopStream',
      'update The pool is full ▍',
    ]);
  });

  it('gets no more words while its end has to wait', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.appendStream', 'lost_answer');
    d.slack.next('chat.stopStream', { status: 429, retryAfter: 2 });
    await d.grows('The pool is');
    await d.grows('The pool is full', 2_000);
    expect(d.shown()).toEqual([
      'startStream The pool',
      'appendStream is',
      'stopStream',
      'stopStream',
      'update The pool is full ▍',
    ]);
  });

  it('since it is nearly five minutes old is edited from then on', async () => {
    const d = await growing();
    await d.grows('The pool');
    await d.grows('The pool is', 4.5 * 60_000);
    await d.grows('The pool is full');
    expect(d.shown()).toEqual([
      'startStream The pool',
      'appendStream is',
      'stopStream',
      'update The pool is full ▍',
    ]);
  });

  it('since its answer began again is edited', async () => {
    const d = await growing();
    await d.grows('The pool');
    await d.grows('A disk');
    expect(d.shown()).toEqual(['startStream The pool', 'stopStream', 'update A disk ▍']);
  });

  it('since the answer is longer than a message holds is edited', async () => {
    const d = await growing();
    await d.grows('The pool');
    await d.grows(`The pool ${'x'.repeat(12_000)}`);
    expect(d.shown().map((call) => call.slice(0, 20))).toEqual([
      'startStream The pool',
      'stopStream',
      'update The pool xxxx',
    ]);
  });

  it('since Slack wants a long pause is edited meanwhile', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.appendStream', { status: 429, retryAfter: 30 });
    await d.grows('The pool is full');
    expect(d.shown().slice(1)).toEqual(['appendStream is full', 'stopStream', 'update The pool is full ▍']);
  });

  it('for a moment only goes on after it', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.appendStream', { status: 429, retryAfter: 2 }, 'unreachable');
    await d.grows('The pool is');
    await d.after(2_000);
    await d.after(1_000);
    expect(d.shown()).toEqual([
      'startStream The pool',
      ...['appendStream is', 'appendStream is', 'appendStream is'],
    ]);
    expect(d.slack.messages()[0]).toMatchObject({ text: 'The pool is', streaming: true });
  });

  it('since somebody ended it in Slack stops the answer', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.appendStream', { error: 'stopped_by_user' });
    await d.grows('The pool is');
    expect(d.stopped).toEqual([QUESTION]);
    expect(d.shown().at(-1)).toBe('update The pool is ▍');
  });
});

describe('the end of a stream', () => {
  it.each<[string, (d: Growing) => unknown]>([
    ['has ended it by itself', (d) => d.clock.sleep(5 * 60_000)],
    ['loses its answer', (d) => d.slack.next('chat.stopStream', 'lost_answer')],
  ])('does not matter where Slack %s', async (_what, happens) => {
    const d = await growing();
    await d.grows('The pool');
    await happens(d);
    await d.ends('The pool is full.');
    expect(d.shown()).toEqual(['startStream The pool', 'stopStream', 'update The pool is full.']);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
  });

  it('is asked for again where it did not happen', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.stopStream', { status: 500 });
    await d.ends('The pool is full.');
    await d.after(60_000);
    await d.after(60_000);
    expect(d.shown()).toEqual([
      'startStream The pool',
      'stopStream',
      'update The pool is full.',
      'stopStream',
      'update The pool is full.',
    ]);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
    expect(d.slack.messages()[0]).not.toHaveProperty('streaming');
    expect(await d.answer()).toMatchObject({ state: 'idle' });
  });

  it('waits where Slack asks for that', async () => {
    const d = await growing();
    await d.grows('The pool');
    d.slack.next('chat.stopStream', { status: 429, retryAfter: 3 });
    await d.ends('The pool is full.');
    await d.after(3_000);
    expect(d.shown().slice(1)).toEqual(['stopStream', 'stopStream', 'update The pool is full.']);
  });
});

describe('where Slack opens no stream', () => {
  it.each(['unknown_method', 'missing_scope', 'thread_locked'])(
    'because of %s the answer is posted with its key, and edited',
    async (error) => {
      const d = await growing();
      d.slack.next('chat.startStream', { error });
      await d.grows('The pool');
      await d.grows('The pool is full');
      expect(d.shown()).toEqual([
        'startStream The pool',
        'postMessage The pool ▍',
        'update The pool is full ▍',
      ]);
      expect(d.slack.messages()).toMatchObject([{ metadata: keyed }]);
    },
  );

  it('since it knows none it is not asked again within ten minutes', async () => {
    const d = await growing();
    d.slack.next('chat.startStream', { error: 'unknown_method' });
    await d.grows('The pool');
    const next = (key: OutboxKey) => d.want({ key, kind: 'answer', channel: 'D2' });
    await next('answer:2');
    await d.after(9 * 60_000);
    await next('answer:3');
    await d.after(2 * 60_000);
    expect(d.shown()).toEqual([
      'startStream The pool',
      'postMessage The pool ▍',
      'postMessage The pool ▍',
      'startStream The pool',
    ]);
  });

  it.each([
    ['wants a pause', { status: 429, retryAfter: 30 }],
    ['is asked too often', null],
  ])('since it %s the answer is posted at once', async (_what, fault) => {
    const d = await growing();
    if (fault) d.slack.next('chat.startStream', fault);
    else {
      const start = { method: 'chat.startStream', channel: 'D9' } as const;
      for (let n = 0; n < 18; n += 1) d.options.slack.pace.took(start, d.clock.now());
    }
    await d.grows('The pool', 0);
    expect(d.shown().at(-1)).toBe('postMessage The pool ▍');
  });

  it('since it is out of reach it is asked again, and nothing is posted twice', async () => {
    const d = await growing();
    d.slack.next('chat.startStream', 'unreachable');
    await d.grows('The pool');
    expect(await d.answer()).toMatchObject({ sending: null, attempts: 1 });
    await d.after(60_000);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool', streaming: true }]);
    expect(d.slack.methods()).toEqual(['chat.startStream', 'chat.startStream']);
  });
});
