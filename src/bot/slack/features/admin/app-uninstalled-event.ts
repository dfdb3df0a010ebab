import type { Register } from '../../listening/deps.ts';

/** Somebody removed the app from the workspace: the token is tried, and the process ends where it is finished. */
export const appUninstalled: Register = (app, deps) => {
  app.event('app_uninstalled', async () => deps.tokenInDoubt());
};
