import { happened, type Probe, SECRET, wrote } from './probe.ts';

/** `text` says `#12` and `#14` for what is meant. */
const command = (name: string, text: string, more: Partial<Probe> = {}): Probe => ({
  what: `${name} ${text}`.trim(),
  payload: wrote(name, ({ number, mutedNumber }) => text.replace('#12', number).replace('#14', mutedNumber)),
  ...more,
});

/** By command; one for each thing that it does. */
export const commandProbes: Record<string, Probe[]> = {
  ask: [command('/ask', 'what is slow?', { open: true })],
  investigate: [
    command('/investigate', 'checkout is slow', { open: true }),
    command('/investigate', '', { open: true }),
  ],
  issue: [
    command('/issue', 'list'),
    command('/issue', 'show #12'),
    command('/issue', 'results #12'),
    command('/issue', 'resolve #12'),
    command('/issue', 'mute #12'),
    command('/issue', 'reopen #14'),
    command('/issue', 'ready #14'),
    command('/issue', 'delete #12', { admins: true }),
  ],
  gumshoe: [
    command('/gumshoe', '', { open: true }),
    command('/gumshoe', 'watch', { open: true }),
    command('/gumshoe', 'unwatch', { open: true }),
    command('/gumshoe', 'naming', { open: true }),
    command('/gumshoe', 'dry-run 5', { open: true }),
    command('/gumshoe', 'digest now', { open: true }),
    command('/gumshoe', 'digest', { open: true }),
    command('/gumshoe', 'hygiene', { open: true }),
    command('/gumshoe', 'record', { open: true }),
    command('/gumshoe', 'systems', { open: true }),
    command('/gumshoe', 'watch-systems', { open: true }),
    command('/gumshoe', 'plan payments 2h', { open: true }),
    command('/gumshoe', 'trial', { open: true }),
    command('/gumshoe', 'status', { open: true }),
    command('/gumshoe', 'audit #12'),
    command('/gumshoe', 'pause', { open: true, admins: true }),
    command('/gumshoe', 'resume', { open: true, admins: true }),
    command('/gumshoe', 'routes', { open: true }),
    command('/gumshoe', 'investigate checkout is slow', { open: true }),
    command('/gumshoe', 'issue resolve #12'),
    command('/gumshoe', 'ask what is slow?', { open: true }),
    command('/gumshoe', 'explain https://acme.slack.com/archives/C1/p0000000010000000', { open: true }),
  ],
};

const onMessage = (callback_id: string): Probe => ({
  what: callback_id,
  open: true,
  payload: ({ user, channel }) => ({
    type: 'message_action',
    callback_id,
    team: { id: 'T1', domain: 'acme' },
    user: { id: user, name: 'somebody' },
    channel: { id: channel, name: 'somewhere' },
    message_ts: '10.000000',
    message: { type: 'message', ts: '10.000000', bot_id: 'B0TOOL', text: `[FIRING:1] ${SECRET} is full` },
    trigger_id: '1.2.3',
  }),
});

export const shortcutProbes: Record<string, Probe[]> = {
  investigateThis: [onMessage('investigate_this')],
  whyFiled: [onMessage('why_filed')],
  newIssue: [
    {
      what: 'new_issue',
      open: true,
      payload: ({ user }) => ({
        type: 'shortcut',
        callback_id: 'new_issue',
        team: { id: 'T1' },
        user: { id: user },
        trigger_id: '1.2.3',
      }),
    },
  ],
};

const says = (text: string, more: Record<string, unknown> = {}): Probe['payload'] =>
  happened(({ user, channel }) => ({
    type: 'message',
    channel,
    channel_type: 'group',
    ts: '1773748800.000100',
    user,
    text,
    ...more,
  }));

const looksAt = (value: string) => ({ entities: [{ type: 'slack#/types/channel_id', value }] });

/** By event; `facts` are Slack's own word about channels, members and tokens, which no person says. */
export const eventProbes: Record<string, Probe[] | 'fact'> = {
  app_home_opened: [
    {
      what: 'app_home_opened',
      open: true,
      payload: happened(({ user }) => ({ type: 'app_home_opened', tab: 'home', user })),
    },
    {
      what: 'app_home_opened: the Messages tab',
      open: true,
      quiet: true,
      payload: happened(({ user, channel }) => ({
        type: 'app_home_opened',
        tab: 'messages',
        user,
        channel: `D${user}`,
        context: looksAt(channel),
      })),
    },
  ],
  agent_session_stopped: [
    {
      what: 'agent_session_stopped',
      open: true,
      payload: happened(({ user, channel }) => ({
        type: 'agent_session_stopped',
        user,
        channel,
        thread_ts: '1.000000',
        streaming_message_ts: [],
        event_ts: '1900000900.000100',
      })),
    },
  ],
  app_mention: [
    {
      what: 'app_mention',
      open: true,
      payload: happened(({ user, channel }) => ({
        type: 'app_mention',
        channel,
        user,
        ts: '1700000900.000100',
        text: '<@U0BOT> what is slow?',
      })),
    },
  ],
  message: [
    {
      what: 'message: a reply',
      open: true,
      payload: says('and since when?', { ts: '1700000900.000100', thread_ts: '1.000000' }),
    },
    {
      what: 'message: stop',
      open: true,
      payload: says('stop', { ts: '1900000900.000100', thread_ts: '1.000000' }),
    },
  ],
  reaction_added: [
    {
      what: 'reaction_added',
      open: true,
      payload: happened(({ user, channel }) => ({
        type: 'reaction_added',
        user,
        reaction: 'mag',
        item: { type: 'message', channel, ts: '66.000000' },
      })),
    },
  ],
  agent_session_title_changed: 'fact',
  // It comes to something only for who has opened the Messages tab, and may do so.
  app_context_changed: 'fact',
  app_uninstalled: 'fact',
  channel_archive: 'fact',
  channel_deleted: 'fact',
  channel_left: 'fact',
  channel_unarchive: 'fact',
  group_archive: 'fact',
  group_deleted: 'fact',
  group_left: 'fact',
  group_unarchive: 'fact',
  member_joined_channel: 'fact',
  tokens_revoked: 'fact',
};
