import { createContext, useContext } from 'react';
import type { PageSession } from '../../src/page-api.ts';
import { listKey } from '../model/lists.ts';
import type { Sessions } from '../model/sessions.ts';

export const SessionsContext = createContext<Sessions>({});

/** The agent's session of a thread, if there is one. */
export function useSession(channel: string, thread: string): PageSession | undefined {
  return useContext(SessionsContext)[listKey(channel, thread)];
}
