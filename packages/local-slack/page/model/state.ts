import type {
  PageEvent,
  PageHome,
  PageMessage,
  PageMessagesTab,
  PageSession,
  PageState,
  PageView,
} from '../../src/page-api.ts';
import type { PagePanel } from '../../src/page-panel.ts';
import {
  firstChannel,
  freshHome,
  freshTab,
  homeKey,
  type Lists,
  listKey,
  newestAlertThread,
  type Sessions,
  sessionsKey,
  viewsKey,
  withEvent,
  withLoaded,
  withLoadedSessions,
  withLoadedViews,
  withSessionEvent,
  withViewEvent,
} from './lists.ts';
import { freshPanel, PANEL_KEY } from './panel.ts';
import { channelsFor, isWithApp, type Place } from './place.ts';

/** The app's own place has two tabs. */
export type AppTab = 'home' | 'messages';

/** Everything that the page shows. */
export interface State {
  /** `null` until the first answer arrives. */
  workspace: PageState | null;
  /** Whether live updates arrive. */
  link: 'connecting' | 'live' | 'offline';
  /** The user whom the person at the page acts as. */
  as: string;
  channel: string;
  /** `ts` of the thread beside the channel, or `null` if none is open. */
  thread: string | null;
  /** The person has opened, closed or started to write in a thread: it is no longer replaced automatically. */
  chosen: boolean;
  lists: Lists;
  /** For each list or person's modals being fetched, by `listKey` or `viewsKey`: the events since the fetch began. */
  fetching: Readonly<Record<string, readonly PageEvent[]>>;
  /** The open modals, also of other people; the top one last. */
  views: readonly PageView[];
  /** Each person's Home, if known; `null` if the app has not published one yet. */
  homes: Readonly<Record<string, PageHome | null>>;
  /** Which of the app's tabs is open. */
  tab: AppTab;
  /** The agent's known sessions, also in other people's conversations. */
  sessions: Sessions;
  /** Each person's Messages tab, if known. */
  messagesTabs: Readonly<Record<string, PageMessagesTab>>;
  /** What can be played around the app; `null` until the first answer arrives. */
  panel: PagePanel | null;
  /** Whether the control panel is open, instead of the thread. */
  isPanelOpen: boolean;
  /** The dismissed ephemeral messages, by `listKey`. */
  dismissed: readonly string[];
  /** New messages by channel since it was last open. */
  unread: Readonly<Record<string, number>>;
  /** `workspace` must be fetched again: there was a gap, or an event names something it does not contain. */
  stale: boolean;
  /** What went wrong last, as a sentence. */
  banner: string | null;
}

export type Change =
  | { type: 'workspace'; workspace: PageState }
  /** A fetch has started or ended: a list by `listKey`, or modals by `viewsKey`. */
  | { type: 'loading' | 'left'; key: string }
  | { type: 'loaded'; channel: string; thread: string | null; messages: PageMessage[] }
  | { type: 'loaded_views'; user: string; views: PageView[] }
  | { type: 'event'; event: PageEvent }
  | { type: 'dismiss_message'; message: PageMessage }
  | { type: 'link'; link: State['link'] }
  | { type: 'act_as'; user: string }
  | { type: 'open_channel'; channel: string }
  /** The app's Home is shown instead of the channel, or closed. */
  | { type: 'open_tab'; tab: AppTab }
  | { type: 'loaded_home'; user: string; home: PageHome | null }
  | { type: 'loaded_agent'; user: string; sessions: PageSession[]; tab: PageMessagesTab }
  | { type: 'loaded_panel'; panel: PagePanel }
  | { type: 'panel'; isOpen: boolean }
  | { type: 'open_thread'; thread: string }
  | { type: 'close_thread' }
  | { type: 'failed'; error: string }
  | { type: 'dismiss' };

const emptyState: State = {
  workspace: null,
  link: 'connecting',
  as: '',
  channel: '',
  thread: null,
  chosen: false,
  lists: {},
  fetching: {},
  views: [],
  homes: {},
  tab: 'messages',
  sessions: {},
  messagesTabs: {},
  panel: null,
  isPanelOpen: false,
  dismissed: [],
  unread: {},
  stale: true,
  banner: null,
};

/** Before anything has been fetched; at `place` if the page was opened with a permalink. */
export function stateAt(place: Place | null): State {
  return place ? { ...emptyState, ...place, chosen: true } : emptyState;
}

/** The only place where the page's state changes. */
export function reduce(state: State, change: Change): State {
  switch (change.type) {
    case 'workspace':
      return withWorkspace(state, change.workspace);
    case 'loading':
      return { ...state, fetching: { ...state.fetching, [change.key]: [] } };
    case 'left':
      return { ...state, fetching: without(state.fetching, change.key) };
    case 'loaded':
      return withList(state, listKey(change.channel, change.thread), change.messages);
    case 'loaded_views':
      return withViews(state, change.user, change.views);
    case 'event':
      return withLiveEvent(state, change.event);
    case 'dismiss_message':
      return withoutMessage(state, change.message);
    case 'link':
      return { ...state, link: change.link, stale: state.stale || change.link === 'live' };
    case 'act_as':
      return actingAs({ ...state, as: change.user, banner: null });
    case 'open_channel':
      return withChannel({ ...state, tab: 'messages' }, change.channel);
    case 'open_tab':
      return { ...state, tab: change.tab, thread: null, chosen: true };
    case 'loaded_home':
      return withHome(state, change.user, change.home);
    case 'loaded_agent':
      return withAgent(state, change.user, change.sessions, change.tab);
    case 'loaded_panel':
      return withPanel(state, change.panel);
    case 'panel':
      return { ...state, isPanelOpen: change.isOpen };
    case 'open_thread':
      return withThread(state, change.thread);
    case 'close_thread':
      return { ...state, thread: null, chosen: true };
    case 'failed':
      return { ...state, banner: change.error };
    case 'dismiss':
      return { ...state, banner: null };
  }
}

function withWorkspace(state: State, workspace: PageState): State {
  const people = workspace.users.filter((user) => !user.is_bot);
  const as = people.some((user) => user.id === state.as) ? state.as : (people[0]?.id ?? '');
  const isKnown = channelsFor(workspace, as).some((channel) => channel.id === state.channel);
  const next = { ...state, workspace, as, stale: false };
  return isKnown ? next : { ...next, channel: firstChannel(workspace) ?? '', thread: null, chosen: false };
}

/** Another person may not see the conversation that is open. */
function actingAs(state: State): State {
  const { workspace, as, channel } = state;
  if (!workspace || channelsFor(workspace, as).some(({ id }) => id === channel)) return state;
  return withChannel(state, firstChannel(workspace) ?? '');
}

function withViews(state: State, user: string, loaded: PageView[]): State {
  const key = viewsKey(user);
  const views = withLoadedViews(state.views, user, loaded, state.fetching[key] ?? []);
  return { ...state, views, fetching: without(state.fetching, key) };
}

function withHome(state: State, user: string, loaded: PageHome | null): State {
  const key = homeKey(user);
  const home = freshHome(user, loaded, state.fetching[key] ?? []);
  return { ...state, homes: { ...state.homes, [user]: home }, fetching: without(state.fetching, key) };
}

function withAgent(state: State, user: string, loaded: PageSession[], tab: PageMessagesTab): State {
  const key = sessionsKey(user);
  const since = state.fetching[key] ?? [];
  const sessions = withLoadedSessions(state.sessions, loaded, since);
  const messagesTabs = { ...state.messagesTabs, [user]: freshTab(tab, since) };
  return { ...state, sessions, messagesTabs, fetching: without(state.fetching, key) };
}

function withThread(state: State, thread: string): State {
  return { ...state, thread, chosen: true, isPanelOpen: false };
}

function withPanel(state: State, loaded: PagePanel): State {
  const panel = freshPanel(loaded, state.fetching[PANEL_KEY] ?? []);
  return { ...state, panel, fetching: without(state.fetching, PANEL_KEY) };
}

/** Only on the page: the workspace does not know of it, so the next fetch would bring it back. */
function withoutMessage(state: State, message: PageMessage): State {
  const { channel, ts, thread_ts } = message;
  const gone = { type: 'message_deleted' as const, channel, ts, ...(thread_ts && { thread_ts }) };
  const dismissed = [...state.dismissed, listKey(channel, ts)];
  return { ...state, dismissed, lists: withEvent(state.lists, gone) };
}

function withList(state: State, key: string, messages: PageMessage[]): State {
  const shown = messages.filter(({ channel, ts }) => !state.dismissed.includes(listKey(channel, ts)));
  const lists = withLoaded(state.lists, key, shown, state.fetching[key] ?? []);
  return following({ ...state, lists, fetching: without(state.fetching, key) });
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _gone, ...others } = record;
  return others;
}

function withChannel(state: State, channel: string): State {
  if (channel === state.channel) return state;
  const unread = without(state.unread, channel);
  return following({ ...state, channel, thread: null, chosen: false, unread, banner: null });
}

function withLiveEvent(state: State, event: PageEvent): State {
  if (event.type === 'bot') {
    if (!state.workspace) return state;
    const bot = { ...state.workspace.bot, online: event.online };
    return { ...state, workspace: { ...state.workspace, bot } };
  }
  const since = Object.entries(state.fetching).map(([key, events]) => [key, [...events, event]] as const);
  const fetching = Object.fromEntries(since);
  if (event.type === 'view' || event.type === 'view_closed') {
    return { ...state, fetching, views: withViewEvent(state.views, event) };
  }
  if (event.type === 'home') {
    return { ...state, fetching, homes: { ...state.homes, [event.home.user]: event.home } };
  }
  if (event.type === 'stage') return { ...state, fetching, panel: event.stage };
  if (event.type === 'session') {
    return { ...state, fetching, sessions: withSessionEvent(state.sessions, event) };
  }
  if (event.type === 'messages_tab') {
    return { ...state, fetching, messagesTabs: { ...state.messagesTabs, [event.tab.user]: event.tab } };
  }
  const next = { ...state, fetching, lists: withEvent(state.lists, event) };
  if (!state.workspace?.channels.some((channel) => channel.id === event.channel)) next.stale = true;
  if (event.type === 'message' && isUnread(state, event.message)) {
    next.unread = { ...state.unread, [event.channel]: (state.unread[event.channel] ?? 0) + 1 };
  }
  if (event.type === 'message' && isOwnRoot(state, event.message)) return withThread(next, event.message.ts);
  if (event.type === 'message_deleted' && event.ts === state.thread) next.thread = null;
  return following(next);
}

/** People write to an agent in threads, so what they ask in its Messages tab opens as a thread. */
function isOwnRoot({ workspace, as, channel }: State, message: PageMessage): boolean {
  const open = workspace?.channels.find(({ id }) => id === channel);
  return (
    workspace?.agent !== undefined &&
    open !== undefined &&
    isWithApp(open) &&
    message.channel === channel &&
    message.user === as &&
    message.thread_ts === undefined
  );
}

function isUnread(state: State, message: PageMessage): boolean {
  const isForUs = message.ephemeral_to === undefined || message.ephemeral_to === state.as;
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts;
  const isTopLevel = !isReply || message.subtype === 'thread_broadcast';
  return isTopLevel && message.channel !== state.channel && message.user !== state.as && isForUs;
}

/** In the first channel, the newest alert's thread is open until the person chooses another. */
function following(state: State): State {
  const { workspace } = state;
  if (!workspace || state.chosen || state.channel !== firstChannel(workspace)) return state;
  const newest = newestAlertThread(state.lists[state.channel] ?? [], workspace.bot.user_id);
  return newest === null || newest === state.thread ? state : { ...state, thread: newest };
}
