import type { ViewValues } from './modal/state.ts';

/**
 * The state of message elements in each person's client: ticked boxes, selected options. It does not survive a
 * restart, as in a real client.
 */
export interface ElementStates {
  of(user: string, channel: string, ts: string): ViewValues;
  put(user: string, channel: string, ts: string, values: ViewValues): void;
}

const MAX_ENTRIES = 2_000;

export function createElementStates(): ElementStates {
  const states = new Map<string, ViewValues>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    of: (user, channel, ts) => states.get(key(user, channel, ts)) ?? {},
    put: (user, channel, ts, values) => {
      states.delete(key(user, channel, ts));
      states.set(key(user, channel, ts), values);
      const [oldest] = states.keys();
      if (states.size > MAX_ENTRIES && oldest !== undefined) states.delete(oldest);
    },
  };
}
