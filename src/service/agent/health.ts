import { PROFILES } from '../investigation/anomalies.ts';
import { onsetOf } from '../investigation/candidates.ts';
import {
  confidenceOf,
  type Diagnosis,
  earlierTrouble,
  headlineOf,
  summaryOf,
} from '../investigation/diagnose.ts';
import { relevantEvidence, ruledOut, windowToShow } from '../investigation/evidence.ts';
import { capitalize, duration, joinNames, level, timeOfDay } from '../investigation/format.ts';
import { movement, type Remedy } from '../investigation/kinds/observations.ts';
import { bestNamed } from '../investigation/names.ts';
import type { Facts, IssueOverview, Tool } from './types.ts';
import type { Turn } from './understand.ts';

/** How long has it been failing? */
export const onset: Tool = {
  name: 'onset',
  example: 'How long has {service} been failing?',
  matches: ({ question }) =>
    /since when|when did|when was|how long|when .*(?:start|began|begin)/iu.test(question),
  answer: onsetFor,
};

/** Asks whether what was done helped, not what to do. */
export const HELPED = /\b(?:did|has|have|is|was)\b.*\b(?:help(?:ed|ing)?|work(?:ed|ing)?)\b/iu;

/** What should I do? */
export const advice: Tool = {
  name: 'advice',
  example: 'What should I do about {service}?',
  matches: ({ question }) =>
    !HELPED.test(question) &&
    /what (?:should|can|do|must|shall) (?:i|we)|what now|what next|how (?:do|can|should|to)\b.*\b(?:fix|solve|repair|stop|mitigat|resolv)|\bfix\b|mitigat|remed|next step|roll ?back|\bsteps?\b/iu.test(
      question,
    ),
  answer: adviceFor,
};

/** How sure are you? What was ruled out? */
export const evidence: Tool = {
  name: 'evidence',
  example: 'What did you rule out for {service}?',
  matches: ({ question }) =>
    /\bruled? out\b|\bhow (?:sure|certain|confident)\b|\bare you (?:sure|certain)\b|\bconfidence\b|\bevidence\b|\bproof\b|\bhow do you know\b/iu.test(
      question,
    ),
  answer: evidenceFor,
};

/** Why is payments degraded? How is the shop? */
export const health: Tool = {
  name: 'health',
  example: 'Why is {service} slow?',
  matches: ({ question }) =>
    /\bwhy\b|wrong|happen|going on|unwell|unhealthy|health|cause|reason|problem|how (?:is|are|was|were)|\b(?:ok|okay|fine|up|down|broken|slow|failing|recovered|better)\b/iu.test(
      question,
    ),
  answer(turn, facts) {
    const subjects = turn.services.length > 0 ? turn.services.slice(0, 3) : [subjectOf(turn, facts)];
    const answers = subjects.map((service) => healthOf(service, turn, facts.diagnose(service), facts));
    const cause = turn.named.length > 0 ? null : recordedCause(facts.issue);
    return [...(cause === null ? [] : [cause]), ...answers].join('\n\n');
  },
};

/** The service that a turn is about, taken from its issue if necessary; `null` if there is none. */
export function subjectOf(turn: Turn, { view, issue }: Facts): string | null {
  const first = turn.services[0];
  if (first !== undefined) return first;
  if (issue === null) return null;
  const services = view.services().map(({ name }) => name);
  return bestNamed([issue.title, issue.rootCauseSummary], services);
}

export function recordedCause(issue: IssueOverview | null): string | null {
  return issue?.rootCauseSummary ? `Root cause of #${issue.number}: ${issue.rootCauseSummary}` : null;
}

function healthOf(
  service: string | null,
  turn: Turn,
  { survey, incident, best, others }: Diagnosis,
  facts: Facts,
): string {
  if (!incident || !best) {
    const now =
      service === null
        ? `**All ${survey.nodes.size} services are healthy.** Every metric is in its normal range.`
        : healthy(service, turn, facts);
    const earlier = earlierOf(service, facts);
    return earlier === null ? now : `${now}\n\n${earlier}`;
  }
  const { symptom, primary, chosen } = incident;
  const cause = summaryOf(best);
  if (chosen === 'neighbour' && service !== null)
    return `${healthy(service, turn, facts)} But its neighbour ${symptom} is degraded. ${cause}`;
  const { view, evidenceStore } = facts;
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  const observations = relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  evidenceStore.metric(primary.series, windowToShow(survey, primary.onset));
  const affected = [...incident.affected.keys()].filter(
    (name) => name !== symptom && name !== best.candidate.node.name,
  );
  const ended = primary.end === null ? '' : ` Over since ${timeOfDay(primary.end)}.`;
  return [
    `**${symptom} ${primary.end === null ? 'is' : 'was'} degraded.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}.${ended}`,
    '',
    `**Most likely cause** (confidence ${confidence}): ${cause}`,
    '',
    ...observations.map(({ title, description }) => `- ${title}. ${description}`),
    ...(affected.length > 0 ? ['', `Also affected: ${joinNames(affected)}.`] : []),
  ].join('\n');
}

/** What is over, with its cause; `null` if there was nothing. */
export function earlierOf(service: string | null, { view, evidenceStore, now }: Facts): string | null {
  const earlier = earlierTrouble(view, service);
  if (earlier === null) return null;
  const { series, onset: from } = earlier.anomaly;
  evidenceStore.metric(series, { from: from - 25 * 60_000, to: now + 1 });
  return earlier.sentence;
}

function healthy(service: string, { at }: Turn, { view, evidenceStore, now }: Facts): string {
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

function onsetFor(turn: Turn, facts: Facts): string {
  const service = subjectOf(turn, facts);
  const { survey, incident, best } = facts.diagnose(service);
  if (!incident || !best) {
    const cause = recordedCause(facts.issue);
    const earlier = earlierOf(service, facts) ?? 'It has been for at least 90 min.';
    return `${service ?? 'Everything'} is healthy. ${earlier}${cause === null ? '' : ` ${cause}`}`;
  }
  const shown = windowToShow(survey, best.candidate.onset);
  const order = [...incident.affected]
    .map(([name, anomalies]) => {
      const at = onsetOf(anomalies);
      return { name, at, first: anomalies.find(({ onset }) => onset === at) };
    })
    .sort((a, b) => a.at - b.at);
  for (const { first } of order.slice(0, 4)) if (first) facts.evidenceStore.metric(first.series, shown);
  const startedAt = Math.min(...order.map(({ at }) => at));
  const { end } = incident.primary;
  const until = end === null ? `${duration(facts.now - startedAt)} ago, ongoing` : `until ${timeOfDay(end)}`;
  return [
    `**Since ${timeOfDay(startedAt)}** (${until}):`,
    '',
    ...order.map(({ name, at, first }) => `- ${timeOfDay(at)}: ${first ? movement(name, first) : name}`),
  ].join('\n');
}

function adviceFor(turn: Turn, facts: Facts): string {
  const issue = turn.named.length > 0 && turn.numberNamed === null ? null : facts.issue;
  const service = subjectOf(turn, facts);
  const { survey, incident, best, others } = facts.diagnose(service);
  const proposed = issue ? proposalsOf(issue) : null;
  // What the investigation proposed holds until another one says otherwise.
  const remediesNow = best?.kind.remedies(best.candidate, best.assessment) ?? [];
  const isSame = issue?.remediation.every((title) => remediesNow.some((remedy) => remedy.title === title));
  if (proposed !== null && !isSame) return proposed;
  // A live cause counts if nothing is recorded, or if the service in question is known.
  if (!incident || !best || (issue && service === null))
    return proposed ?? `${service ?? 'Everything'} is healthy right now, so there is nothing to do.`;
  const { view, evidenceStore } = facts;
  relevantEvidence(
    best,
    incident,
    confidenceOf(best, incident, { gaps: view.gaps, others }),
    evidenceStore,
    survey,
    view,
  );
  const later = remediesNow
    .filter(({ category }) => category === 'follow_up')
    .map(({ title }) => `- ${title}`);
  return [
    `${summaryOf(best)} Do this first:`,
    '',
    ...remediesNow.filter(({ category }) => category === 'immediate').map(inFull),
    ...(later.length > 0 ? ['', '**Follow-up**', ...later] : []),
  ].join('\n');
}

function proposalsOf(issue: IssueOverview): string | null {
  if (issue.remediation.length === 0) return null;
  const cause = recordedCause(issue);
  return [
    ...(cause === null ? [] : [cause, '']),
    `The investigation of #${issue.number} suggests:`,
    '',
    ...issue.remediation.map((title) => `- ${title}`),
  ].join('\n');
}

function inFull({ title, description, steps }: Remedy): string {
  const lines = steps.map((step, i) => {
    const content = step.type === 'command' ? `\`${step.content}\`` : step.content;
    return `${i + 1}. ${step.title}${step.required ? '' : ' (optional)'}: ${content}`;
  });
  return [`**${title}.** ${description}`, '', ...lines].join('\n');
}

function evidenceFor(turn: Turn, facts: Facts): string {
  const recorded = turn.named.length > 0 ? null : recordedCause(facts.issue);
  const reasons = reasonsFor(turn, facts);
  if (reasons !== null) return [...(recorded === null ? [] : [recorded, '']), reasons].join('\n');
  const what = subjectOf(turn, facts) ?? 'Everything';
  return recorded === null
    ? `${what} is healthy, so there is no cause to look for.`
    : `${recorded} ${what} is healthy again.`;
}

/** What speaks for the cause and against others, and how sure that is; `null` if nothing is wrong. */
export function reasonsFor(turn: Turn, facts: Facts): string | null {
  const { survey, incident, best, others } = facts.diagnose(subjectOf(turn, facts));
  if (!incident || !best) return null;
  const { view, evidenceStore } = facts;
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  const found = relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  const rejected = ruledOut(best, others, incident, survey, evidenceStore, view);
  return [
    `${capitalize(headlineOf(best))}, confidence **${confidence}**. Evidence:`,
    '',
    ...found.map(({ title, description }) => `- ${title}. ${description}`),
    '',
    '**Ruled out**',
    ...rejected.map(({ title, description }) => `- ${title}. ${description}`),
  ].join('\n');
}
