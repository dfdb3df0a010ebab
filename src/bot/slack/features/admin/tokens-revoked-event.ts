import type { Register } from '../../listening/deps.ts';

/** Slack revoked tokens of the app, perhaps ours: it is tried, and the process ends where it is finished. */
export const tokensRevoked: Register = (app, deps) => {
  app.event('tokens_revoked', async () => deps.tokenInDoubt());
};
