/** When somebody did something in Slack. */
export interface Moment {
  /** According to Slack: the `ts` of a message, the `action_ts` of a press. `null` if Slack gives none (a command). */
  ts: string | null;
  /** When we received the delivery, in milliseconds by our clock. */
  receivedAt: number;
}

/** Whether one action was before another: by Slack's clock if both have its time, else by arrival. */
export function isBefore(one: Moment, other: Moment): boolean {
  if (one.ts !== null && other.ts !== null) return compareTs(one.ts, other.ts) < 0;
  return one.receivedAt < other.receivedAt;
}

/** Orders two Slack timestamps, whose fractions are finer than a millisecond. */
export function compareTs(one: string, other: string): number {
  const [a, b] = [nanosOf(one), nanosOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function nanosOf(ts: string): bigint {
  const [seconds = '', fraction = ''] = ts.split('.');
  return /^\d+$/u.test(seconds) && /^\d*$/u.test(fraction)
    ? BigInt(seconds + fraction.slice(0, 9).padEnd(9, '0'))
    : 0n;
}
