const FIRST_MS = 5_000;
const THEN_MS = 10_000;

/** Tracks the silence of an answer in progress: after 5 seconds, and then every 10, its message shows that it continues. */
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
