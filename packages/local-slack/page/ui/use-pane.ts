import { type Dispatch, useEffect, useMemo, useRef } from 'react';
import { api } from '../api.ts';
import type { Change, State } from '../model/state.ts';

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
