import { describe, expect, it } from 'vitest';
import { listening, responseAddress } from '../../support/listening.ts';

const ALERT = {
  type: 'message',
  username: 'Tool',
  bot_id: 'B0TOOL',
  ts: '1763460000.000100',
  text: 'FIRING: queue is stuck\nQueue: invoices\nSince: 2026-11-18T09:14:22Z',
};

async function explaining(link: string) {
  const l = await listening();
  l.slack.answers('conversations.history', { messages: [ALERT] });
  l.slack.answers('views.open', { view: { id: 'V1', hash: 'h' } });
  const { url, sent } = await responseAddress();
  await l.give({
    command: '/gumshoe',
    text: `explain ${link}`,
    channel_id: 'C0WATCHED',
    user_id: 'U1',
    trigger_id: '1.2.3',
    response_url: url,
  });
  const [opened] = l.slack.calls.filter(({ method }) => method === 'views.open');
  return {
    sent,
    opened: JSON.stringify(opened?.args ?? null),
    calls: l.slack.calls.map(({ method }) => method),
  };
}

describe('/gumshoe explain', () => {
  it('shows of a message of the channel what identifies its alert, and what was left out', async () => {
    const { opened } = await explaining('<https://acme.slack.com/archives/C0WATCHED/p1763460000000100>');
    expect(opened).toContain('*Identified by*');
    expect(opened).toContain('queue: invoice');
    expect(opened).toContain('*Left out, because it changes*');
    expect(opened).toContain('since: 2026-11-18T09:14:22Z');
  });

  it.each(['', 'https://acme.slack.com/archives/C0SECRET/p1763460000000100', 'https://example.com/p1'])(
    'reads nothing for %j: it is of no message of this channel',
    async (link) => {
      const { calls } = await explaining(link);
      expect(calls).not.toContain('conversations.history');
      expect(calls).not.toContain('views.open');
    },
  );
});
