import type { Case, Placed } from '../case.ts';
import { isOngoing, type Present } from './departures.ts';
import type { Incident } from './incident.ts';
import { locate, rankingOf } from './locate.ts';

/** The place of the problem by the newest samples, with what else departs there and is not read as finely. */
export function placeByPresent({ subject, survey, view }: Case, present: Present): PlacedNow | null {
  const { edges, trigger } = view.snapshot;
  const located = locate(present, { ...subject, trigger, edges });
  if (located === null) return null;
  const { symptom, primary, place, affected, isConnected } = located;
  const read = new Set((affected.get(place) ?? []).map(({ profile: { measure } }) => measure));
  const more = (survey.anomalies.get(place) ?? []).filter(
    ({ profile: { measure, role }, end }) =>
      role !== 'symptom' && measure !== 'restarts' && !read.has(measure) && end === null,
  );
  return {
    by: 'present',
    ranking: rankingOf(located, present, trigger),
    incident: {
      symptom,
      chosen: subject.named === null ? 'worst' : 'named',
      primary,
      affected: new Map([...affected, [place, [...(affected.get(place) ?? []), ...more]]]),
    },
    isConnected,
  };
}

type PlacedNow = Placed & {
  incident: Incident;
  /** Whether any call from or to the symptom's service is known: else nothing leads from there to a cause elsewhere. */
  isConnected: boolean;
};

/** Whether anything at all departs at a moment. */
export function isAnythingWrong({ own, calls, stepMs }: Present, trigger: number): boolean {
  return [...calls, ...[...own.values()].flat()].some((one) => isOngoing(one, trigger, stepMs));
}
