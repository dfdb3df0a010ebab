import { describe, expect, it } from 'vitest';
import { channelAccess } from '../../../../src/bot/slack/access/channel-access.ts';
import { instantClock } from '../../../support/manual-clock.ts';
import { type Fault, testSlack } from '../../../support/slack.ts';

const ALL = ['channels:history', 'groups:history', 'chat:write', 'reactions:write', 'channels:read'];

async function accessTo(channel: Record<string, unknown>, scopes: string[] | null = ALL, id = 'C1') {
  const slack = testSlack(instantClock());
  slack.answers('conversations.info', {
    channel: { id, ...channel },
    ...(scopes === null ? {} : { response_metadata: { scopes } }),
  });
  return channelAccess(slack.client, id);
}

async function accessAfter(fault: Fault) {
  const slack = testSlack(instantClock());
  slack.next('conversations.info', fault);
  return channelAccess(slack.client, 'C1');
}

describe('access to a channel', () => {
  it.each<[string, Record<string, unknown>, string[] | null, object]>([
    ['a public one', { is_member: true }, ALL, { ok: true, isPrivate: false }],
    ['a private one', { is_member: true, is_private: true }, ALL, { ok: true, isPrivate: true }],
    ['one of which Slack names no scopes', { is_member: true }, null, { ok: true, isPrivate: false }],
    ['one that the bot is not in', { is_member: false }, ALL, { ok: false, why: 'not_in_channel' }],
    ['an archived one', { is_member: true, is_archived: true }, ALL, { ok: false, why: 'archived' }],
    ['a conversation of a few', { is_mpim: true, is_member: true }, ALL, { ok: false, why: 'no_channel' }],
    [
      'a public one whose messages Slack does not send',
      { is_member: true },
      ['groups:history', 'chat:write'],
      { ok: false, why: 'missing_scope', scopes: ['channels:history', 'reactions:write'] },
    ],
    [
      'a private one whose messages Slack does not send',
      { is_member: true, is_private: true },
      ALL.filter((scope) => scope !== 'groups:history'),
      { ok: false, why: 'missing_scope', scopes: ['groups:history'] },
    ],
  ])('%s', async (_, channel, scopes, access) => {
    expect(await accessTo(channel, scopes)).toEqual(access);
  });

  it('is none to a direct message, without a call', async () => {
    const slack = testSlack(instantClock());
    expect(await channelAccess(slack.client, 'D1')).toEqual({ ok: false, why: 'no_channel' });
    expect(slack.calls).toEqual([]);
  });

  it('is none to a private channel that the bot is not in: to it there is no such channel', async () => {
    expect(await accessAfter({ error: 'channel_not_found' })).toEqual({ ok: false, why: 'not_in_channel' });
  });

  it('is none where Slack says which scope is missing', async () => {
    expect(await accessAfter({ error: 'missing_scope', needed: 'groups:read,mpim:read' })).toEqual({
      ok: false,
      why: 'missing_scope',
      scopes: ['groups:read', 'mpim:read'],
    });
  });

  it('is not known where Slack fails: the delivery is to be tried again', async () => {
    await expect(accessAfter({ status: 500 })).rejects.toThrow();
  });
});
