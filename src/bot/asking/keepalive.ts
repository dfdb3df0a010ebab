const FIRST_MS = 5_000;
const THEN_MS = 10_000;

/** How long nothing has arrived of an answer: after 5 seconds, and every 10 from then on, people are shown that it goes on. */
export interface Keepalive {
  heard(now: number): void;
  /** Whether people should be shown that it goes on; true once for each time. */
  due(now: number): boolean;
}

export function createKeepalive(now: number): Keepalive {
  let nextAt = now + FIRST_MS;
  return {
    heard: (at) => {
      nextAt = at + FIRST_MS;
    },
    due: (at) => {
      if (at < nextAt) return false;
      nextAt = at + THEN_MS;
      return true;
    },
  };
}
