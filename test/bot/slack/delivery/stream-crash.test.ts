import { describe, expect, it } from 'vitest';
import { createStreams } from '../../../../src/bot/slack/delivery/content.ts';
import { ALICE } from '../../../support/talking.ts';
import { ANSWER, type Growing, growing, THREAD } from '../support/growing.ts';

const keyed = { event_type: 'gumshoe_message', event_payload: { key: `${ANSWER}#0` } };

/** The process ends at a moment; the next one knows what the database and Slack know, and nothing else. */
async function crashingAt(moment: string, begin: (d: Growing) => Promise<void>): Promise<Growing> {
  const crashed = Promise.withResolvers<void>();
  let once = true;
  const d = await growing({
    checkpoint: (name) => {
      if (name !== moment || !once) return;
      once = false;
      crashed.resolve();
      // The nearest to a crash: what was running never comes back to write anything down.
      return new Promise(() => undefined);
    },
  });
  void begin(d);
  await crashed.promise;
  d.options = { ...d.options, streams: createStreams() };
  await d.clock.sleep(60_000);
  return d;
}

async function twice(d: Growing): Promise<void> {
  await d.grows('The pool');
  await d.grows('The pool is');
}

async function ending(d: Growing): Promise<void> {
  await d.grows('The pool');
  await d.ends('The pool is full.');
}

describe.each([
  ['stream: before start', twice],
  ['stream: started', twice],
  ['stream: recorded', twice],
  ['stream: appended', twice],
  ['stream: stopped', ending],
])('a process that ended at “%s”', (moment, begin) => {
  it('leaves one message, with the whole answer and its key', async () => {
    const d = await crashingAt(moment, begin);
    await d.ends('The pool is full.');
    await d.after(60_000);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
    expect(d.slack.messages()[0]).not.toHaveProperty('streaming');
    expect(await d.answer()).toMatchObject({ state: 'idle', sending: null });
  });

  it('leaves one message where the answer goes on growing, and no word twice', async () => {
    const d = await crashingAt(moment, begin);
    await d.grows('The pool is full');
    expect(d.slack.messages()).toHaveLength(1);
    expect(d.slack.messages()[0]?.text).toMatch(/^The pool is full(?: ▍)?$/u);
    await d.ends('The pool is full.');
    await d.after(60_000);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
  });
});

describe('a start of unknown outcome', () => {
  it.each([
    ['happened', 'lost_answer' as const],
    ['did not happen', { status: 500 }],
  ])('that %s leaves one message', async (_what, fault) => {
    const d = await growing();
    d.slack.next('chat.startStream', fault);
    await d.grows('The pool');
    expect(await d.answer()).toMatchObject({ sending: 0, sent: '[]', attempts: 1 });
    await d.grows('The pool is', 60_000);
    await d.ends('The pool is full.');
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
  });

  it('is not taken for what else is in the thread', async () => {
    const d = await growing({ threadOf: 'bot' });
    const another = { channel: THREAD.channel, thread_ts: THREAD.threadTs, text: 'other' };
    await d.workspace.post({ ...another, user: ALICE });
    await d.other.chat.postMessage({ ...another, metadata: { event_type: 'x', event_payload: {} } });
    d.slack.next('chat.startStream', { status: 500 });
    await d.grows('The pool');
    await d.grows('The pool is', 60_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['Any questions?', 'other', 'The pool is']);
  });

  it('is found where our clock was minutes ahead of Slack’s when the answer was asked for', async () => {
    let behind = 0;
    const d = await growing({ slackNow: (now) => now - behind });
    behind = 10 * 60_000;
    await d.clock.sleep(5 * 60_000);
    d.slack.next('chat.startStream', 'lost_answer');
    await d.grows('The pool');
    await d.ends('The pool is full.');
    await d.after(60_000);
    expect(d.slack.messages()).toMatchObject([{ text: 'The pool is full.', metadata: keyed }]);
  });
});
