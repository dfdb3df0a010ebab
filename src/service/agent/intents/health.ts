import type { Diagnosis } from '../../investigation/diagnose.ts';
import { relevantEvidence, windowToShow } from '../../investigation/evidence.ts';
import { movement } from '../../investigation/kinds/clues.ts';
import { SIGNALS } from '../../investigation/signals.ts';
import { confidenceOf } from '../../investigation/verdict.ts';
import { level, listed, sentence, timeOfDay } from '../../investigation/words.ts';
import { briefOf, lookAt, subjectOf } from '../diagnosis.ts';
import type { Intent, Tools, Turn } from '../types.ts';

/** Why is payments unwell? How is the shop? */
export const health: Intent = {
  name: 'health',
  example: 'Why is payments slow?',
  matches: ({ question }) =>
    /\bwhy\b|wrong|happen|going on|unwell|unhealthy|health|cause|reason|problem|how (?:is|are|was|were)|\b(?:ok|okay|fine|up|down|broken|slow|failing|recovered|better)\b/iu.test(
      question,
    ),
  answer(turn, tools) {
    const subjects = turn.services.length > 0 ? turn.services.slice(0, 3) : [subjectOf(turn, tools)];
    const answers = subjects.map((service) => healthOf(service, turn, lookAt(service, turn, tools), tools));
    const brief = turn.named.length > 0 ? null : briefOf(turn, tools.issues);
    const recorded = brief?.rootCauseSummary
      ? [`The investigation of #${brief.number} found: ${brief.rootCauseSummary}`]
      : [];
    return [...recorded, ...answers].join('\n\n');
  },
};

function healthOf(
  service: string | null,
  turn: Turn,
  { survey, scene, best }: Diagnosis,
  tools: Tools,
): string {
  if (!scene || !best) return service === null ? allWell(survey.nodes.size) : well(service, turn, tools);
  const { symptom, primary, chosen } = scene;
  const cause = `${best.suspect.node.name} ${best.reading.what}.`;
  if (chosen === 'neighbour' && service !== null)
    return `${well(service, turn, tools)} But ${symptom}, next to it, is not: ${cause}`;
  const confidence = confidenceOf(best, scene);
  const clues = relevantEvidence(best, scene, confidence, tools.cabinet, survey, tools.telemetry);
  tools.cabinet.metric(symptom, primary.signal.metric, windowToShow(survey, primary.onset));
  const others = [...scene.unwell.keys()].filter(
    (name) => name !== symptom && name !== best.suspect.node.name,
  );
  const ended = primary.end === null ? '' : ` It was over at ${timeOfDay(primary.end)}.`;
  return [
    `**${symptom} ${primary.end === null ? 'is' : 'was'} unwell.** ${sentence(movement(symptom, primary))}, from ${timeOfDay(primary.onset)}.${ended}`,
    '',
    `**Most likely cause** (confidence ${confidence}): ${cause}`,
    '',
    ...clues.map(({ title, description }) => `- ${title}. ${description}`),
    ...(others.length > 0 ? ['', `Also affected on the way: ${listed(others)}.`] : []),
  ].join('\n');
}

function well(service: string, { at }: Turn, { telemetry, cabinet, now }: Tools): string {
  const window = { from: at - 60 * 60_000, to: at };
  const [is, when] = at === now ? ['is', ''] : ['was', ` at ${timeOfDay(at)}`];
  const reported = telemetry.metricNames(service);
  const levels = SIGNALS.filter(({ metric }) => metric !== 'process.restarts').flatMap(
    ({ metric, label }) => {
      const info = reported.find(({ name }) => name === metric);
      const last = info && telemetry.metric(service, metric, window).at(-1);
      return info && last ? [level(label, last.value, info.unit)] : [];
    },
  );
  cabinet.metric(service, 'errors.ratio', window);
  cabinet.metric(service, 'latency.p95', window);
  return `**${service} ${is} well${when}.** Nothing there ${is} out of its usual range: ${listed(levels.slice(0, 6))}.`;
}

function allWell(count: number): string {
  return `**All ${count} services are well.** No metric is out of its usual range.`;
}
