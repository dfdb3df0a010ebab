import type { App } from '@slack/bolt';
import type { Deps } from '../../deps.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { viewIds } from '../../render/view-ids.ts';
import type { Subcommand } from '../commands/command.ts';
import type { EventType, shortcutIds } from '../ids.ts';

export type Register = (app: App, deps: Deps) => void;

/**
 * A feature's listeners, by kind of trigger: `features/<feature>.ts` or `features/<feature>/index.ts` exports one, and
 * `features/register.ts` adds it to the app.
 */
export interface Feature {
  /** Slash commands, without the slash; each also works as a subcommand of `/gumshoe`, in case another app has its name. */
  commands?: Partial<Record<'ask' | 'investigate' | 'issue', Subcommand>>;
  /** Subcommands of `/gumshoe`, in the order of its help. */
  subcommands?: Readonly<Record<string, Subcommand>>;
  /** Buttons, menus and inputs, by their names in `render/action-ids.ts`. */
  actions?: Partial<Record<keyof typeof actionIds, Register>>;
  /** Submissions of modals, by their names in `render/view-ids.ts`. */
  views?: Partial<Record<keyof typeof viewIds, Register>>;
  events?: Partial<Record<EventType, Register>>;
  shortcuts?: Partial<Record<keyof typeof shortcutIds, Register>>;
}
