import type { App } from '@slack/bolt';
import { actions } from './actions/index.ts';
import { commands } from './commands/index.ts';
import type { ListenerDeps } from './deps.ts';
import { events } from './events/index.ts';
import { shortcuts } from './shortcuts/index.ts';
import { views } from './views/index.ts';

/** Adds every listener of the registries to the app. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  for (const kind of [commands, actions, events, shortcuts, views]) {
    for (const register of Object.values(kind)) register(app, deps);
  }
}
