import type { Clock } from '../../../lib/clock.ts';

const MINUTE_MS = 60_000;
/** More people than act within a minute anywhere; beyond, everybody begins anew. */
const MAX_PEOPLE = 10_000;

/**
 * What one person may do in a minute, by kind:
 * - `act`: commands, buttons, shortcuts. One a second is more than a hand does, and a checklist can be ticked at a stroke.
 * - `send`: a window sent off, each of which files or changes something for everybody.
 * - `type`: a keystroke in a field that shows what it would match, one delivery each.
 */
const perMinute = { act: 60, send: 20, type: 300 } as const;

export type Kind = keyof typeof perMinute;

/** Whether a person may go on; `over_now` where this is the first that they may not in this minute. */
export type Allowance = (userId: string, kind: Kind) => 'may' | 'over_now' | 'over';

/** Counts by the minute of the clock; no more is remembered than the minute that runs. */
export function createAllowance({ clock }: { clock: Pick<Clock, 'now'> }): Allowance {
  const counts = new Map<string, number>();
  let minute = -1;
  return (userId, kind) => {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current !== minute || counts.size >= MAX_PEOPLE) counts.clear();
    minute = current;
    const key = `${kind}:${userId}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= perMinute[kind]) return 'may';
    return count === perMinute[kind] + 1 ? 'over_now' : 'over';
  };
}
