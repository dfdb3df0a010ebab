import { median } from '../../lib/statistics.ts';
import { PROFILES } from '../investigation/anomalies.ts';
import { type Episode, episodesOf, pointsOf, usualOf } from '../investigation/episodes.ts';
import { amount, duration, timeOfDay } from '../investigation/format.ts';
import { subjectOf, trackedOf } from './issue-scope.ts';
import type { Found } from './tool.ts';
import type { Facts } from './types.ts';

/** Fewer samples show nothing. */
const LEAST_SAMPLES = 10;
const MOST_SHOWN = 4;

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
  return {
    text: [
      `**${episodes.length} times since ${timeOfDay(starts[0] ?? now)}**, about every ${duration(every)}: ${what} left its usual range (${amount(usualOf(series, view), series.signal.unit)}). ${present}`,
      '',
      ...episodes.slice(-MOST_SHOWN).map((one) => `- ${spanOf(one)}`),
    ].join('\n'),
    holds: true,
  };
}

function spanOf({ from, to }: Episode): string {
  return to === null
    ? `since ${timeOfDay(from)}`
    : `from ${timeOfDay(from)} to ${timeOfDay(to)} (${duration(to - from)})`;
}
