/** The forms in which tools write a time: all of them in UTC, from milliseconds. */

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** `2026-11-18 09:03:19`. */
export function sqlTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** `Wed Nov 18 01:10:58 UTC 2026`. */
export function unixDate(ms: number): string {
  const [weekday, day, month, year, time] = new Date(ms).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${day} ${time} UTC ${year}`;
}

/** `18/11/26 06:15:00`, as CloudWatch has it. */
export function datapointTime(ms: number): string {
  const [date = '', time] = sqlTime(ms).split(' ');
  return `${date.slice(2).split('-').reverse().join('/')} ${time}`;
}
