import { median } from '../../lib/statistics.ts';
import { PROFILES, profileOf } from '../investigation/anomalies.ts';
import { type Episode, episodesOf, isOff, pointsOf, usualOf } from '../investigation/episodes.ts';
import { amount, duration, joinNames, timeOfDay } from '../investigation/format.ts';
import type { Series } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import { subjectOf, trackedOf } from './issue-scope.ts';
import type { Found } from './tool.ts';
import type { Facts } from './types.ts';

const MINUTE = 60_000;
/** What moved so shortly before an episode belongs to it. */
const BEFORE = 2 * MINUTE;
/** Fewer samples show nothing. */
const LEAST_SAMPLES = 10;
const MOST_COMMON = 4;

/** How often a series left its usual range, since when, and what else moved each time. */
export function flapping(args: { services: readonly string[] }, facts: Facts): Pick<Found, 'text' | 'holds'> {
  const { fine: view, scope, now } = facts;
  const service = subjectOf(args, facts);
  const own =
    scope === null
      ? service === null
        ? []
        : PROFILES.filter(({ role }) => role === 'symptom').flatMap(
            ({ measure }) => view.seriesOf(service, measure) ?? [],
          )
      : trackedOf(scope, facts).map(({ series }) => series);
  const counted = own
    .filter((one) => pointsOf(one, view).length >= LEAST_SAMPLES)
    .map((series) => ({ series, episodes: episodesOf(series, view) }))
    .sort((a, b) => b.episodes.length - a.episodes.length);
  const [most] = counted;
  if (most === undefined)
    return {
      text:
        service === null
          ? 'I can’t tell: what flaps? Name a service.'
          : `I can’t tell: no metric of ${service} shows it.`,
      holds: null,
    };
  const { series, episodes } = most;
  facts.evidenceStore.metric(series, { from: 0, to: now + 1 });
  const what = `${series.service} ${series.signal.label}`;
  const begin = timeOfDay(pointsOf(series, view)[0]?.at ?? now);
  const last = episodes.at(-1);
  if (last === undefined)
    return {
      text: `${what} has stayed in its usual range since ${begin}, where my data begins.`,
      holds: false,
    };
  const present = last.to === null ? 'It goes on now.' : 'Nothing now.';
  if (episodes.length === 1)
    return {
      text: `${what} left its usual range once since ${begin}, ${spanOf(last)}. ${present}`,
      holds: false,
    };
  const starts = episodes.map(({ from }) => from);
  const every = median(starts.slice(1).map((at, i) => at - (starts[i] ?? at)));
  const common = movedEachTime(series, episodes, view, now);
  return {
    text: [
      `**${episodes.length} times since ${timeOfDay(starts[0] ?? now)}**, about every ${duration(every)}: ${what} left its usual range (${amount(usualOf(series, view), series.signal.unit)}). ${present}`,
      '',
      ...episodes.slice(-MOST_COMMON).map((one) => `- ${spanOf(one)}`),
      '',
      common.length === 0
        ? 'No other metric moved each time.'
        : `Each time, this moved too: ${joinNames(common)}.`,
    ].join('\n'),
    holds: true,
  };
}

function spanOf({ from, to }: Episode): string {
  return to === null
    ? `since ${timeOfDay(from)}`
    : `from ${timeOfDay(from)} to ${timeOfDay(to)} (${duration(to - from)})`;
}

/** Other series that were outside of their usual range in each of the episodes. */
function movedEachTime(own: Series, episodes: readonly Episode[], view: View, now: number): string[] {
  return view.snapshot.series
    .filter((one) => one.signal.id !== own.signal.id || one.service !== own.service)
    .filter((one) => profileOf(one).label !== 'metric' && pointsOf(one, view).length >= LEAST_SAMPLES)
    .filter((one) => {
      const usual = usualOf(one, view);
      return episodes.every(({ from, to }) =>
        view
          .points(one, { from: from - BEFORE, to: to ?? now + 1 })
          .some(({ value }) => isOff(one, value, usual)),
      );
    })
    .map(({ service, signal }) => `${service} ${signal.label}`)
    .filter((name, i, all) => all.indexOf(name) === i)
    .slice(0, MOST_COMMON);
}
