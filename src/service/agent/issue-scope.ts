import { mean, median } from '../../lib/statistics.ts';
import { anomaliesIn, survey } from '../investigation/anomalies.ts';
import { badnessOf, isOff } from '../investigation/episodes.ts';
import { isStock, labelOf, type Scale, scaleOf } from '../investigation/format.ts';
import { namedIn, namedService, unknownSubject } from '../investigation/names.ts';
import { worstSeen } from '../investigation/place/incident.ts';
import type { Series, Service } from '../telemetry/model.ts';
import { type Point, type View, viewOf } from '../telemetry/view.ts';
import type { Facts, IssueRecord, IssueScope, Looked } from './types.ts';

const MINUTE = 60_000;

export function scopeOf(issue: Looked, services: readonly Service[]): IssueScope {
  const names = services.map(({ name }) => name);
  const known = new Set(names);
  const nodes = (issue.findings?.causalTreeV2.nodes ?? []).filter(({ id }) => known.has(id));
  const ofType = (type: string) => nodes.filter(({ nodeType }) => nodeType === type).map(({ id }) => id);
  const blamed = ofType('cause');
  const causes =
    blamed.length > 0
      ? blamed
      : namedIn(issue.rootCauseSummary?.split(':')[0] ?? '', names)
          .filter(({ score }) => score === 1)
          .map(({ service }) => service);
  const named = namedService(issue, services);
  const unknown = named === null ? unknownSubject(issue) : null;
  const symptom = named ?? (unknown === null ? (ofType('outcome')[0] ?? causes[0] ?? null) : null);
  const involved = [...(symptom === null ? [] : [symptom]), ...causes, ...nodes.map(({ id }) => id)];
  return { issue, symptom, causes, services: [...new Set(involved)], unknown, onset: onsetOf(issue) };
}

/** The services that an issue involves, the one that its alert states first: what happened to it is not told by what it waits for. */
export function concernedBy({ issue, services }: Pick<IssueScope, 'issue' | 'services'>): string[] {
  const own = services.length === 0 || issue.service === null ? [] : [issue.service];
  return [...new Set([...own, ...services])];
}

/** The service that is asked about, taken from its issue if necessary; `null` if there is none. */
export function subjectOf(args: { services: readonly string[] }, { scope }: Facts): string | null {
  return args.services[0] ?? scope?.symptom ?? null;
}

/** When an issue began, according to its results; else when it was triggered. */
export function onsetOf({ findings, triggeredAt }: Pick<IssueRecord, 'findings' | 'triggeredAt'>): number {
  const onsets = (findings?.timeline ?? [])
    .filter(({ type }) => type === 'onset' || type === 'effect')
    .map(({ timestamp }) => Date.parse(timestamp));
  return Math.min(triggeredAt, ...onsets);
}

/** A series that showed the issue, from before its onset until now. */
export interface Tracked {
  series: Series;
  service: string;
  /** The level before the onset; `null` if there are no samples of then. */
  usual: number | null;
  worst: Point;
  /** The mean of the newest samples. */
  level: number;
  last: number;
  newest: number;
  /** When it was back to normal for good; `null` while it is not. */
  end: number | null;
  isOff: boolean;
  /** Whether it is on its way back: the newest rates are still taken over some of the problem. */
  isSettling: boolean;
  /** It is over, but what is left of the rise is more than usual still. */
  hasRemainder: boolean;
}

const BEFORE = 60 * MINUTE;
/** The newest samples: one alone may be noise. */
const NEWEST_SAMPLES = 3;
/** What is left of a rise once this share of it remains is the noise of a system that has recovered. */
const REMAINDER = 0.1;
/** A rate is taken over so many samples, so it holds what went before for as long. */
const SAMPLES_OF_A_RATE = 4;
/** An older sample says nothing about now. */
export const STALE = 5 * MINUTE;

/**
 * The series that the issue's results rest on, of the symptom first. If they rest on none, what deviated most in its
 * services around then.
 */
export function trackedOf(
  scope: IssueScope,
  { view, fine, now }: Pick<Facts, 'view' | 'fine' | 'now'>,
): Tracked[] {
  const { findings } = scope.issue;
  const shown = (findings?.rootCause.relevantEvidence ?? [])
    .flatMap(({ artifacts }) => artifacts)
    .filter(({ dataType }) => dataType === 'metric')
    .map(({ title }) => title);
  const around = survey(viewOf({ ...view.snapshot, trigger: Math.min(scope.issue.triggeredAt, now) }));
  return scope.services.flatMap((service) => {
    const named = view.series(service).find((one) => shown.includes(`${service} ${labelOf(one)}`));
    const series = named ?? worstSeen(around, service)?.series;
    const newest = fine
      .series(service)
      .find(({ signal, instance }) => signal.id === series?.signal.id && instance === series.instance);
    const tracked = newest && track(newest, service, scope.onset, fine, now);
    return tracked ? [tracked] : [];
  });
}

function track(series: Series, service: string, onset: number, view: View, now: number): Tracked | null {
  const since = view.points(series, { from: onset, to: now + 1 });
  const last = since.at(-1);
  if (last === undefined) return null;
  const bad = badnessOf(series);
  const worst = since.reduce((a, b) => (bad(b.value) > bad(a.value) ? b : a));
  const recent = since.slice(-NEWEST_SAMPLES).map(({ value }) => value);
  const level = mean(recent);
  const usual = usualOf(series, onset, view);
  // What was never worse than before it began shows nothing of it.
  if (usual !== null && bad(worst.value) <= bad(usual)) return null;
  const rise = usual === null ? 0 : bad(worst.value) - bad(usual);
  const isStillBad = (value: number) =>
    usual !== null && isOff(series, value, usual) && bad(value) - bad(usual) > REMAINDER * rise;
  const lastBad = since.findLastIndex(({ value }) => isStillBad(value));
  const end = usual === null || lastBad < 0 ? null : (since[lastBad + 1]?.at ?? null);
  const holds = since.slice(-SAMPLES_OF_A_RATE).map(({ value }) => bad(value));
  const isFalling =
    holds.length === SAMPLES_OF_A_RATE &&
    holds.every((value, i) => i === 0 || value < (holds[i - 1] ?? value));
  const gone = rise === 0 ? 0 : (bad(worst.value) - bad(last.value)) / rise;
  return {
    series,
    service,
    usual,
    worst,
    level,
    last: last.value,
    newest: last.at,
    end,
    isOff: isStillBad(level),
    hasRemainder: usual !== null && isOff(series, level, usual) && !isStillBad(level),
    isSettling:
      lastBad === since.length - 1
        ? isFalling && gone > 0.5
        : lastBad > since.length - 1 - NEWEST_SAMPLES && lastBad >= 0,
  };
}

/** What was usual before the onset, however little of it there is, without the troubles before. */
function usualOf(series: Series, onset: number, view: View): number | null {
  const before = view.points(series, { from: onset - BEFORE, to: onset - MINUTE });
  const some = before.length > 0 ? before : view.points(series, { from: onset - MINUTE, to: onset });
  const troubles = anomaliesIn(series, some);
  const calm = some.filter(({ at }) => !troubles.some((one) => at >= one.onset && at < (one.end ?? onset)));
  return some.length === 0 ? null : median((calm.length > 0 ? calm : some).map(({ value }) => value));
}

/** Whether an issue goes on, as its series show. */
export type IssueState =
  | { is: 'ongoing' }
  /** On its way back, as far as the newest samples show. */
  | { is: 'settling' }
  /** `hasRemainder`: something is not quite back to normal. */
  | { is: 'over'; since: number; hasRemainder: boolean }
  /** In the normal range, and never seen outside of it. */
  | { is: 'normal' }
  | { is: 'stale'; newest: number }
  /** No series shows it. */
  | { is: 'unclear' };

export function stateOf(tracked: readonly Tracked[], now: number): IssueState {
  const comparable = tracked.filter(({ usual }) => usual !== null);
  if (comparable.length === 0) return { is: 'unclear' };
  const newest = Math.max(...tracked.map((one) => one.newest));
  if (now - newest > STALE) return { is: 'stale', newest };
  const isBad = ({ newest: at, end, isOff: isStillOff }: Tracked) =>
    now - at <= STALE && end === null && isStillOff;
  if (comparable.some((one) => isBad(one) && !one.isSettling)) return { is: 'ongoing' };
  if (comparable.some(({ isSettling }) => isSettling)) return { is: 'settling' };
  const ends = comparable.flatMap(({ end }) => end ?? []);
  return ends.length === 0
    ? { is: 'normal' }
    : {
        is: 'over',
        since: Math.max(...ends),
        hasRemainder: comparable.some(({ hasRemainder }) => hasRemainder),
      };
}

/** How a series stands: as data. */
export interface Level extends Scale {
  service: string;
  label: string;
  now: number;
  usual: number | null;
  peak: Point;
}

export function levelOf({ series, service, usual, worst, level, last }: Tracked): Level {
  const now = isStock(series) ? last : level;
  return { ...scaleOf(series), service, label: labelOf(series), now, usual, peak: worst };
}

/** Sends the tracked series with the answer, from before the onset until now. */
export function showTracked(tracked: readonly Tracked[], { onset }: IssueScope, facts: Facts): void {
  for (const { series } of tracked.slice(0, 2))
    facts.evidenceStore.metric(series, { from: onset - 25 * MINUTE, to: facts.now + 1 });
}
