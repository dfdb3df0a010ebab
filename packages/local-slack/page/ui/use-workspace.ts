import { type Dispatch, useEffect, useReducer } from 'react';
import { api } from '../api.ts';
import { assistantKey } from '../model/assistant.ts';
import { homeKey } from '../model/home.ts';
import { listKey } from '../model/lists.ts';
import { PANEL_KEY } from '../model/panel.ts';
import { placeOf } from '../model/place.ts';
import { type Change, reduce, type State, stateAt } from '../model/state.ts';
import { viewsKey } from '../model/views.ts';
import { panelApi } from '../panel-api.ts';

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
