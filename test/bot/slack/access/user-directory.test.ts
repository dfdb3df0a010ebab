import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createUserDirectory } from '../../../../src/bot/slack/access/people.ts';
import { instantClock } from '../../../support/manual-clock.ts';
import { testSlack } from '../../../support/slack.ts';

const MINUTE = 60_000;
const member = { id: 'U1', team_id: 'T0ACME' };

function people(
  user: Record<string, unknown>,
  allowed: Partial<Parameters<typeof createUserDirectory>[0]> = {},
) {
  const clock = instantClock();
  const slack = testSlack(clock);
  const metrics = createMetrics();
  slack.answers('users.info', { user });
  const options = {
    client: slack.client,
    clock,
    metrics,
    teamId: 'T0ACME',
    allowGuests: false,
    allowExternal: false,
    adminUsers: ['U0BOSS'],
    settingsBy: 'members',
  } as const;
  return { slack, clock, metrics, ...createUserDirectory({ ...options, ...allowed }) };
}

describe('who may use Gumshoe', () => {
  it.each<[string, Record<string, unknown>, 'guest' | 'external' | null]>([
    ['a member', member, null],
    ['a guest of many channels', { ...member, is_restricted: true }, 'guest'],
    ['a guest of one channel', { ...member, is_ultra_restricted: true }, 'guest'],
    ['somebody of another organization', { ...member, team_id: 'T0OTHER' }, 'external'],
    ['a stranger', { ...member, is_stranger: true }, 'external'],
    ['a guest of another organization', { team_id: 'T0OTHER', is_restricted: true }, 'external'],
    [
      'a member of the same grid',
      { team_id: 'T0GRID', enterprise_user: { teams: ['T0OTHER', 'T0ACME'] } },
      null,
    ],
    [
      'a member of the same grid who is not in this workspace',
      { team_id: 'T0GRID', enterprise_user: { teams: ['T0OTHER'] } },
      'external',
    ],
    ['somebody whose workspace Slack does not say', {}, null],
  ])('%s: %o → %s', async (_who, user, refusal) => {
    expect(await people(user).refusal('U1')).toBe(refusal);
  });

  it('guests where the configuration allows them, and then nobody else', async () => {
    expect(await people({ ...member, is_restricted: true }, { allowGuests: true }).refusal('U1')).toBe(null);
    expect(await people({ team_id: 'T0OTHER' }, { allowGuests: true }).refusal('U1')).toBe('external');
  });

  it('people of other organizations where the configuration allows them, and then nobody else', async () => {
    expect(await people({ team_id: 'T0OTHER' }, { allowExternal: true }).refusal('U1')).toBe(null);
    expect(await people({ ...member, is_restricted: true }, { allowExternal: true }).refusal('U1')).toBe(
      'guest',
    );
  });

  it('everybody where both are allowed, without a call', async () => {
    const { refusal, slack } = people({}, { allowGuests: true, allowExternal: true });
    expect(await refusal('U1')).toBe(null);
    expect(slack.calls).toEqual([]);
  });
});

describe('what Slack says of a person', () => {
  it('is remembered for ten minutes, each person by themselves', async () => {
    const { refusal, slack, clock } = people(member);
    await refusal('U1');
    await refusal('U2');
    await clock.sleep(10 * MINUTE - 1);
    await refusal('U1');
    expect(slack.calls.map(({ args }) => args.user)).toEqual(['U1', 'U2']);
    await clock.sleep(1);
    await refusal('U1');
    expect(slack.calls.map(({ args }) => args.user)).toEqual(['U1', 'U2', 'U1']);
  });

  it('counts from the moment it changes and is asked again', async () => {
    const { refusal, slack, clock } = people(member);
    expect(await refusal('U1')).toBe(null);
    slack.answers('users.info', { user: { ...member, is_restricted: true } });
    expect(await refusal('U1')).toBe(null);
    await clock.sleep(10 * MINUTE);
    expect(await refusal('U1')).toBe('guest');
  });

  it('is nobody’s permission where Slack fails: the delivery is to be tried again', async () => {
    const { refusal, slack } = people(member);
    slack.next('users.info', { status: 500 }, { error: 'internal_error' });
    await expect(refusal('U1')).rejects.toThrow();
    await expect(refusal('U1')).rejects.toThrow();
    expect(await refusal('U1')).toBe(null);
  });

  it.each(['user_not_found', 'user_not_visible'])(
    'is that they are not ours where it is %s',
    async (error) => {
      const { refusal, slack } = people(member);
      slack.next('users.info', { error });
      expect(await refusal('U1')).toBe('external');
    },
  );

  it('is no answer at all where our own token may not ask', async () => {
    const { refusal, slack } = people(member);
    slack.next('users.info', { error: 'missing_scope' });
    await expect(refusal('U1')).rejects.toThrow('missing_scope');
  });
});

describe('an admin', () => {
  it.each<[string, Record<string, unknown>, boolean]>([
    ['an admin of the workspace', { ...member, is_admin: true }, true],
    ['an owner', { ...member, is_owner: true }, true],
    ['the primary owner', { ...member, is_primary_owner: true }, true],
    ['a member', member, false],
    ['an admin of another organization', { team_id: 'T0OTHER', is_admin: true }, false],
  ])('%s: %o → %s', async (_who, user, isAdmin) => {
    expect(await people(user).isAdmin('U1')).toBe(isAdmin);
  });

  it('is whoever ADMIN_USERS names, without a call', async () => {
    const { isAdmin, slack } = people(member);
    expect(await isAdmin('U0BOSS')).toBe(true);
    expect(slack.calls).toEqual([]);
  });

  it('whose right is taken away is none at once where they act, and remembered as one only for showing', async () => {
    const { isAdmin, maySet, slack } = people({ ...member, is_admin: true }, { settingsBy: 'admins' });
    expect(await isAdmin('U1')).toBe(true);
    slack.answers('users.info', { user: member });
    expect(await isAdmin('U1', 'remembered')).toBe(true);
    expect(await maySet('U1', 'C1', 'remembered')).toBe(null);
    expect(await maySet('U1', 'C1')).toBe('not_admin');
    expect(await isAdmin('U1')).toBe(false);
  });
});

describe('who may change the settings of a channel', () => {
  const inChannel = (slack: ReturnType<typeof testSlack>, ...pages: string[][]) => {
    let page = 0;
    slack.answers('conversations.members', () => {
      const members = pages[page] ?? [];
      page += 1;
      return { members, response_metadata: { next_cursor: page < pages.length ? `p${page}` : '' } };
    });
  };

  it('its members, whom Slack is asked for page by page, once in ten minutes', async () => {
    const { maySet, slack, clock } = people(member);
    inChannel(slack, ['U7', 'U8'], ['U9', 'U1'], ['U1']);
    expect(await maySet('U1', 'C1')).toBe(null);
    expect(await maySet('U1', 'C1')).toBe(null);
    const asked = () => slack.calls.filter(({ method }) => method === 'conversations.members');
    expect(asked().map(({ args }) => args.cursor)).toEqual([undefined, 'p1']);
    await clock.sleep(10 * MINUTE);
    await maySet('U1', 'C1');
    expect(asked()).toHaveLength(3);
  });

  it('nobody else, until they have joined it', async () => {
    const { maySet, slack } = people(member);
    inChannel(slack, ['U9']);
    expect(await maySet('U1', 'C1')).toBe('not_member');
    inChannel(slack, ['U9', 'U1']);
    expect(await maySet('U1', 'C1')).toBe(null);
  });

  it('no guests and nobody from outside, members or not', async () => {
    expect(await people({ ...member, is_restricted: true }).maySet('U1', 'C1')).toBe('guest');
    expect(await people({ team_id: 'T0OTHER' }).maySet('U1', 'C1')).toBe('external');
  });

  it('admins, members or not', async () => {
    const { maySet, slack } = people({ ...member, is_admin: true });
    inChannel(slack, ['U9']);
    expect(await maySet('U1', 'C1')).toBe(null);
  });

  it('only admins, where SETTINGS_BY says so', async () => {
    expect(await people(member, { settingsBy: 'admins' }).maySet('U1', 'C1')).toBe('not_admin');
    expect(await people(member, { settingsBy: 'admins' }).maySet('U0BOSS', 'C1')).toBe(null);
  });
});

it('who is refused is counted by the reason', async () => {
  const all = [
    people({ ...member, is_restricted: true }),
    people({ team_id: 'T0OTHER' }),
    people(member, { settingsBy: 'admins' }),
  ];
  const texts = [];
  for (const { refusal, isAdmin, maySet, metrics } of all) {
    if ((await refusal('U1')) === null) {
      await isAdmin('U1', 'remembered');
      await isAdmin('U1');
      await maySet('U1', 'C1');
      await isAdmin('U0BOSS');
    }
    const lines = (await metrics.text()).split('\n');
    texts.push(lines.filter((line) => line.startsWith('gumshoe_refused_people_total')));
  }
  expect(texts).toEqual([
    ['gumshoe_refused_people_total{reason="guest"} 1'],
    ['gumshoe_refused_people_total{reason="external"} 1'],
    ['gumshoe_refused_people_total{reason="not_admin"} 2'],
  ]);
});

describe('a person’s time zone', () => {
  it('is as they have set it in Slack', async () => {
    expect(await people({ ...member, tz: 'Asia/Kathmandu' }).zone('U1')).toBe('Asia/Kathmandu');
  });

  it('is UTC where Slack does not say, or does not know them', async () => {
    expect(await people({ ...member, tz: '' }).zone('U1')).toBe('Etc/UTC');
    const { slack, zone } = people(member);
    slack.next('users.info', { error: 'user_not_found' });
    expect(await zone('U1')).toBe('Etc/UTC');
  });
});

describe('who somebody is to others', () => {
  it('is what they are called, the name beside their messages first', async () => {
    const profile = { display_name: 'maria', real_name: 'Maria  Lopez', first_name: 'Maria' };
    const { whoIs } = people({ ...member, name: 'mlopez', real_name: 'Maria Lopez', profile });
    expect(await whoIs('U1')).toEqual({
      isExternal: false,
      name: 'maria',
      names: ['maria', 'Maria Lopez', 'Maria', 'mlopez'],
    });
  });

  it.each<[string, Record<string, unknown>, string | null]>([
    ['the real name where they show none', { profile: { display_name: '', real_name: 'Li Wei' } }, 'Li Wei'],
    ['nothing where Slack does not say', {}, null],
  ])('is %s', async (_what, user, name) => {
    expect((await people({ ...member, ...user }).whoIs('U1')).name).toBe(name);
  });

  it('is somebody of another organization, even where those may use Gumshoe', async () => {
    const other = people({ ...member, team_id: 'T0OTHER', name: 'eve' }, { allowExternal: true });
    expect(await other.whoIs('U1')).toEqual({ isExternal: true, name: 'eve', names: ['eve'] });
    const { slack, whoIs } = people(member);
    slack.next('users.info', { error: 'user_not_visible' });
    expect(await whoIs('U1')).toEqual({ isExternal: true, name: null, names: [] });
    expect((await people({ ...member, is_restricted: true }).whoIs('U1')).isExternal).toBe(false);
  });
});

describe('while Slack does not say who somebody is', () => {
  it('nobody waits longer than a moment, and the answer is there for the next try', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { refusal, slack } = people(member, { patienceMs: 5 });
    slack.answers('users.info', () => promise);
    await expect(refusal('U1')).rejects.toThrow('Slack takes long to say who somebody is');
    const next = refusal('U1').catch(() => 'late');
    resolve({ user: member });
    await next;
    expect(await refusal('U1')).toBe(null);
    expect(slack.methods()).toEqual(['users.info']);
  });

  it('it is asked again when it said, and not before', async () => {
    const { refusal, slack, clock } = people(member);
    slack.next('users.info', { status: 429, retryAfter: 30 });
    for (const id of ['U1', 'U2']) await expect(refusal(id)).rejects.toThrow(/rate/iu);
    expect(slack.methods()).toEqual(['users.info']);
    await clock.sleep(30_000);
    expect(await refusal('U1')).toBe(null);
  });
});
