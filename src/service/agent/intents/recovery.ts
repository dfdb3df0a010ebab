import { anomalyAt } from '../../investigation/anomalies.ts';
import { amount, timeOfDay } from '../../investigation/format.ts';
import { movement } from '../../investigation/kinds/observations.ts';
import type { Series } from '../../telemetry/model.ts';
import { subjectOf } from '../subject.ts';
import type { Intent, Tools } from '../types.ts';

const MINUTE = 60_000;
/** An older sample says nothing about now. */
const STALE = 5 * MINUTE;

/** Is it over? */
export const recovery: Intent = {
  name: 'recovery',
  example: 'Is it over?',
  matches: ({ question }) =>
    /\b(?:is|are|has|have)\s+(?:it|this|that|things|we|the \w+|[\w-]+)\s+(?:all\s+)?(?:over|recovered|resolved|fixed|cleared|stopped|ended|back to normal|healthy again|good again)\b|\bstill (?:happening|ongoing|going on|failing|broken|degraded|slow|down)\b|^\W*(?:all )?(?:over|recovered|fixed)\W*$/iu.test(
      question,
    ),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const { survey, incident } = tools.diagnose(service);
    const stale = staleSince(service, tools);
    if (stale !== null)
      return `I can’t tell: the newest sample of ${service ?? 'any service'} is from ${timeOfDay(stale)}.`;
    if (incident !== null && incident.chosen !== 'neighbour') {
      const { symptom, primary } = incident;
      tools.evidenceStore.metric(primary.series, { from: primary.onset - 25 * MINUTE, to: tools.now + 1 });
      const now = lastOf(primary.series);
      const level = now === null ? '' : `, and it is at ${amount(now, primary.series.signal.unit)} now`;
      return primary.end === null
        ? `**Ongoing.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}${level} (normally ${amount(primary.before, primary.series.signal.unit)}).`
        : `**Over since ${timeOfDay(primary.end)}.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}, and has been back to normal since then.`;
    }
    const past = (
      service === null ? [...survey.anomalies.values()].flat() : (survey.anomalies.get(service) ?? [])
    )
      .filter(({ profile, end }) => profile.role === 'symptom' && end !== null)
      .sort((a, b) => (b.end ?? 0) - (a.end ?? 0));
    const last = anomalyAt(past, tools.now) ?? past[0];
    const what = service ?? 'Everything';
    if (last === undefined || last.end === null)
      return `${what} is healthy: nothing left its normal range in the last ${Math.round((tools.now - survey.window.from) / MINUTE)} min.`;
    tools.evidenceStore.metric(last.series, { from: last.onset - 25 * MINUTE, to: tools.now + 1 });
    return `**Over since ${timeOfDay(last.end)}.** ${movement(last.series.service, last)} at ${timeOfDay(last.onset)}, and has been back to normal since then.`;
  },
};

/** The time of the newest sample, if that is too old to describe the present. */
function staleSince(service: string | null, { view, now }: Tools): number | null {
  const all = service === null ? view.snapshot.series : view.series(service);
  const newest = Math.max(...all.map(({ points: { times } }) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) && now - newest > STALE ? newest : null;
}

function lastOf({ points: { values } }: Series): number | null {
  return values.at(-1) ?? null;
}
