import { type Dispatch, useEffect, useMemo, useReducer, useRef } from 'react';
import { api, panelApi } from '../api.ts';
import { assistantKey } from '../model/assistant.ts';
import { homeKey, listKey, viewsKey } from '../model/lists.ts';
import { PANEL_KEY } from '../model/panel.ts';
import { placeOf } from '../model/place.ts';
import { type Change, reduce, type State, stateAt } from '../model/state.ts';

/** The state of the page, kept current from the server: fetched on opening, on every (re)connection, and live. */
export function useWorkspace(): [State, Dispatch<Change>] {
  const [state, dispatch] = useReducer(reduce, placeOf(location.href), stateAt);
  const { link, channel, thread, stale, workspace, as, tab, pane } = state;

  useEffect(
    () =>
      api.listen(
        (event) => dispatch({ type: 'event', event }),
        (now) => dispatch({ type: 'link', link: now }),
      ),
    [],
  );

  // Fetched only once live, and again after each gap, so nothing in between is missed.
  useEffect(() => {
    if (link !== 'live' || !stale) return;
    api.state().then(
      (found) => dispatch({ type: 'workspace', workspace: found }),
      (error: unknown) => dispatch({ type: 'failed', error: sentence(error) }),
    );
  }, [link, stale]);

  const isReady = link === 'live' && workspace !== null;
  useList(isReady && channel !== '', channel, null, dispatch);
  useList(isReady && thread !== null, channel, thread, dispatch);
  const chat = pane.isOpen ? pane.chat : null;
  useList(isReady && chat !== null, chat?.channel ?? '', chat?.thread ?? null, dispatch);
  useAssistants(isReady && workspace.assistant && as !== '', as, dispatch);
  useViews(isReady && as !== '', as, dispatch);
  useHome(isReady && as !== '' && tab === 'home', as, dispatch);
  usePanelState(link === 'live', dispatch);
  return [state, dispatch];
}

/** The person's modals: those that were open before the page was, and those that live events may have missed. */
function useViews(isDue: boolean, as: string, dispatch: Dispatch<Change>): void {
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    const key = viewsKey(as);
    dispatch({ type: 'loading', key });
    api.views(as).then(
      (views) => isCurrent && dispatch({ type: 'loaded_views', user: as, views }),
      (error: unknown) => isCurrent && dispatch({ type: 'failed', error: sentence(error) }),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isDue, as, dispatch]);
}

/** The person's conversations with the app. */
function useAssistants(isDue: boolean, as: string, dispatch: Dispatch<Change>): void {
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    const key = assistantKey(as);
    dispatch({ type: 'loading', key });
    api.assistants(as).then(
      (threads) => isCurrent && dispatch({ type: 'loaded_assistants', user: as, threads }),
      (error: unknown) => isCurrent && dispatch({ type: 'failed', error: sentence(error) }),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isDue, as, dispatch]);
}

/** The app is told that the person opened its Home; an earlier published one is shown at once. */
function useHome(isDue: boolean, as: string, dispatch: Dispatch<Change>): void {
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    const key = homeKey(as);
    const fail = (error: string) => isCurrent && dispatch({ type: 'failed', error });
    dispatch({ type: 'loading', key });
    api.openHome({ as, tab: 'home' }).then(
      (outcome) => outcome.ok || fail(outcome.error),
      (error: unknown) => fail(sentence(error)),
    );
    api.home(as).then(
      (home) => isCurrent && dispatch({ type: 'loaded_home', user: as, home }),
      (error: unknown) => fail(sentence(error)),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isDue, as, dispatch]);
}

/** What happens around the app. Failures are shown in the sidebar, so also while the panel is closed. */
function usePanelState(isDue: boolean, dispatch: Dispatch<Change>): void {
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    dispatch({ type: 'loading', key: PANEL_KEY });
    panelApi.view().then(
      (panel) => isCurrent && dispatch({ type: 'loaded_panel', panel }),
      (error: unknown) => isCurrent && dispatch({ type: 'failed', error: sentence(error) }),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key: PANEL_KEY });
    };
  }, [isDue, dispatch]);
}

function useList(isDue: boolean, channel: string, thread: string | null, dispatch: Dispatch<Change>): void {
  useEffect(() => {
    if (!isDue) return;
    let isCurrent = true;
    const key = listKey(channel, thread);
    dispatch({ type: 'loading', key });
    api.messages(channel, thread).then(
      (messages) => isCurrent && dispatch({ type: 'loaded', channel, thread, messages }),
      (error: unknown) => isCurrent && dispatch({ type: 'failed', error: sentence(error) }),
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isDue, channel, thread, dispatch]);
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What can be done with the app's pane. */
export interface PaneCalls {
  /** Opens the pane where it was left, or with a new conversation; closes it if it is open. */
  toggle(): void;
  begin(): void;
  /** Shows an earlier conversation, or with `null` the list of them. */
  show(thread: { channel: string; thread: string } | null): void;
  close(): void;
}

/** The app's pane, and what the app is told: that it was opened, and what the person is viewing. */
export function usePane(state: State, dispatch: Dispatch<Change>): PaneCalls {
  const { as, pane } = state;
  const looking = placeLookedAt(state);
  const told = useRef('');

  // A new one for each render: calls use what the page shows at that moment.
  const calls = useMemo(() => {
    const set = (next: Partial<State['pane']>) =>
      dispatch({ type: 'pane', user: as, pane: { ...pane, ...next } });
    const close = () => set({ isOpen: false });
    const begin = async () => {
      set({ isOpen: true, isHistory: false, chat: null });
      const outcome = await api.beginChat({ as, ...(looking !== null && { channel: looking }) });
      if (!outcome.ok) {
        close();
        dispatch({ type: 'failed', error: outcome.error });
        return;
      }
      const { channel, thread_ts: thread } = outcome;
      told.current = `${thread}/${looking}`;
      set({ isOpen: true, isHistory: false, chat: { channel, thread } });
    };
    return {
      toggle: () => {
        if (pane.isOpen) close();
        else if (pane.chat) set({ isOpen: true });
        else void begin();
      },
      begin: () => void begin(),
      show: (chat) =>
        set(chat === null ? { isOpen: true, isHistory: true } : { isOpen: true, isHistory: false, chat }),
      close,
    } satisfies PaneCalls;
  }, [as, pane, looking, dispatch]);

  const thread = pane.isOpen ? (pane.chat?.thread ?? null) : null;
  useEffect(() => {
    if (thread === null || looking === null || told.current === `${thread}/${looking}`) return;
    told.current = `${thread}/${looking}`;
    void api.lookAt({ as, thread_ts: thread, channel: looking });
  }, [as, thread, looking]);

  return calls;
}

/** The channel the person is viewing; the conversation with the app itself does not count. */
function placeLookedAt({ workspace, channel, tab }: State): string | null {
  const open = workspace?.channels.find(({ id }) => id === channel);
  return open === undefined || open.is_im || tab === 'home' ? null : channel;
}
