// Slack shows nothing sensible beyond these: 1970 and the year 9999.
const LATEST = 253_402_300_799_000;
const UNKNOWN = 'unknown time';

/**
 * A moment in the reader's own time zone: `10:41 today`. Slack capitalizes `today` at the start of a token, and most are in
 * the middle of a sentence, so the time comes first.
 *
 * @param ms milliseconds since the epoch
 * @returns a `<!date…>` token with the time in UTC for clients that cannot, or `an unknown time`
 */
export function date(ms: number): string {
  if (!(ms >= 0 && ms <= LATEST)) return UNKNOWN;
  return `<!date^${Math.floor(ms / 1000)}^{time} {date_short_pretty}|${utc(ms)}>`;
}

/** The same to the second: `10:41:07 today`; without its day where that has been said. */
export function exactDate(ms: number, { withDay }: { withDay: boolean }): string {
  if (!(ms >= 0 && ms <= LATEST)) return UNKNOWN;
  return `<!date^${Math.floor(ms / 1000)}^{time_secs}${withDay ? ' {date_short_pretty}' : ''}|${utc(ms)}>`;
}

export const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** From one moment to another, of one day in few words: `16:31 to 17:01 today`. */
export function span(from: number, to: number): string {
  if (to - from >= HALF_A_DAY_MS || !(from >= 0 && to <= LATEST)) return `${date(from)} to ${date(to)}`;
  return `<!date^${Math.floor(from / 1000)}^{time}|${utc(from)}> to ${date(to)}`;
}

/** `2026-11-20 08:15 UTC`, for text that is copied elsewhere; `ms` is milliseconds since the epoch. */
export function utc(ms: number): string {
  if (!(ms >= 0 && ms <= LATEST)) return UNKNOWN;
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
