import type { Clock } from '../clock.ts';
import { SlackError } from '../errors.ts';
import { newHex, type Random } from '../ids.ts';

/** The short-lived tickets that let an app open a view for the person who did something. */
export interface Triggers {
  /** @param view the modal in which the person did it. */
  issue(user: string, view?: string): string;
  /**
   * Spends a trigger.
   *
   * @returns whom the view is for, and in which modal they did something.
   * @throws SlackError `invalid_trigger_id`, `expired_trigger_id`, `exchanged_trigger_id`.
   */
  exchange(id: string): { user: string; view: string | null };
}

const RETENTION_MS = 10 * 60_000;

/** @param life milliseconds for which a trigger can be spent. */
export function createTriggers(clock: Clock, random: Random, life: number): Triggers {
  const known = new Map<string, { user: string; view: string | null; expires: number; used: boolean }>();
  /** Long expired ones are forgotten, and are then as invalid as ones that never were. */
  const forget = () => {
    for (const [id, { expires }] of known) {
      if (clock.now() > expires + RETENTION_MS) known.delete(id);
    }
  };
  return {
    issue: (user, view) => {
      forget();
      const id = `${Math.floor(clock.now())}.${newHex(random, 6)}.${newHex(random, 16)}`;
      known.set(id, { user, view: view ?? null, expires: clock.now() + life, used: false });
      return id;
    },
    exchange: (id) => {
      const trigger = known.get(id);
      if (!trigger) throw new SlackError('invalid_trigger_id');
      if (trigger.used) throw new SlackError('exchanged_trigger_id');
      if (clock.now() > trigger.expires) throw new SlackError('expired_trigger_id');
      trigger.used = true;
      return { user: trigger.user, view: trigger.view };
    },
  };
}
