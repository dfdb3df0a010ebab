import { SEED_CHANNELS } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { type Call, createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { delivering, inThread } from '../support/delivering.ts';

const post = (channel: string): Call => ({ method: 'chat.postMessage', channel });
const edit = (message: string): Call => ({ method: 'chat.update', channel: 'C1', message });
const react: Call = { method: 'reactions.add', channel: 'C1' };

describe('the pace of Slack', () => {
  it('allows one post a second in a channel, and others beside it', () => {
    const pace = createPace();
    pace.took(post('C1'), 10_000);
    expect(pace.earliest(post('C1'), 10_000)).toBe(11_050);
    expect(pace.earliest(post('C1'), 11_050)).toBe(11_050);
    expect(pace.earliest(post('C2'), 10_000)).toBe(10_000);
    expect(pace.earliest(edit('1.0'), 10_000)).toBe(10_000);
  });

  it('keeps two edits of one message a second apart, and lets another message be edited', () => {
    const pace = createPace();
    pace.took(edit('1.0'), 10_000);
    expect(pace.earliest(edit('1.0'), 10_500)).toBe(11_050);
    expect(pace.earliest(edit('2.0'), 10_500)).toBe(10_500);
  });

  it.each<[string, (n: number) => Call]>([
    ['edits', (n) => edit(`${n}.0`)],
    ['reactions', () => react],
    ['looks into threads', () => ({ method: 'conversations.replies', channel: 'C1' })],
  ])('allows 45 %s a minute, whatever the channel', (_what, call) => {
    const pace = createPace();
    for (let n = 0; n < 44; n += 1) pace.took(call(n), 1_000 + n);
    expect(pace.earliest(call(99), 2_000)).toBe(2_000);
    pace.took(call(44), 1_044);
    expect(pace.earliest(call(99), 2_000)).toBe(61_000);
    expect(pace.earliest(call(99), 61_000)).toBe(61_000);
  });

  it.each([
    ['chat.startStream', 18],
    ['chat.stopStream', 18],
    ['chat.appendStream', 92],
    ['files.getUploadURLExternal', 92],
  ] as const)('allows %s %i times a minute', (method, most) => {
    const pace = createPace();
    for (let n = 0; n < most - 1; n += 1) pace.took({ method, channel: `D${n}` }, 1_000);
    expect(pace.earliest({ method, channel: 'D999' }, 1_000)).toBe(1_000);
    pace.took({ method, channel: 'D998' }, 1_000);
    expect(pace.earliest({ method, channel: 'D999' }, 1_000)).toBe(61_000);
  });

  it('lets words follow each other quickly at first, and more slowly the fuller the minute', () => {
    const pace = createPace();
    const append: Call = { method: 'chat.appendStream', channel: 'D1', message: '1.0' };
    const moments: number[] = [];
    for (let now = 0; now < 120_000; now = pace.earliest(append, now)) {
      moments.push(now);
      pace.took(append, now);
    }
    expect(moments.slice(0, 3)).toEqual([0, 250, 500]);
    expect(moments[21]).toBe((moments[20] ?? 0) + 500);
    expect(moments.filter((at) => at < 60_000).length).toBeLessThan(92);
    const waits = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(4_000);
    expect(pace.earliest({ ...append, message: '2.0' }, 120_000)).toBe(120_000);
  });

  it('does not count posts by the minute', () => {
    const pace = createPace();
    for (let n = 0; n < 200; n += 1) pace.took(post(`C${n}`), 1_000);
    expect(pace.earliest(post('C999'), 1_000)).toBe(1_000);
  });

  it('stops posts in the channel that was blocked, and no other', () => {
    const pace = createPace();
    pace.blocked(post('C1'), 40_000);
    expect(pace.earliest(post('C1'), 10_000)).toBe(40_000);
    expect(pace.earliest(post('C2'), 10_000)).toBe(10_000);
    expect(pace.earliest(edit('1.0'), 10_000)).toBe(10_000);
  });

  it('stops the method that was blocked in every channel, and no other', () => {
    const pace = createPace();
    pace.blocked(edit('1.0'), 40_000);
    expect(pace.earliest({ method: 'chat.update', channel: 'C2', message: '9.0' }, 10_000)).toBe(40_000);
    expect(pace.earliest(react, 10_000)).toBe(10_000);
    expect(pace.earliest(post('C1'), 10_000)).toBe(10_000);
  });

  it('keeps a block although other calls are made and much is forgotten', () => {
    const pace = createPace();
    pace.blocked(post('C1'), 5_030_000);
    for (let n = 0; n < 5_000; n += 1) pace.took(post(`C${n + 2}`), n * 1_000);
    expect(pace.earliest(post('C1'), 5_000_000)).toBe(5_030_000);
  });

  it('does not wait for moments of a clock that was an hour ahead, and has been corrected', () => {
    const pace = createPace();
    const ahead = 3_600_000;
    for (let n = 0; n < 60; n += 1) pace.took(edit(`${n}.0`), ahead);
    pace.took(post('C1'), ahead);
    pace.blocked(post('C2'), ahead + 30_000);
    const now = 10_000;
    expect([post('C1'), post('C2'), edit('0.0')].map((call) => pace.earliest(call, now))).toEqual([
      now,
      now,
      now,
    ]);
  });

  it('forgets moments that have passed', () => {
    const pace = createPace();
    for (let n = 0; n < 20_000; n += 1) pace.took(post(`C${n}`), n * 2_000);
    const last = 20_000 * 2_000;
    const kept = Array.from({ length: 20_000 }, (_, n) => n).filter(
      (n) => pace.earliest(post(`C${n}`), last - 30_000) > last - 30_000,
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(1_001);
  });
});

const { general, alerts } = { general: SEED_CHANNELS.general.id, alerts: SEED_CHANNELS.alerts.id };

describe('a delivery that has to keep the pace', () => {
  it('posts a second apart in one channel, and at once in another', async () => {
    const d = await delivering();
    const began = d.clock.now();
    d.options = {
      ...d.options,
      contentOf: async (row) => ({ ...inThread(row.key), channel: row.channel, threadTs: null }),
    };
    for (const [key, channel] of [
      ['card:a', general],
      ['card:b', general],
      ['card:c', alerts],
    ] as const) {
      await d.want({ key, channel, threadTs: null });
    }
    await d.work();
    await d.after(1_050);
    expect(
      d.slack.calls.map(
        ({ args, at }) =>
          `${args.text} in ${args.channel === general ? 'general' : 'alerts'} at ${at - began}`,
      ),
    ).toEqual(['card:a in general at 0', 'card:c in alerts at 0', 'card:b in general at 1050']);
    expect(await d.row('card:b')).toMatchObject({ state: 'idle', attempts: 0, error: null });
  });

  it('posts nothing in a channel before its 429 has passed, while another goes on', async () => {
    const d = await delivering();
    const began = d.clock.now();
    d.options = { ...d.options, contentOf: async (row) => ({ ...inThread(row.key), channel: row.channel }) };
    d.slack.next('chat.postMessage', { status: 429, retryAfter: 30 });
    await d.want({ key: 'card:a', channel: general });
    await d.work();
    await d.want({ key: 'card:b', channel: general });
    await d.want({ key: 'card:c', channel: alerts });
    for (let n = 0; n < 40; n += 1) await d.after(1_000);

    expect(d.slack.calls.map(({ args, at }) => [args.text, at - began])).toEqual([
      ['card:a', 0],
      ['card:c', 1_000],
      ['card:a', 30_000],
      ['card:b', 32_000],
    ]);
    expect(await d.row('card:a')).toMatchObject({ state: 'idle', attempts: 0 });
    expect(await d.metrics.text()).toContain(
      'gumshoe_slack_calls_total{method="chat.postMessage",outcome="rate_limited"} 1',
    );
  });

  it('waits five seconds where Slack does not say for how long', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { status: 429 });
    await d.want();
    await d.work();
    expect((await d.row()).nextAt - d.clock.now()).toBe(5_000);
  });
});
