import { describe, expect, it } from 'vitest';
import { type Growing, growing, QUESTION, THREAD } from '../support/growing.ts';

/** An answer of an agent's, in a direct message. */
function agents(): Promise<Growing> {
  return growing({ isAgent: true });
}

/** Each call with what it says of the session. */
function told({ slack }: Growing): string[] {
  return slack.calls.map(({ method, args }) =>
    [method.split('.').at(-1), args.status ?? args.session_status].filter((part) => part).join(' '),
  );
}

const complete = (d: Growing) => d.store.questions.update(QUESTION, { state: 'complete' }, d.clock.now());

describe('an answer of an agent’s that grows', () => {
  it('is shown as under way by its session, once, until its stream opens; the end of that ends both', async () => {
    const d = await agents();
    await d.grows('');
    await d.grows('');
    await d.grows('The pool');
    await complete(d);
    await d.ends('The pool is full.');
    expect(told(d)).toEqual(['setStatus processing', 'startStream', 'stopStream active', 'update']);
    expect(await d.store.sessions.get(THREAD)).toMatchObject({ status: 'active', pending: false });
  });

  it('leaves its session processing where the stream ends before the answer, which goes on by edits', async () => {
    const d = await agents();
    await d.grows('The pool');
    await d.grows('The pool is', 5 * 60_000);
    expect(told(d)).toEqual(['startStream', 'stopStream processing', 'update']);
    expect(await d.store.sessions.get(THREAD)).toMatchObject({ status: 'processing' });
  });

  it('leaves its session processing while another question waits behind it', async () => {
    const d = await agents();
    await d.grows('The pool');
    const next = {
      id: 'D1:3.0',
      conversation: 'c1',
      asker: 'U0ALICE001',
      text: 'and now?',
      createdAt: d.clock.now(),
    };
    await d.store.questions.add(next);
    await complete(d);
    await d.ends('The pool is full.');
    expect(told(d)).toContain('stopStream processing');
  });

  it('is known to be processing from before its stream opens', async () => {
    const d = await agents();
    d.slack.next('chat.startStream', { status: 500 });
    await d.grows('The pool');
    expect(await d.store.sessions.open()).toMatchObject([{ ...THREAD, status: 'processing' }]);
  });

  it('whose stream Slack has ended by itself leaves its session to be told', async () => {
    const d = await agents();
    await d.grows('The pool');
    d.slack.next('chat.stopStream', { error: 'message_not_in_streaming_state' });
    await complete(d);
    await d.ends('The pool is full.');
    expect(await d.store.sessions.open()).toMatchObject([{ ...THREAD, status: 'processing' }]);
  });
});

describe('an answer of an app that turns out to be no agent', () => {
  it('opens a stream without words, and nothing more is said of sessions', async () => {
    const d = await growing({ isAgent: true });
    d.slack.next('agents.sessions.setStatus', { error: 'not_authorized' });
    await d.grows('');
    await d.grows('The pool');
    await complete(d);
    await d.ends('The pool is full.');
    expect(told(d)).toEqual(['setStatus processing', 'startStream', 'appendStream', 'stopStream', 'update']);
    expect(await d.store.sessions.get(THREAD)).toBe(null);
  });
});
