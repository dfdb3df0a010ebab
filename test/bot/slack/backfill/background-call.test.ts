import { describe, expect, it } from 'vitest';
import { backgroundCall } from '../../../../src/bot/slack/backfill/history.ts';
import { call } from '../../../../src/bot/slack/delivery/calls.ts';
import { backfilling } from '../support/backfilling.ts';

describe('reading in the background', () => {
  it('takes two thirds of a method’s minute at most, so that who posts need not wait', async () => {
    const b = await backfilling();
    const which = { method: 'conversations.replies', channel: 'C1' } as const;
    const look = () =>
      backgroundCall(b.deps, which, (client) => client.conversations.replies({ channel: 'C1', ts: '1.0' }));
    for (let n = 0; n < 30; n += 1) await look();
    expect(b.clock.slept).toEqual([]);
    const slack = b.deps;
    await call(slack, which, (client) => client.conversations.replies({ channel: 'C1', ts: '1.0' }));
    expect(b.clock.slept).toEqual([]);
    await look();
    expect(b.clock.slept).toEqual([60_000]);
  });

  it('ends with the program, although a call hangs', async () => {
    const b = await backfilling();
    b.slack.answers('conversations.history', () => new Promise(() => undefined));
    const which = { method: 'conversations.history', channel: 'C1' } as const;
    const read = backgroundCall(b.deps, which, (client) => client.conversations.history({ channel: 'C1' }));
    b.stopping.abort(new Error('stopped'));
    await expect(read).rejects.toThrow('stopped');
  });

  it('gives up at once where Slack says no', async () => {
    const b = await backfilling();
    b.slack.next('conversations.history', { error: 'missing_scope' });
    const which = { method: 'conversations.history', channel: 'C1' } as const;
    const read = backgroundCall(b.deps, which, (client) => client.conversations.history({ channel: 'C1' }));
    await expect(read).rejects.toThrow('missing_scope');
    expect(b.slack.methods()).toEqual(['conversations.history']);
  });
});
