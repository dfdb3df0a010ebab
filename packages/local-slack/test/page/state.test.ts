import { describe, expect, it } from 'vitest';
import { type Change, reduce, type State, stateAt } from '../../page/model/state.ts';
import type { PageMessage, PageState } from '../../src/page-api.ts';

const channel = (id: string, name: string, is_im = false): PageState['channels'][number] => ({
  id,
  name,
  topic: '',
  is_im,
  is_private: is_im,
  bot_is_member: true,
});
const user = (id: string, name: string, is_bot = false) => ({
  id,
  name,
  real_name: '',
  is_bot,
  color: '#000',
});
const workspace: PageState = {
  team: { id: 'T1', name: 'Acme' },
  users: [user('UBOT', 'gizmo', true), user('U1', 'alice'), user('U2', 'bob')],
  channels: [channel('C2', 'general'), channel('C1', 'alerts'), channel('D1', 'alice', true)],
  commands: [],
  shortcuts: [],
  bot: { user_id: 'UBOT', name: 'Gizmo', online: true, has_home: false },
};
const alert = (ts: string, rest: Partial<PageMessage> = {}): PageMessage => ({
  type: 'message',
  channel: 'C1',
  ts,
  bot_id: 'B9',
  text: 'firing',
  ...rest,
});
const threaded = (ts: string, rest: Partial<PageMessage> = {}) =>
  alert(ts, { reply_count: 1, latest_reply: ts, ...rest });
const message = (of: PageMessage): Change => ({
  type: 'event',
  event: { type: 'message', channel: of.channel, message: of },
});
const upon = (changes: Change[], from: State = stateAt(null)): State => changes.reduce(reduce, from);

const opened: Change[] = [
  { type: 'link', link: 'live' },
  { type: 'workspace', workspace },
];
const loaded = (...messages: PageMessage[]): Change => ({
  type: 'loaded',
  channel: 'C1',
  thread: null,
  messages,
});
const places = ({ channel: at, thread, chosen }: State) => ({ at, thread, chosen });

describe('the state of the page', () => {
  it('begins on #alerts, as the first person, with the newest thread of an alert', () => {
    const state = upon([
      ...opened,
      loaded(threaded('1.1'), threaded('2.1'), alert('3.1'), threaded('4.1', { user: 'UBOT' }), {
        ...threaded('5.1', { user: 'U1' }),
        bot_id: 'B1',
      }),
    ]);
    expect({ ...places(state), as: state.as }).toEqual({ at: 'C1', thread: '5.1', chosen: false, as: 'U1' });
  });

  it('prefers the thread of another app to those of people and of the app itself', () => {
    const person: PageMessage = {
      type: 'message',
      channel: 'C1',
      ts: '6.1',
      user: 'U1',
      text: 'hm',
      reply_count: 2,
    };
    const own = threaded('7.1', { user: 'UBOT' });
    expect(upon([...opened, loaded(threaded('2.1'), person, own)]).thread).toBe('2.1');
    expect(upon([...opened, loaded(person)]).thread).toBe('6.1');
    expect(upon([...opened, loaded(alert('1.1'))]).thread).toBe(null);
  });

  it('follows to a newer alert once it has a thread, until the person chooses', () => {
    const before = upon([...opened, loaded(threaded('1.1')), message(alert('2.1'))]);
    expect(before.thread).toBe('1.1');
    const replied = message({ ...alert('2.2', { thread_ts: '2.1', user: 'UBOT' }) });
    expect(upon([replied], before).thread).toBe('2.1');
    expect(places(upon([{ type: 'open_thread', thread: '1.1' }, replied], before))).toEqual({
      at: 'C1',
      thread: '1.1',
      chosen: true,
    });
    expect(upon([{ type: 'close_thread' }, replied], before).thread).toBe(null);
  });

  it('stays where a permalink led', () => {
    const state = upon([...opened, loaded(threaded('9.1'))], stateAt({ channel: 'C1', thread: '1.1' }));
    expect(places(state)).toEqual({ at: 'C1', thread: '1.1', chosen: true });
    const unknown = upon([...opened, loaded(threaded('9.1'))], stateAt({ channel: 'C404', thread: '1.1' }));
    expect(places(unknown)).toEqual({ at: 'C1', thread: '9.1', chosen: false });
  });

  it('loses nothing that arrives while a list is fetched', () => {
    const thread: Change[] = [
      { type: 'loading', key: 'C1/1.1' },
      message(alert('1.2', { thread_ts: '1.1' })),
      { type: 'loaded', channel: 'C1', thread: '1.1', messages: [alert('1.1')] },
    ];
    const state = upon([...opened, ...thread]);
    expect(state.lists['C1/1.1']?.map(({ ts }) => ts)).toEqual(['1.1', '1.2']);
    expect(state.fetching).toEqual({});
  });

  it('counts what is new elsewhere, for whom it is meant, until it is read', () => {
    const at = (ts: string, rest: Partial<PageMessage>) => message(alert(ts, { channel: 'C2', ...rest }));
    const state = upon([
      ...opened,
      at('1.1', {}),
      at('1.2', { user: 'U1' }),
      at('1.3', { ephemeral_to: 'U2' }),
      at('1.4', { ephemeral_to: 'U1' }),
      at('1.5', { thread_ts: '1.1' }),
      at('1.6', { thread_ts: '1.1', subtype: 'thread_broadcast' }),
      message(alert('1.7')),
    ]);
    expect(state.unread).toEqual({ C2: 3 });
    expect(upon([{ type: 'open_channel', channel: 'C2' }], state).unread).toEqual({});
  });

  it('asks for the workspace again after a gap, and when an unknown channel is spoken of', () => {
    const ready = upon(opened);
    const gap: Change[] = [
      { type: 'link', link: 'offline' },
      { type: 'link', link: 'live' },
    ];
    const stale = (state: State) => state.stale;
    expect(
      [ready, upon(gap, ready), upon([message(alert('1.1', { channel: 'C7' }))], ready)].map(stale),
    ).toEqual([false, true, true]);
  });

  it('leaves a direct message and a private channel that the next person cannot see', () => {
    const inDirect = upon([...opened, { type: 'open_channel', channel: 'D1' }]);
    expect(upon([{ type: 'act_as', user: 'U2' }], inDirect).channel).toBe('C1');
    expect(upon([{ type: 'act_as', user: 'U1' }], inDirect).channel).toBe('D1');
    const secret = { ...channel('C9', 'secrets'), is_private: true, members: ['U1'] };
    const withSecret = { ...workspace, channels: [...workspace.channels, secret] };
    const inSecret = upon(
      [
        { type: 'workspace', workspace: withSecret },
        { type: 'open_channel', channel: 'C9' },
      ],
      upon(opened),
    );
    expect(inSecret.channel).toBe('C9');
    expect(upon([{ type: 'act_as', user: 'U2' }], inSecret).channel).toBe('C1');
  });

  it('knows whether the app is there, what went wrong, and that a thread is gone', () => {
    const state = upon([
      ...opened,
      loaded(threaded('1.1')),
      { type: 'failed', error: 'No.' },
      { type: 'event', event: { type: 'bot', online: false } },
      { type: 'event', event: { type: 'message_deleted', channel: 'C1', ts: '1.1' } },
    ]);
    expect([state.banner, state.workspace?.bot.online, state.thread]).toEqual(['No.', false, null]);
    expect(upon([{ type: 'dismiss' }], state).banner).toBe(null);
  });

  it('keeps an ephemeral message out of sight once it was waved away, also when it is fetched again', () => {
    const ephemeral = alert('2.1', { ephemeral_to: 'U1', thread_ts: '1.1' });
    const thread: Change[] = [
      { type: 'loading', key: 'C1/1.1' },
      { type: 'loaded', channel: 'C1', thread: '1.1', messages: [alert('1.1'), ephemeral] },
    ];
    const state = upon([...opened, ...thread, { type: 'dismiss_message', message: ephemeral }, ...thread]);
    expect(state.lists['C1/1.1']?.map(({ ts }) => ts)).toEqual(['1.1']);
  });

  it('knows the modals that are open, those too that were opened while they were fetched', () => {
    const view = (id: string, user: string) => ({ id, user, hash: '1', title: {}, blocks: [] });
    const state = upon([
      ...opened,
      { type: 'loading', key: 'views/U1' },
      { type: 'event', event: { type: 'view', view: view('V2', 'U1') } },
      { type: 'event', event: { type: 'view', view: view('V3', 'U2') } },
      { type: 'loaded_views', user: 'U1', views: [view('V1', 'U1')] },
      { type: 'event', event: { type: 'view_closed', user: 'U1', id: 'V1' } },
    ]);
    expect([state.views, state.fetching]).toEqual([[view('V3', 'U2'), view('V2', 'U1')], {}]);
  });
});
