import type { App } from '@slack/bolt';
import type { ListenerDeps } from '../listening/deps.ts';
import { limitPeople } from '../listening/limit.ts';
import { actions } from './actions.ts';
import { assistant } from './assistant.ts';
import { commands } from './commands.ts';
import { events } from './events.ts';
import { shortcuts } from './shortcuts.ts';
import { views } from './views.ts';

/** Adds every listener of the registries to the app, behind the limit of what one person may do. */
export function registerListeners(app: App, deps: ListenerDeps): void {
  limitPeople(app, deps);
  for (const kind of [commands, actions, assistant, events, shortcuts, views]) {
    for (const register of Object.values(kind)) register(app, deps);
  }
}
