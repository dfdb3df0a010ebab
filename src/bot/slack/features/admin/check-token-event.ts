import type { Register } from '../../listening/deps.ts';

/** The app was uninstalled from the workspace: checks the token, and exits if it is no longer valid. */
export const appUninstalled: Register = (app, deps) => {
  app.event('app_uninstalled', async () => deps.tokenInDoubt());
};

/** Slack revoked tokens of the app, perhaps ours: checks the token, and exits if it is no longer valid. */
export const tokensRevoked: Register = (app, deps) => {
  app.event('tokens_revoked', async () => deps.tokenInDoubt());
};
