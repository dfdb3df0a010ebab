import type { ViewValues } from './modal/state.ts';

/**
 * What each person's client holds of the elements of messages: which boxes they have ticked, what they have chosen.
 * As on their screens, it does not outlive a restart.
 */
export interface ElementStates {
  of(user: string, channel: string, ts: string): ViewValues;
  put(user: string, channel: string, ts: string, values: ViewValues): void;
}

const MAX_ENTRIES = 2_000;

export function createElementStates(): ElementStates {
  const held = new Map<string, ViewValues>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    of: (user, channel, ts) => held.get(key(user, channel, ts)) ?? {},
    put: (user, channel, ts, values) => {
      held.delete(key(user, channel, ts));
      held.set(key(user, channel, ts), values);
      const [oldest] = held.keys();
      if (held.size > MAX_ENTRIES && oldest !== undefined) held.delete(oldest);
    },
  };
}
