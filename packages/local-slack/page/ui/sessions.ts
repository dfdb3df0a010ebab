import { createContext, useContext } from 'react';
import type { PageSession } from '../../src/page-api.ts';
import { listKey, type Sessions } from '../model/lists.ts';

export const SessionsContext = createContext<Sessions>({});

/** The agent's session of a thread, if there is one. */
export function useSession(channel: string, thread: string): PageSession | undefined {
  return useContext(SessionsContext)[listKey(channel, thread)];
}
