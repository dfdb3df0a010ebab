import { type Dispatch, useEffect } from 'react';
import { agentApi } from '../agent-api.ts';
import { sessionsKey } from '../model/sessions.ts';
import type { Change, State } from '../model/state.ts';

/** An agent's sessions and the person's Messages tab; also tells the agent what the person is viewing. */
export function useAgent(state: State, dispatch: Dispatch<Change>): void {
  const { workspace, link, as, channel, thread, tab } = state;
  const isAgent = workspace?.agent !== undefined && link === 'live' && as !== '';
  useEffect(() => {
    if (!isAgent) return;
    let isCurrent = true;
    const key = sessionsKey(as);
    const fail = (error: unknown) =>
      isCurrent &&
      dispatch({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
    dispatch({ type: 'loading', key });
    Promise.all([agentApi.sessions(as), agentApi.messagesTab(as)]).then(
      ([sessions, messagesTab]) =>
        isCurrent && dispatch({ type: 'loaded_agent', user: as, sessions, tab: messagesTab }),
      fail,
    );
    return () => {
      isCurrent = false;
      dispatch({ type: 'left', key });
    };
  }, [isAgent, as, dispatch]);

  // The conversation with the app itself is not a place to ask about.
  const open = workspace?.channels.find(({ id }) => id === channel);
  const place = open === undefined || open.is_im || tab === 'home' ? null : channel;
  useEffect(() => {
    if (!isAgent || place === null) return;
    void agentApi.lookAt({ as, channel: place, ...(thread !== null && { message_ts: thread }) });
  }, [isAgent, as, place, thread]);
}
