import { describe, expect, it } from 'vitest';
import { ANSWER, growing } from '../support/growing.ts';

describe('while nothing of an answer has arrived', () => {
  it('Slack shows that the app thinks, and its first words open the stream', async () => {
    const d = await growing();
    await d.grows('');
    await d.grows('');
    await d.grows('The pool');
    expect(d.slack.calls[0]?.args).toEqual({
      channel_id: 'D1',
      thread_ts: '1.0',
      status: 'is thinking…',
    });
    expect(d.said()).toEqual(['setStatus is thinking…', 'startStream The pool']);
  });

  it('a stream without words is opened where the pane is not enabled', async () => {
    const d = await growing();
    d.slack.next('assistant.threads.setStatus', { error: 'missing_scope' });
    await d.grows('');
    await d.grows('The pool');
    expect(d.said()).toEqual(['setStatus is thinking…', 'startStream', 'appendStream The pool']);
  });

  it('it is found out once in ten minutes that the pane is not enabled', async () => {
    const d = await growing();
    d.slack.next('assistant.threads.setStatus', { error: 'missing_scope' });
    await d.grows('');
    for (const [key, ms] of [
      ['answer:2', 9 * 60_000],
      ['answer:3', 2 * 60_000],
    ] as const) {
      await d.want({ key, kind: 'answer', channel: 'D1' });
      await d.after(ms);
    }
    expect(d.said()).toEqual([
      'setStatus is thinking…',
      'startStream',
      'startStream',
      'setStatus is thinking…',
    ]);
  });

  it('the message is posted where Slack opens no stream without words', async () => {
    const d = await growing();
    d.slack.next('assistant.threads.setStatus', { error: 'missing_scope' });
    d.slack.next('chat.startStream', { error: 'no_text' });
    await d.grows('');
    await d.grows('The pool');
    expect(d.said().slice(1)).toEqual(['startStream', 'postMessage ▍', 'update The pool ▍']);
  });

  it.each([
    ['asks to wait', { status: 429, retryAfter: 30 }],
    ['fails', { status: 500 }],
    ['is out of reach', 'unreachable' as const],
  ])('the status is not waited for where Slack %s', async (_what, trouble) => {
    const d = await growing();
    d.slack.next('assistant.threads.setStatus', trouble);
    await d.grows('');
    expect(await d.answer()).toMatchObject({ state: 'idle', attempts: 0 });
    await d.grows('The pool', 0);
    expect(d.said()).toEqual(['setStatus is thinking…', 'startStream The pool']);
  });

  it('the status ends with an answer that never comes', async () => {
    const d = await growing();
    await d.grows('');
    d.content = { kind: 'nothing' };
    await d.want({ key: ANSWER, kind: 'answer', channel: 'D1' });
    await d.work();
    expect(d.slack.calls.map(({ args }) => args.status)).toEqual(['is thinking…', '']);
  });

  it('an answer that failed is posted, which ends the status', async () => {
    const d = await growing();
    await d.grows('');
    await d.ends('It took too long.');
    expect(d.said()).toEqual(['setStatus is thinking…', 'postMessage It took too long.']);
  });
});
