import { describe, expect, it } from 'vitest';
import { growing } from '../support/growing.ts';

describe('while nothing of an answer has arrived, and Slack has no session for the thread', () => {
  it('a stream without words is opened', async () => {
    const d = await growing();
    await d.grows('');
    await d.grows('The pool');
    expect(d.shown()).toEqual(['startStream', 'appendStream The pool']);
  });

  it('the message is posted where Slack opens no stream without words', async () => {
    const d = await growing();
    d.slack.next('chat.startStream', { error: 'no_text' });
    await d.grows('');
    await d.grows('The pool');
    expect(d.shown()).toEqual(['startStream', 'postMessage ▍', 'update The pool ▍']);
  });
});
