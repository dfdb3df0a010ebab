import type { PageFlexpane } from '../page-api.ts';
import type { PageBus } from '../page-bus.ts';
import type { Entity } from '../validate/entity.ts';

/** A flexpane as the workspace keeps it. */
export interface Flexpane extends PageFlexpane {
  entity?: Entity;
}

/** A person's flexpane, and the triggers by which the app may fill it. */
export interface Flexpanes {
  /** Replaces the person's open pane. */
  show(pane: Flexpane): void;
  of(user: string): Flexpane | undefined;
  /** Notes which Work Object a trigger was issued for. */
  expect(trigger: string, asked: Asked): void;
  asked(trigger: string): Asked | undefined;
}

/** What a trigger was issued for. */
interface Asked {
  user: string;
  channel: string;
  message_ts: string;
  /** `external_ref.id`. */
  ref: string;
}

const MOST_TRIGGERS = 1_000;

/** A restart closes all panes. */
export function createFlexpanes(page: PageBus): Flexpanes {
  const panes = new Map<string, Flexpane>();
  const triggers = new Map<string, Asked>();
  return {
    show: (pane) => {
      panes.set(pane.user, pane);
      page.emit({ type: 'flexpane', pane });
    },
    of: (user) => panes.get(user),
    expect: (trigger, asked) => {
      if (triggers.size >= MOST_TRIGGERS) triggers.clear();
      triggers.set(trigger, asked);
    },
    asked: (trigger) => triggers.get(trigger),
  };
}
