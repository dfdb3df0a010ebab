import { limitOf, type TimeLeft, timeLeft } from '../../investigation/time-left.ts';
import type { Series, Window } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { stem, wordsOfName } from '../catalog/terms.ts';
import { paceOf, pointsWithin } from './quantity.ts';

export const RUNS_OUT = ['disk', 'memory', 'connections', 'certificate', 'queue', 'lag'] as const;
export type RunsOut = (typeof RUNS_OUT)[number];

export interface Room {
  about: string;
  measure: RunsOut;
  series: Series;
  now: number;
  limit: number | null;
  /** How much it changes in a minute, lately; `null` where too little was seen of it. */
  perMinute: number | null;
  /** When it is full, drained or expired; `null` where nothing shows that it will be. */
  left: TimeLeft | null;
}

const MINUTE = 60_000;
const LATELY = 60 * MINUTE;
const STALE = 10 * MINUTE;

/** What of these can run out, the soonest first, then the fullest; those that the words name, where they name some. */
export function roomOf(
  measures: readonly RunsOut[],
  named: readonly string[],
  view: View,
  window: Window,
): Room[] {
  const now = window.to - 1;
  const all = view.snapshot.series.flatMap((series): Room[] => {
    const measure = measures.find((one) => one === series.signal.measure);
    if (measure === undefined || series.edge !== null) return [];
    const points = view.points(series, window);
    const last = points.at(-1);
    if (last === undefined || now - last.at > STALE) return [];
    const about = series.instance ?? series.service;
    const perMinute = paceOf(pointsWithin(series, view, window), LATELY);
    const left = timeLeft(series, points, now);
    return [{ about, measure, series, now: last.value, limit: limitOf(series), perMinute, left }];
  });
  const own = all.filter((one) => isOfNames(one, named));
  const chosen = own.length > 0 ? own : all;
  const ends = ({ left, measure, now: level }: Room) =>
    left?.at ?? (measure === 'certificate' ? now + level * 1000 : Number.POSITIVE_INFINITY);
  const share = ({ now: level, limit }: Room) => (limit === null ? level : level / limit);
  return chosen
    .filter(
      (one, i) =>
        chosen.findIndex(({ about, measure }) => about === one.about && measure === one.measure) === i,
    )
    .sort((a, b) => ends(a) - ends(b) || share(b) - share(a));
}

/** Whether a word names it, or what it is of. */
export function isOfNames({ about, series }: Room, named: readonly string[]): boolean {
  const names = [about, series.service, ...Object.values(series.labels)];
  return named.some((name) => names.some((one) => one === name || wordsOfName(one).includes(stem(name))));
}
