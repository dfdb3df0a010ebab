import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../support/slack.ts';
import { delivering, inThread, KEY } from '../support/delivering.ts';

const longest = 60_000;

describe.each<[string, Fault]>([
  ['its answer was lost', 'lost_answer'],
  ['it did not answer in time', 'timeout'],
])('a post that Slack made although %s', (_what, fault) => {
  it('is found in the thread by its key, and not made again', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', fault);
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', sending: 0, attempts: 1 });
    await d.after(longest);

    expect(d.slack.methods()).toContain('conversations.replies');
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['hello']);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });

  it('at top level is found in the history of the channel', async () => {
    const d = await delivering();
    d.content = { ...inThread('hello'), threadTs: null };
    d.slack.next('chat.postMessage', fault);
    await d.want({ threadTs: null });
    await d.work();
    await d.after(longest);

    expect(d.slack.methods()).toContain('conversations.history');
    expect(d.slack.messages()).toHaveLength(1);
  });

  it('shows what is true by now, though it was posted before', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', fault);
    await d.want();
    await d.work();
    d.content = inThread('hello, number 12');
    await d.want();
    await d.after(longest);
    await d.after(longest);

    expect(d.slack.messages().map(({ text }) => text)).toEqual(['hello, number 12']);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });

  it('is not taken for another message of ours in the same thread', async () => {
    const d = await delivering();
    await d.want({ key: 'card:other' });
    await d.work();
    await d.clock.sleep(2_000);
    d.slack.next('chat.postMessage', { status: 500 });
    await d.want();
    await d.work();
    await d.after(longest);
    expect(d.slack.messages().map(({ metadata }) => metadata?.event_payload?.key)).toEqual([
      'card:other#0',
      `${KEY}#0`,
    ]);
  });
});

describe.each<[string, Fault]>([
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['internal_error', { error: 'internal_error' }],
])('a post that Slack answered with %s, and did not make', (_what, fault) => {
  it('is made after a look in the thread', async () => {
    const d = await delivering();
    await d.clock.sleep(60 * 60_000);
    d.slack.next('chat.postMessage', fault);
    await d.want();
    await d.work();
    await d.after(longest);

    // The thread is older than the look goes back. First what is new in it; then all of it, since a clock may have been set.
    const looks = ['conversations.replies', 'conversations.replies'];
    expect(d.slack.methods()).toEqual(['chat.postMessage', ...looks, 'chat.postMessage']);
    expect(d.slack.messages()).toHaveLength(1);
    expect(await d.row()).toMatchObject({ state: 'idle', attempts: 0, error: null });
  });
});

describe('the look for a message whose post is in doubt', () => {
  it.each<[string, Fault]>([
    ['has to wait for its rate', { status: 429, retryAfter: 30 }],
    ['finds Slack out of reach', 'unreachable'],
    ['fails', { status: 500 }],
  ])('is made again before anything is posted where it %s', async (_what, fault) => {
    const d = await delivering();
    d.slack.next('chat.postMessage', 'lost_answer');
    d.slack.next('conversations.replies', fault);
    await d.want();
    await d.work();
    await d.after(longest);
    await d.after(longest);

    expect(d.slack.methods()).toEqual([
      'chat.postMessage',
      'conversations.replies',
      'conversations.replies',
      'chat.update',
    ]);
    expect(d.slack.messages()).toHaveLength(1);
    expect(await d.row()).toMatchObject({ state: 'idle' });
  });
});

describe('a post that certainly was not made', () => {
  it.each<[string, Fault]>([
    ['Slack was out of reach', 'unreachable'],
    ['Slack asked to wait', { status: 429, retryAfter: 5 }],
  ])('because %s is made later without a look', async (_what, fault) => {
    const d = await delivering();
    d.slack.next('chat.postMessage', fault);
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', sending: null });
    await d.after(longest);

    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.postMessage']);
    expect(d.slack.messages()).toHaveLength(1);
  });

  it('is tried ever more rarely, at most once a minute', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', ...Array<Fault>(9).fill('unreachable'));
    await d.want();
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      await d.work();
      const wait = (await d.row()).nextAt - d.clock.now();
      waits.push(wait);
      await d.clock.sleep(wait + 1_050);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    await d.work();
    expect(d.slack.messages()).toHaveLength(1);
  });
});

describe('a process that ended between a post and its record', () => {
  it.each(['card: before send', 'card: sent'])('at “%s” leaves one message', async (moment) => {
    let crashed = false;
    const d = await delivering({
      checkpoint: (name) => {
        if (name !== moment || crashed) return;
        crashed = true;
        // The nearest to a crash: what was running never comes back to write anything down.
        return new Promise(() => undefined);
      },
    });
    await d.want();
    void d.work();
    while (!crashed) await new Promise((resolve) => setImmediate(resolve));
    expect(await d.row()).toMatchObject({ state: 'due', sending: 0, sent: '[]' });

    await d.after(2_000);
    expect(d.slack.messages()).toHaveLength(1);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });

  it('between the first part and the second leaves each once', async () => {
    let crashed = false;
    const d = await delivering({
      checkpoint: (name) => {
        if (name !== 'card: recorded' || crashed) return;
        crashed = true;
        return new Promise(() => undefined);
      },
    });
    d.content = inThread('one', 'two');
    await d.want();
    void d.work();
    while (!crashed) await new Promise((resolve) => setImmediate(resolve));
    await d.after(2_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['one', 'two']);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.postMessage']);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });

  it('while the second part was being posted finds that one, and leaves the first alone', async () => {
    let sends = 0;
    const d = await delivering({
      checkpoint: (name) => {
        if (name !== 'card: sent') return;
        sends += 1;
        return sends === 2 ? new Promise(() => undefined) : undefined;
      },
    });
    d.content = inThread('one', 'two');
    await d.want();
    await d.work();
    await d.clock.sleep(2_000);
    void d.work();
    while (sends < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(await d.row()).toMatchObject({ sending: 1 });
    await d.after(2_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['one', 'two']);
    expect(await d.row()).toMatchObject({ state: 'idle', sending: null });
  });
});
