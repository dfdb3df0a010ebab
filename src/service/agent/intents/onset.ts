import { onsetOf } from '../../investigation/candidates.ts';
import { windowToShow } from '../../investigation/evidence.ts';
import { duration, timeOfDay } from '../../investigation/format.ts';
import { movement } from '../../investigation/kinds/observations.ts';
import { subjectOf } from '../subject.ts';
import type { Intent } from '../types.ts';

/** Since when? */
export const onset: Intent = {
  name: 'onset',
  example: 'How long has {service} been failing?',
  matches: ({ question }) =>
    /since when|when did|when was|how long|when .*(?:start|began|begin)/iu.test(question),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const { survey, incident, best } = tools.diagnose(service);
    if (!incident || !best) {
      const brief = tools.issue;
      const recorded = brief?.rootCauseSummary
        ? ` Root cause of #${brief.number}: ${brief.rootCauseSummary}`
        : '';
      return `${service ?? 'Everything'} is healthy, and has been for at least 15 min.${recorded}`;
    }
    const shown = windowToShow(survey, best.candidate.onset);
    const order = [...incident.affected]
      .map(([name, anomalies]) => ({
        name,
        at: onsetOf(anomalies),
        first: anomalies.find((one) => one.onset === onsetOf(anomalies)),
      }))
      .sort((a, b) => a.at - b.at);
    for (const { first } of order.slice(0, 4)) if (first) tools.evidenceStore.metric(first.series, shown);
    const startedAt = Math.min(...order.map(({ at }) => at));
    const { end } = incident.primary;
    const until =
      end === null ? `${duration(tools.now - startedAt)} ago, ongoing` : `until ${timeOfDay(end)}`;
    return [
      `**Since ${timeOfDay(startedAt)}** (${until}):`,
      '',
      ...order.map(({ name, at, first }) => `- ${timeOfDay(at)}: ${first ? movement(name, first) : name}`),
    ].join('\n');
  },
};
