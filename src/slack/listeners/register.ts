import type { App } from '@slack/bolt';
import { actions } from './actions/index.ts';
import { assistant } from './assistant/index.ts';
import { commands } from './commands/index.ts';
import type { ListenerDeps } from './deps.ts';
import { events } from './events/index.ts';
import { limitPeople } from './limit.ts';
import { shortcuts } from './shortcuts/index.ts';
import { views } from './views/index.ts';

/** Adds every listener of the registries to the app, behind the limit of what one person may do. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  limitPeople(app, deps);
  for (const kind of [commands, actions, assistant, events, shortcuts, views]) {
    for (const register of Object.values(kind)) register(app, deps);
  }
}
