import type { ViewValues } from './modal/state.ts';

/**
 * What each person's client holds of the elements of messages: which boxes they have ticked, what they have chosen.
 * As on their screens, it does not outlive a restart.
 */
export interface Held {
  of(user: string, channel: string, ts: string): ViewValues;
  put(user: string, channel: string, ts: string, values: ViewValues): void;
}

const MOST = 2_000;

export function createHeld(): Held {
  const held = new Map<string, ViewValues>();
  const key = (...parts: string[]) => parts.join(' ');
  return {
    of: (user, channel, ts) => held.get(key(user, channel, ts)) ?? {},
    put: (user, channel, ts, values) => {
      held.delete(key(user, channel, ts));
      held.set(key(user, channel, ts), values);
      const [oldest] = held.keys();
      if (held.size > MOST && oldest !== undefined) held.delete(oldest);
    },
  };
}
