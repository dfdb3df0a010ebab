/** The parts of a moment's name in a zone, e.g. `Eastern Standard Time`, `GMT-05:00`. */
function named(tz: string, at: number, timeZoneName: 'long' | 'longOffset'): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A person's time zone as Slack gives it: its id, its name at the moment, its seconds before UTC. */
export function presentZone(tz: string, at: number): { tz: string; tz_label: string; tz_offset: number } {
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d\d):(\d\d)/.exec(named(tz, at, 'longOffset')) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return { tz, tz_label: named(tz, at, 'long'), tz_offset: sign === '-' ? -seconds : seconds };
}
