import type { Diagnosis } from '../../investigation/diagnose.ts';
import { relevantEvidence, windowToShow } from '../../investigation/evidence.ts';
import { joinNames, level, timeOfDay } from '../../investigation/format.ts';
import { confidenceOf, summaryOf } from '../../investigation/hypotheses.ts';
import { movement } from '../../investigation/kinds/observations.ts';
import { PROFILES } from '../../investigation/profiles.ts';
import { subjectOf } from '../subject.ts';
import type { Intent, Tools, Turn } from '../types.ts';

/** Why is payments degraded? How is the shop? */
export const health: Intent = {
  name: 'health',
  example: 'Why is {service} slow?',
  matches: ({ question }) =>
    /\bwhy\b|wrong|happen|going on|unwell|unhealthy|health|cause|reason|problem|how (?:is|are|was|were)|\b(?:ok|okay|fine|up|down|broken|slow|failing|recovered|better)\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const subjects = turn.services.length > 0 ? turn.services.slice(0, 3) : [subjectOf(turn, tools)];
    const answers = subjects.map((service) => healthOf(service, turn, tools.diagnose(service), tools));
    const brief = turn.named.length > 0 ? null : tools.issue;
    const recorded = brief?.rootCauseSummary
      ? [`Root cause of #${brief.number}: ${brief.rootCauseSummary}`]
      : [];
    return [...recorded, ...answers].join('\n\n');
  },
};

function healthOf(
  service: string | null,
  turn: Turn,
  { survey, incident, best }: Diagnosis,
  tools: Tools,
): string {
  if (!incident || !best)
    return service === null ? allHealthy(survey.nodes.size) : healthy(service, turn, tools);
  const { symptom, primary, chosen } = incident;
  const cause = summaryOf(best);
  if (chosen === 'neighbour' && service !== null)
    return `${healthy(service, turn, tools)} But its neighbour ${symptom} is degraded. ${cause}`;
  const confidence = confidenceOf(best, incident, tools.view.gaps);
  const observations = relevantEvidence(best, incident, confidence, tools.evidenceStore, survey, tools.view);
  tools.evidenceStore.metric(primary.series, windowToShow(survey, primary.onset));
  const others = [...incident.affected.keys()].filter(
    (name) => name !== symptom && name !== best.candidate.node.name,
  );
  const ended = primary.end === null ? '' : ` Over since ${timeOfDay(primary.end)}.`;
  return [
    `**${symptom} ${primary.end === null ? 'is' : 'was'} degraded.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}.${ended}`,
    '',
    `**Most likely cause** (confidence ${confidence}): ${cause}`,
    '',
    ...observations.map(({ title, description }) => `- ${title}. ${description}`),
    ...(others.length > 0 ? ['', `Also affected: ${joinNames(others)}.`] : []),
  ].join('\n');
}

function healthy(service: string, { at }: Turn, { view, evidenceStore, now }: Tools): string {
  const window = { from: at - 60 * 60_000, to: at };
  const [is, when] = at === now ? ['is', ''] : ['was', ` at ${timeOfDay(at)}`];
  const levels = PROFILES.filter(({ measure }) => measure !== 'restarts').flatMap(({ measure }) => {
    const series = view.seriesOf(service, measure);
    const last = series && view.points(series, window).at(-1);
    return series && last ? [level(series.signal.label, last.value, series.signal.unit)] : [];
  });
  evidenceStore.measure(service, 'errors', window);
  evidenceStore.measure(service, 'latency', window);
  if (levels.length === 0)
    return `I see no metrics of ${service}${when}, so I can’t tell whether it ${is} healthy.`;
  return `**${service} ${is} healthy${when}.** All in the normal range: ${joinNames(levels.slice(0, 6))}.`;
}

function allHealthy(count: number): string {
  return `**All ${count} services are healthy.** Every metric is in its normal range.`;
}
