import { describe, expect, it } from 'vitest';
import { BOT } from '../../support/deps.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const ALERT = { type: 'message', username: 'Tool', bot_id: 'B0TOOL', text: '[FIRING:1] disk is full' };

async function running(history: object[] = [{ ...ALERT, ts: '10.000000' }]) {
  const l = await listening();
  l.slack.answers('conversations.history', { messages: history });
  const { url, said } = await responseAddress();
  const run = (words = '', more: Record<string, string> = {}) =>
    l.give({
      command: '/gumshoe',
      text: `dry-run ${words}`,
      channel_id: 'C0WATCHED',
      user_id: 'U1',
      trigger_id: '1.2.3',
      response_url: url,
      ...more,
    });
  const calls = (method: string) =>
    l.slack.calls.filter((call) => call.method === method).map(({ args }) => args);
  return { ...l, said, run, calls };
}

describe('/gumshoe dry-run', () => {
  it('leaves out what we wrote ourselves', async () => {
    const r = await running([{ ...ALERT, ts: '11.000000', bot_id: BOT.botId }]);
    await r.run('7');
    expect(r.calls('conversations.history')).toMatchObject([{ limit: '7' }]);
    expect(r.calls('chat.postEphemeral')).toMatchObject([
      { text: expect.stringMatching(/^There are no messages/) },
    ]);
  });

  it('says it in words where Slack takes no table', async () => {
    const r = await running();
    r.slack.next('chat.postEphemeral', { error: 'invalid_blocks' });
    await r.run();
    expect(r.calls('conversations.history')).toMatchObject([{ limit: '50' }]);
    const [table, words, ...more] = r.calls('chat.postEphemeral');
    expect(table?.blocks).toContain('"type":"data_table"');
    expect(words?.blocks).not.toContain('"type":"data_table"');
    expect(words?.blocks).toContain('disk is full');
    expect(more).toEqual([]);
  });

  it.each(['0', '101', '-3', '1.5', 'all', '10 20'])('%s is no number of messages', async (words) => {
    const r = await running();
    await r.run(words);
    expect(r.said.map(({ text }) => text)).toEqual([expect.stringMatching(/1 to 100/)]);
    expect(r.calls('conversations.history')).toEqual([]);
  });

  it.each([
    ['not_in_channel', /\/invite @Gumshoe/],
    ['channel_not_found', /\/invite @Gumshoe/],
    ['missing_scope', /I lack .*OAuth/],
  ])('where Slack says %s tells what to do', async (error, words) => {
    const r = await running();
    r.slack.next('conversations.history', { error });
    await r.run();
    expect(r.said.map(({ text }) => text)).toEqual([expect.stringMatching(words)]);
  });

  it('where Slack is busy says when to try again', async () => {
    const r = await running();
    r.slack.next('conversations.history', { status: 429, retryAfter: 7 });
    await r.run();
    expect(r.said.map(({ text }) => text)).toEqual([expect.stringMatching(/Try again in 7 seconds/)]);
  });

  it('in a direct message has no channel to read', async () => {
    const r = await running();
    await r.run('', { channel_id: 'D1' });
    expect(r.said.map(({ text }) => text)).toEqual([expect.stringMatching(/^That only works in channels/)]);
  });
});
