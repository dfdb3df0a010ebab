import { describe, expect, it } from 'vitest';
import {
  assistantAt,
  statusAmong,
  withAssistantEvent,
  withLoadedAssistants,
} from '../../page/model/assistant.ts';
import { seenBy } from '../../page/model/growing.ts';
import { rowsOf } from '../../page/model/rows.ts';
import { type Change, reduce, stateAt } from '../../page/model/state.ts';
import type { PageAssistantThread, PageEvent, PageMessage, PageState } from '../../src/page-api.ts';

const thread = (thread_ts: string, rest: Partial<PageAssistantThread> = {}): PageAssistantThread => ({
  user: 'U1',
  channel: 'D1',
  thread_ts,
  is_pane: true,
  title: null,
  status: null,
  prompts_title: null,
  prompts: [],
  ...rest,
});
const told = (of: PageAssistantThread): PageEvent => ({ type: 'assistant', thread: of });
const message = (ts: string, rest: Partial<PageMessage> = {}): PageMessage => ({
  type: 'message',
  channel: 'D1',
  ts,
  text: '',
  ...rest,
});

describe('what is known of the conversations with the app', () => {
  it('is what was told last, of each', () => {
    const titled = thread('1.1', { title: 'Disk' });
    const known = [thread('1.1'), thread('2.1')];
    expect(withAssistantEvent(known, told(titled))).toEqual([thread('2.1'), titled]);
    const elsewhere = thread('1.1', { channel: 'D2', user: 'U2' });
    expect(withAssistantEvent(known, told(elsewhere))).toEqual([...known, elsewhere]);
    expect(withAssistantEvent(known, { type: 'bot', online: true })).toBe(known);
  });

  it('is what was fetched for a person, and what arrived meanwhile; of others nothing is lost', () => {
    const others = thread('9.1', { user: 'U2', channel: 'D2' });
    const since = [told(thread('1.1', { status: 'thinks' })), told({ ...others, title: 'Not of U1' })];
    expect(withLoadedAssistants([thread('0.1'), others], 'U1', [thread('1.1')], since)).toEqual([
      others,
      thread('1.1', { status: 'thinks' }),
    ]);
  });

  it('is found by channel and thread', () => {
    const known = [thread('1.1', { channel: 'D2' }), thread('1.1', { title: 'This' })];
    expect(assistantAt(known, 'D1', '1.1')).toEqual(known[1]);
    expect([assistantAt(known, 'D1', null), assistantAt(known, 'D3', '1.1')]).toEqual([undefined, undefined]);
  });
});

describe('the status under a conversation', () => {
  const busy = [thread('1.1', { status: 'reads…' }), thread('2.1', { status: 'thinks…' }), thread('3.1')];

  it('is that of the thread told of last, among those that are shown', () => {
    const roots = [message('1.1'), message('2.1'), message('3.1')];
    expect(statusAmong(busy, 'D1', roots)).toBe('thinks…');
    expect(statusAmong(busy, 'D1', [message('1.1'), message('3.1')])).toBe('reads…');
    expect([statusAmong(busy, 'D1', [message('3.1')]), statusAmong(busy, 'D2', roots)]).toEqual([null, null]);
  });

  it('is none of the pane’s, whose roots are not listed', () => {
    const root = message('2.1', { subtype: 'assistant_app_thread' });
    expect(statusAmong(busy, 'D1', [root])).toBe(null);
    expect(rowsOf([root, message('2.2')], 'U1').map(({ key }) => key)).toEqual(['day-2.2', '2.2']);
  });
});

describe('a message that grows', () => {
  const growing = message('1.2', { text: 'all of it', streaming: true });

  it('is seen by everybody in a direct message, and by its recipient in a channel', () => {
    const inChannel = { ...growing, streaming_to: 'U1', began: 'all' };
    expect([seenBy(growing, 'U2'), seenBy(inChannel, 'U1')]).toEqual([growing, inChannel]);
  });

  it('stays what it began with to others in a channel', () => {
    const began = seenBy({ ...growing, streaming_to: 'U1', began: '*all*' }, 'U2');
    expect(began).toEqual(message('1.2', { text: '*all*', blocks: [{ type: 'markdown', text: '*all*' }] }));
    expect(seenBy({ ...growing, streaming_to: 'U1' }, 'U2')).toEqual(message('1.2', { blocks: [] }));
  });
});

describe('the app’s pane', () => {
  const person = (id: string, name: string) => ({ id, name, real_name: '', is_bot: false, color: '#000' });
  const channel = (id: string, name: string, is_im = false) => ({
    id,
    name,
    topic: '',
    is_im,
    is_private: is_im,
    bot_is_member: true,
  });
  const workspace: PageState = {
    team: { id: 'T1', name: 'Acme' },
    users: [person('U1', 'alice'), person('U2', 'bob')],
    channels: [channel('C1', 'alerts'), channel('D1', 'alice', true)],
    commands: [],
    shortcuts: [],
    bot: { user_id: 'UBOT', name: 'Gumshoe', online: true, has_home: false },
    assistant: true,
  };
  const chat = { channel: 'D1', thread: '1.1' };
  const shown: Change = { type: 'pane', user: 'U1', pane: { isOpen: true, isHistory: false, chat } };
  const upon = (...changes: Change[]) =>
    [{ type: 'workspace', workspace } as const, ...changes].reduce(reduce, stateAt(null));

  it('closes for a thread and keeps its conversation, which another person does not get', () => {
    expect(upon(shown).pane).toEqual({ isOpen: true, isHistory: false, chat });
    const threaded = upon(shown, { type: 'open_thread', thread: '5.1' });
    expect(threaded.pane).toEqual({ isOpen: false, isHistory: false, chat });
    const other = upon(shown, { type: 'act_as', user: 'U2' }, shown);
    expect(other.pane).toEqual({ isOpen: false, isHistory: false, chat: null });
  });

  it('adds nothing unread with its hidden root', () => {
    const event = (subtype?: string): Change => ({
      type: 'event',
      event: {
        type: 'message',
        channel: 'D1',
        message: message('1.1', { user: 'UBOT', ...(subtype !== undefined && { subtype }) }),
      },
    });
    expect([upon(event('assistant_app_thread')).unread, upon(event()).unread]).toEqual([{}, { D1: 1 }]);
  });

  it('holds what arrives while its conversations are fetched', () => {
    const state = upon(
      { type: 'loading', key: 'assistant/U1' },
      { type: 'event', event: told(thread('1.1', { title: 'Disk' })) },
      { type: 'loaded_assistants', user: 'U1', threads: [thread('1.1'), thread('2.1')] },
    );
    expect([state.assistants, state.fetching]).toEqual([
      [thread('2.1'), thread('1.1', { title: 'Disk' })],
      {},
    ]);
  });
});
