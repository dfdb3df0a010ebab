import { windowToShow } from '../../investigation/evidence.ts';
import { movement } from '../../investigation/kinds/clues.ts';
import { onsetOf } from '../../investigation/suspects.ts';
import { duration, sentence, timeOfDay } from '../../investigation/words.ts';
import { briefOf, lookAt, subjectOf } from '../diagnosis.ts';
import type { Intent } from '../types.ts';

/** Since when? */
export const onset: Intent = {
  name: 'onset',
  example: 'Since when is checkout-api failing?',
  matches: ({ question }) =>
    /since when|when did|when was|how long|when .*(?:start|began|begin)/iu.test(question),
  answer(turn, tools) {
    const service = subjectOf(turn, tools);
    const { survey, scene, best } = lookAt(service, turn, tools);
    if (!scene || !best) {
      const brief = briefOf(turn, tools.issues);
      const recorded = brief?.rootCauseSummary
        ? ` The investigation of #${brief.number} found: ${brief.rootCauseSummary}`
        : '';
      return `${service ?? 'Everything'} is well, and was in the quarter of an hour before.${recorded}`;
    }
    const shown = windowToShow(survey, best.suspect.onset);
    const order = [...scene.unwell]
      .map(([name, anomalies]) => ({
        name,
        at: onsetOf(anomalies),
        first: anomalies.find((one) => one.onset === onsetOf(anomalies)),
      }))
      .sort((a, b) => a.at - b.at);
    for (const { name, first } of order.slice(0, 4))
      if (first) tools.cabinet.metric(name, first.signal.metric, shown);
    const begun = Math.min(...order.map(({ at }) => at));
    const { end } = scene.primary;
    const until =
      end === null ? `${duration(tools.now - begun)} ago, and it goes on` : `until ${timeOfDay(end)}`;
    return [
      `**Since ${timeOfDay(begun)}** (${until}):`,
      '',
      ...order.map(
        ({ name, at, first }) => `- ${timeOfDay(at)}: ${first ? sentence(movement(name, first)) : name}`,
      ),
    ].join('\n');
  },
};
