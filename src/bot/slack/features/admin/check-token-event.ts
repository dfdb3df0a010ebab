import type { Register } from '../../listening/deps.ts';

/** Somebody removed the app from the workspace: the token is tried, and the process ends where it is finished. */
export const appUninstalled: Register = (app, deps) => {
  app.event('app_uninstalled', async () => deps.tokenInDoubt());
};

/** Slack revoked tokens of the app, perhaps ours: it is tried, and the process ends where it is finished. */
export const tokensRevoked: Register = (app, deps) => {
  app.event('tokens_revoked', async () => deps.tokenInDoubt());
};
