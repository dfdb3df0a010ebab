import {
  MessagesTabAnswer,
  type PageMessagesTab,
  type PageOutcome,
  type PageSession,
  SessionsAnswer,
} from '../src/page-api.ts';
import type { RenameSessionRequest, StopSessionRequest, ViewingRequest } from '../src/page-requests.ts';
import { get, post } from './api.ts';

/** The calls of `page-api.ts` that concern an agent. */
export const agentApi = {
  /** The agent's sessions in the conversations that the person is in. */
  sessions: async (as: string): Promise<PageSession[]> =>
    (await get(`sessions?${new URLSearchParams({ as })}`, SessionsAnswer)).sessions,
  messagesTab: async (as: string): Promise<PageMessagesTab> =>
    (await get(`messages-tab?${new URLSearchParams({ as })}`, MessagesTabAnswer)).tab,
  stop: (body: StopSessionRequest): Promise<PageOutcome> => post('sessions/stop', body),
  rename: (body: RenameSessionRequest): Promise<PageOutcome> => post('sessions/rename', body),
  lookAt: (body: ViewingRequest): Promise<PageOutcome> => post('viewing', body),
};
