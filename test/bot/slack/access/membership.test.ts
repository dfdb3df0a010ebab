import { describe, expect, it } from 'vitest';
import { createIsMember, looksUpMember } from '../../../../src/bot/slack/access/membership.ts';
import { instantClock } from '../../../support/manual-clock.ts';
import { type TestSlack, testSlack } from '../../../support/slack.ts';

/** A channel of twelve thousand, a thousand a page: U12000 is the last of them. */
function crowded(): TestSlack {
  const slack = testSlack(instantClock());
  slack.answers('conversations.members', ({ cursor = '0', limit }) => {
    const [from, size] = [Number(cursor), Number(limit)];
    const next = from + size < 12_000 ? String(from + size) : '';
    const members = Array.from({ length: size }, (_, i) => `U${from + i + 1}`);
    return { members, response_metadata: { next_cursor: next } };
  });
  return slack;
}

function withTheirs(slack: TestSlack, channels: Record<string, string[]>): TestSlack {
  slack.answers('users.conversations', ({ user = '', cursor = '0' }) => {
    const all = channels[user];
    if (all === undefined) return { ok: false, error: 'user_not_found' };
    const at = Number(cursor);
    const next_cursor = at + 1 < all.length ? String(at + 1) : '';
    return { channels: all.slice(at, at + 1).map((id) => ({ id })), response_metadata: { next_cursor } };
  });
  return slack;
}

describe('whether somebody is in a channel', () => {
  it('is asked for in one call where they are on its first page', async () => {
    const slack = crowded();
    expect(await looksUpMember(slack.client, 'U1000', 'C1')).toBe(true);
    expect(slack.methods()).toEqual(['conversations.members']);
  });

  it.each([
    ['U11999', ['C0', 'C1'], true],
    ['U0OUTSIDER', ['C0', 'C2'], false],
    ['U0ALONE', [], false],
  ])('of twelve thousand is asked for by their own channels: %s in %j', async (user, theirs, is) => {
    const slack = withTheirs(crowded(), { [user]: theirs });
    expect(await looksUpMember(slack.client, user, 'C1')).toBe(is);
    expect(slack.methods().filter((method) => method === 'conversations.members')).toHaveLength(1);
    expect(slack.calls[1]?.args).toMatchObject({ user, types: 'public_channel,private_channel' });
  });

  it.each([
    ['U12000', true],
    ['U0OUTSIDER', false],
  ])('is read to the last page where Slack does not name their channels: %s', async (user, is) => {
    const slack = crowded();
    expect(await looksUpMember(slack.client, user, 'C1')).toBe(is);
    expect(slack.methods().filter((method) => method === 'conversations.members')).toHaveLength(12);
  });

  it('is a no where the pages lead in a circle', async () => {
    const slack = testSlack(instantClock());
    slack.answers('conversations.members', { members: ['U1'], response_metadata: { next_cursor: 'again' } });
    expect(await looksUpMember(slack.client, 'U2', 'C1')).toBe(false);
  });

  it('is a no where Slack refuses to say, and remembered by nobody', async () => {
    const slack = crowded();
    const isMember = createIsMember(slack.client, instantClock());
    slack.next('conversations.members', { error: 'missing_scope' });
    expect(await isMember('U5', 'C1')).toBe(false);
    expect(await isMember('U5', 'C1')).toBe(true);
  });
});
