/** When a digest is due: `days` are `1` to `7` for Monday to Sunday, `time` is `HH:MM` in the IANA zone. */
export interface DigestTimes {
  days: string;
  time: string;
  zone: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether this is a known time zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

/**
 * The first time after `after` (milliseconds) at which the digest is due. A time skipped by a clock change is due as
 * much later as the clock jumps; a repeated one is due the first time.
 *
 * @throws RangeError if no day is given, or the zone is invalid.
 */
export function nextDigest({ days, time, zone }: DigestTimes, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor(wallClock(after, zone) / DAY_MS) * DAY_MS;
  // Eight days, because today's may have passed.
  for (let day = today; day <= today + 8 * DAY_MS; day += DAY_MS) {
    if (!days.includes(weekday(day))) continue;
    const moment = momentOf(day + (hours * 60 + minutes) * 60_000, zone);
    if (moment > after) return moment;
  }
  throw new RangeError(`A digest needs at least one weekday, 1 to 7, not “${days}”`);
}

/** `1` for Monday to `7` for Sunday. */
function weekday(wall: number): string {
  return String(new Date(wall).getUTCDay() || 7);
}

/** The moment at which clocks in a zone show `wall`, which is a local time written as if it were UTC. */
function momentOf(wall: number, zone: string): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => wallClock(moment, zone) - moment);
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  const shown = candidates.find((moment) => wallClock(moment, zone) === wall);
  return shown ?? wall - (offsets[0] ?? 0);
}

/** The local time in a zone at a moment, to the second, written as if it were UTC. */
function wallClock(moment: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? 0);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
