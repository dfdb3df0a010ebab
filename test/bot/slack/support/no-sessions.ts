import type { Sessions } from '../../../../src/bot/slack/sessions.ts';

/** The sessions of an app that is no agent. */
export const noSessions: Sessions = {
  show: async () => 'refused',
  streamOpens: async () => undefined,
  afterStream: async () => null,
  streamEnded: async () => undefined,
};
