import { describe, expect, it } from 'vitest';
import { ChannelSettings } from '../../../../../src/bot/store/channel-settings.ts';
import { listening, responseAddress } from '../../support/listening.ts';

type Listening = Awaited<ReturnType<typeof listening>>;

async function world(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  const { url, sent } = await responseAddress();
  l.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_private: false } });
  l.slack.answers('views.open', {});
  l.slack.answers('views.update', {});
  return {
    ...l,
    told: () => sent.map(({ text }) => text),
    gumshoe: (text: string, more: Record<string, string> = {}) =>
      l.give({
        command: '/gumshoe',
        text,
        team_id: 'T1',
        channel_id: 'C1',
        user_id: 'U1',
        trigger_id: '1.2.3',
        response_url: url,
        ...more,
      }),
    modals: () => callsOf(l, 'views.open').map(({ view }) => JSON.parse(view ?? '')),
    url,
  };
}

function callsOf(l: Pick<Listening, 'slack'>, method: string) {
  return l.slack.calls.filter((call) => call.method === method).map(({ args }) => args);
}

describe('/gumshoe', () => {
  it('alone shows the settings, and learns whether the channel is private', async () => {
    const w = await world();
    await w.store.channels.watch('C1', ChannelSettings.parse({ mode: 'suggest' }), '1.0');
    await w.gumshoe('');
    expect(w.acks).toEqual([null]);
    expect(w.told()).toEqual([
      'I am watching <#C1> in suggest mode: each new alert gets a _File it_ button.',
    ]);
    expect((await w.store.channels.get('C1')).isPrivate).toBe(false);
  });

  it('works with a prefix, and says so in what it suggests', async () => {
    const w = await world();
    await w.gumshoe('wacth', { command: '/dev-gumshoe' });
    expect(w.told()).toEqual([
      'I do not know “wacth”. Did you mean `/dev-gumshoe watch`? `/dev-gumshoe help` lists all commands.',
    ]);
  });

  it('says what it knows where nothing is near', async () => {
    const w = await world();
    await w.gumshoe('<!channel> please');
    expect(w.told()).toEqual([
      'I do not know “&lt;!channel&gt;”. `/gumshoe help` lists all commands, for example `/gumshoe watch`.',
    ]);
  });

  it('help lists every subcommand', async () => {
    const w = await world();
    await w.gumshoe('help');
    const [help = ''] = w.told();
    expect(help.split('\n').map((line) => /^`\/gumshoe ?([a-z-]*)/.exec(line)?.[1])).toEqual([
      '',
      'watch',
      'unwatch',
      'naming',
      'dry-run',
      'digest',
      'hygiene',
      'record',
      'systems',
      'watch-systems',
      'trial',
      'status',
      'audit',
      'pause',
      'resume',
      'routes',
      'investigate',
      'issue',
      'ask',
      'explain',
      'plan',
    ]);
  });
});

describe.each(['', 'watch', 'unwatch'])('/gumshoe %s, where something is in the way,', (text) => {
  it('says how to invite the bot', async () => {
    const w = await world();
    w.slack.answers('conversations.info', { channel: { id: 'C1', is_member: false } });
    await w.gumshoe(text);
    expect(w.told()).toEqual([
      'I am not in <#C1>, so I cannot read it. Run `/invite @Gumshoe` there, then try again.',
    ]);
  });

  it('says which scope is missing, and where it is added', async () => {
    const w = await world();
    w.slack.next('conversations.info', { error: 'missing_scope', needed: 'groups:read' });
    await w.gumshoe(text);
    expect(w.told()).toEqual([
      'I lack `groups:read` in this workspace. To fix it, an app manager opens <https://api.slack.com/apps>, picks the app, ' +
        'goes to _OAuth &amp; Permissions_ → _Bot Token Scopes_, adds what is missing, and clicks _Reinstall to Workspace_.',
    ]);
  });

  it('says that the channel is archived', async () => {
    const w = await world();
    w.slack.answers('conversations.info', { channel: { id: 'C1', is_member: true, is_archived: true } });
    await w.gumshoe(text);
    expect(w.told()).toEqual([expect.stringMatching(/^<#C1> is archived/)]);
  });

  it('says that a channel is needed', async () => {
    const w = await world();
    await w.gumshoe(text, { channel_id: 'D1' });
    expect(w.told()).toEqual([expect.stringMatching(/^That only works in channels/)]);
  });
});

it('a scope that is missing anywhere is named: users:read, say', async () => {
  const { slack } = await listening();
  slack.next('users.info', { error: 'missing_scope', needed: 'users:read' });
  const failing = () => slack.client.users.info({ user: 'U1' }).then(() => null);
  const w = await world({ people: { refusal: failing } });
  await w.gumshoe('help');
  expect(w.told()).toEqual([expect.stringMatching(/^I lack `users:read`/)]);
});

describe('/gumshoe watch', () => {
  it('is for members of the channel', async () => {
    const w = await world({ people: { maySet: async () => 'not_member' } });
    await w.gumshoe('watch');
    expect(w.told()).toEqual(['Only members of <#C1> can change its settings. Join it first.']);
  });

  it('is for admins where SETTINGS_BY says so', async () => {
    const w = await world({ people: { maySet: async () => 'not_admin' } });
    await w.gumshoe('watch');
    expect(w.told()).toEqual(['Only admins can change settings here. Ask one of them.']);
  });

  it('that comes too late for a modal says so', async () => {
    const w = await world();
    w.slack.next('views.open', { error: 'expired_trigger_id' });
    await w.gumshoe('watch');
    expect(w.told()).toEqual([expect.stringMatching(/timed out/)]);
  });

  it('is tried again where Slack fails', async () => {
    const w = await world();
    w.slack.next('views.open', { status: 500 });
    await expect(w.gumshoe('watch')).rejects.toThrow();
  });
});

describe('/gumshoe unwatch', () => {
  it('says so where the channel is not watched', async () => {
    const w = await world();
    await w.gumshoe('unwatch');
    expect([w.told(), w.modals()]).toEqual([['I am not watching <#C1>. `/gumshoe watch` turns it on.'], []]);
  });
});

describe('/gumshoe pause and resume', () => {
  it('say what they did, and to how many channels it was said', async () => {
    const w = await world();
    await w.store.channels.watch('C1', ChannelSettings.parse({}), '1.0');
    const admin = { user_id: 'U0ADMIN' };
    await w.gumshoe('pause', admin);
    expect(w.woken).toEqual(['outbox']);
    expect(await w.store.flags.paused()).toEqual({ by: 'U0ADMIN', at: w.clock.now() });
    await w.gumshoe('pause', { ...admin, trigger_id: '4.5.6' });
    await w.gumshoe('resume', admin);
    await w.gumshoe('resume', { ...admin, trigger_id: '7.8.9' });
    expect(w.told()).toEqual([
      '⏸️ Filing is paused. Alerts are put on hold until you run `/gumshoe resume`. I have announced it in the 2 watched channels.',
      expect.stringMatching(/^⏸️ Filing is paused in all channels \(by <@U0ADMIN>, since <!date/),
      '▶️ Filing has resumed. No alerts arrived in the meantime.',
      'Filing is not paused.',
    ]);
  });
});
