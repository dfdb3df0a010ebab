import { type Dispatch, useEffect, useEffectEvent, useReducer } from 'react';
import { call, listen, read } from '../api.ts';
import { homeKey, listKey, sessionsKey, viewsKey } from '../model/lists.ts';
import { PANEL_KEY } from '../model/panel.ts';
import { placeOf } from '../model/place.ts';
import { type Change, reduce, type State, stateAt } from '../model/state.ts';

/** The state of the page, kept current from the server: fetched on opening, on every (re)connection, and live. */
export function useWorkspace(): [State, Dispatch<Change>] {
  const [state, dispatch] = useReducer(reduce, placeOf(location.href), stateAt);
  const { link, channel, thread, stale, workspace, as, tab } = state;

  useEffect(
    () =>
      listen(
        (event) => dispatch({ type: 'event', event }),
        (now) => dispatch({ type: 'link', link: now }),
      ),
    [],
  );

  // Fetched only once live, and again after each gap, so nothing in between is missed.
  useEffect(() => {
    if (link !== 'live' || !stale) return;
    read('state').then(
      (found) => dispatch({ type: 'workspace', workspace: found }),
      (error: unknown) => dispatch({ type: 'failed', error: sentence(error) }),
    );
  }, [link, stale]);

  const isReady = link === 'live' && workspace !== null;
  const hasPerson = isReady && as !== '';
  useList(isReady && channel !== '', channel, null, dispatch);
  useList(isReady && thread !== null, channel, thread, dispatch);
  // The modals that were open before the page was, and those that live events may have missed.
  useLoaded(hasPerson, viewsKey(as), dispatch, async () => {
    const { views } = await read('views', { as });
    return { type: 'loaded_views', user: as, views };
  });
  // The app is told that the person opened its Home; an earlier published one is shown at once.
  useLoaded(hasPerson && tab === 'home', homeKey(as), dispatch, async () => {
    void call('home', { as, tab: 'home' }).then(
      (outcome) => outcome.ok || dispatch({ type: 'failed', error: outcome.error }),
    );
    const { home } = await read('home', { as });
    return { type: 'loaded_home', user: as, home };
  });
  // Failures are shown in the sidebar, so also while the panel is closed.
  useLoaded(link === 'live', PANEL_KEY, dispatch, async () => ({
    type: 'loaded_panel',
    panel: await read('stage'),
  }));
  // The agent's sessions, and the person's Messages tab.
  useLoaded(hasPerson && workspace?.agent !== undefined, sessionsKey(as), dispatch, async () => {
    const [{ sessions }, { tab: messagesTab }] = await Promise.all([
      read('sessions', { as }),
      read('messages-tab', { as }),
    ]);
    return { type: 'loaded_agent', user: as, sessions, tab: messagesTab };
  });
  useViewing(state);
  return [state, dispatch];
}

/** Tells an agent what the person is viewing; the conversation with the app itself is not a place to ask about. */
function useViewing({ workspace, link, as, channel, thread, tab }: State): void {
  const isAgent = workspace?.agent !== undefined && link === 'live' && as !== '';
  const open = workspace?.channels.find(({ id }) => id === channel);
  const place = open === undefined || open.is_im || tab === 'home' ? null : channel;
  useEffect(() => {
    if (!isAgent || place === null) return;
    void call('viewing', { as, channel: place, ...(thread !== null && { message_ts: thread }) });
  }, [isAgent, as, place, thread]);
}

function useList(isDue: boolean, channel: string, thread: string | null, dispatch: Dispatch<Change>): void {
  useLoaded(isDue, listKey(channel, thread), dispatch, async () => {
    const query = thread === null ? { channel } : { channel, thread_ts: thread };
    return { type: 'loaded', channel, thread, messages: (await read('messages', query)).messages };
  });
}

/** Fetches something while it is due, and again for each `key`; what arrives after that is not used. */
function useLoaded(
  isDue: boolean,
  key: string,
  dispatch: Dispatch<Change>,
  load: () => Promise<Change | null>,
): void {
  const fetchIt = useEffectEvent(load);
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    dispatch({ type: 'loading', key });
    fetchIt().then(
      (change) => isCurrent && change && dispatch(change),
      (error: unknown) => isCurrent && dispatch({ type: 'failed', error: sentence(error) }),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isDue, key, dispatch]);
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
