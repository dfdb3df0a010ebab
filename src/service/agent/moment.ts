import { timeOfDay } from '../investigation/format.ts';

/** `14:02 UTC`, with the date unless it is today. */
export function momentOf(at: number, now: number): string {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${timeOfDay(at)} on ${dayOf(at)}`;
}
