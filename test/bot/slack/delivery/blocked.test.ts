import { describe, expect, it } from 'vitest';
import { blockUntilRepaired } from '../../../../src/bot/slack/problems/problems.ts';
import { ALICES_DM } from '../../../support/talking.ts';
import { CHANNEL, delivering, inThread, KEY, ROOT } from '../support/delivering.ts';

const REASONS = [
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  'restricted_action',
  'restricted_action_read_only_channel',
];

describe('a channel that cannot be posted in', () => {
  it.each(REASONS)('because of %s is a problem, and its messages are queued', async (error) => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error });
    await d.want();
    await d.work();
    await d.after(60_000);
    await d.want();
    await d.after(60 * 60_000);

    expect(d.slack.methods()).toEqual(['chat.postMessage']);
    expect(await d.row()).toMatchObject({ state: 'parked', error, sending: null });
    expect(await d.store.problems.get(`channel:${CHANNEL}`)).toMatchObject({ reason: error });
    expect(await d.metrics.text()).toContain('gumshoe_posts_total{kind="card",outcome="parked"} 1');
  });

  it('because the bot is no member of it waits for that', async () => {
    const d = await delivering();
    const channel = d.workspace.channels.payments;
    d.content = { ...inThread('hello'), channel, threadTs: null };
    await d.want({ channel, threadTs: null });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'parked', error: 'not_in_channel' });
    await d.workspace.invite(channel);
    await d.slackProblems.channelWorks(channel);
    await d.after(2_000);
    expect(d.slack.messages()).toMatchObject([{ channel, text: 'hello' }]);
  });

  it('is tried once for each new message; the first that gets through sends all that waited, in order', async () => {
    const d = await delivering();
    d.content = async () => {
      throw new Error('each has its own');
    };
    d.options.contentOf = async (row) => inThread(row.key);
    d.slack.next('chat.postMessage', { error: 'not_in_channel' }, { error: 'not_in_channel' });
    for (const key of ['card:first', 'card:second'] as const) {
      await d.want({ key });
      await d.after(2_000);
    }
    expect((await d.row('card:first')).state).toBe('parked');
    expect((await d.row('card:second')).state).toBe('parked');

    await d.want({ key: 'card:third' });
    for (let round = 0; round < 4; round += 1) await d.after(2_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['card:third', 'card:first', 'card:second']);
    expect(await d.store.problems.open()).toEqual([]);
    expect(d.back).toHaveLength(1);
  });

  it('waits with an edit too, and shows the newest state once it is fixed', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    d.content = inThread('older');
    d.slack.next('chat.update', { error: 'is_inactive' });
    await d.want();
    await d.after(2_000);
    expect(await d.row()).toMatchObject({ state: 'parked', error: 'is_inactive' });
    d.content = inThread('newest');
    await d.want();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.update']);

    await d.slackProblems.channelWorks(CHANNEL);
    await d.after(2_000);
    expect(d.slack.messages().map(({ text }) => text)).toEqual(['newest']);
  });

  it('is no fault in a direct message, nor where one thread is locked', async () => {
    const d = await delivering();
    d.content = { ...inThread('hello'), channel: ALICES_DM };
    d.slack.next('chat.postMessage', { error: 'channel_not_found' });
    await d.want({ key: 'card:in a DM', channel: ALICES_DM });
    await d.work();
    expect(await d.row('card:in a DM')).toMatchObject({ state: 'dead', error: 'channel_not_found' });

    d.content = inThread('hello');
    d.slack.next('chat.postMessage', { error: 'restricted_action_thread_locked' });
    await d.want();
    await d.after(2_000);
    expect(await d.row()).toMatchObject({ state: 'dead', error: 'restricted_action_thread_locked' });
    expect(await d.store.problems.open()).toEqual([]);
  });

  it('that is fixed at the moment of a refusal keeps nothing waiting', async () => {
    const d = await delivering();
    d.options.onParked = (row, error) => {
      const slackProblems = { ...d.slackProblems, channelBroke: async () => undefined };
      return blockUntilRepaired(row, error, { store: d.store, clock: d.clock, slackProblems });
    };
    d.slack.next('chat.postMessage', { error: 'not_in_channel' });
    await d.want();
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due' });
    await d.after(2_000);
    expect(d.slack.messages()).toHaveLength(1);
  });
});

describe('a scope that Slack does not grant', () => {
  const lacks = { error: 'missing_scope', needed: 'reactions:write' };

  it('keeps waiting what needs it, and nothing else', async () => {
    const d = await delivering();
    d.options.contentOf = async (row) =>
      row.kind === 'reaction' ? { kind: 'reaction', ts: ROOT, name: 'eyes' } : inThread('hello');
    d.slack.next('reactions.add', lacks);
    await d.want({ key: 'reaction:eyes', kind: 'reaction' });
    await d.want();
    await d.work();
    await d.after(60 * 60_000);
    expect(d.slack.methods().filter((method) => method === 'reactions.add')).toHaveLength(1);
    expect(await d.row('reaction:eyes')).toMatchObject({
      state: 'parked',
      error: 'missing_scope:reactions:write',
    });
    expect(await d.row()).toMatchObject({ state: 'idle' });
    expect(await d.store.problems.get('scope:reactions:write')).toMatchObject({ reason: 'missing_scope' });
  });
});

describe('a token that Slack does not take any more', () => {
  it.each(['token_revoked', 'account_inactive', 'invalid_auth', 'app_uninstalled'])(
    '(%s) gives nothing up: a post that certainly did not happen waits for the next token',
    async (error) => {
      const d = await delivering();
      d.slack.next('chat.postMessage', { error });
      await d.want();
      await d.work();
      expect(await d.row()).toMatchObject({ state: 'due', sending: null, error });
      await d.after(60_000);
      expect(d.slack.messages()).toHaveLength(1);
    },
  );

  it('sends nobody to a direct message, and finds no fault in the channel', async () => {
    const d = await delivering();
    d.slack.next('chat.postMessage', { error: 'not_in_channel' });
    d.slack.next('conversations.open', { error: 'token_revoked' });
    await d.want({ threadTs: null, payload: '{"requester":"U0ALICE001"}' });
    await d.work();
    expect(await d.row()).toMatchObject({ state: 'due', channel: CHANNEL, error: 'token_revoked' });
    expect(await d.store.problems.open()).toEqual([]);
  });
});

describe('what somebody deleted', () => {
  it('is not posted again: a message of ours that is gone', async () => {
    const d = await delivering();
    await d.want();
    await d.work();
    await d.deletePosts();
    d.content = inThread('changed');
    await d.want();
    await d.after(2_000);
    await d.want();
    await d.after(60_000);
    expect(d.slack.methods()).toEqual(['chat.postMessage', 'chat.update']);
    expect(await d.row()).toMatchObject({ key: KEY, state: 'dead', error: 'message_not_found' });
  });
});
