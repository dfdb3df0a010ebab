import { PROFILES, survey } from '../investigation/anomalies.ts';
import { onsetOf } from '../investigation/candidates.ts';
import {
  confidenceOf,
  type Diagnosis,
  earlierTrouble,
  headlineOf,
  summaryOf,
} from '../investigation/diagnose.ts';
import { relevantEvidence, ruledOut, windowToShow } from '../investigation/evidence.ts';
import { amount, capitalize, duration, joinNames, level, timeOfDay } from '../investigation/format.ts';
import { worstSeen } from '../investigation/incident.ts';
import { movement, type Remedy } from '../investigation/kinds/observations.ts';
import { namedIn } from '../investigation/names.ts';
import {
  cannotTell,
  causeOf,
  certaintyOf,
  checklistOf,
  courseOfIssue,
  impactOf,
  momentOf,
  reasonsOf,
  statusOf,
} from './about-issue.ts';
import { STALE } from './issue-scope.ts';
import type { Facts, IssueOverview, Tool } from './types.ts';
import { EVERYTHING, type Turn } from './understand.ts';

/** How long has it been failing? When did it recover? */
export const onset: Tool = {
  name: 'onset',
  example: 'How long has {service} been failing?',
  matches: ({ question }) =>
    /since when|when did|when was|when has|how long|how old|when .*(?:start|began|begin|recover|end|over)|what time/iu.test(
      question,
    ) && !/\b(?:deployed|released|rolled (?:out|back)|changed)\b/iu.test(question),
  answer: (turn, facts) =>
    facts.scope === null ? onsetFor(turn, facts) : courseOfIssue(turn, facts.scope, facts),
};

/** What should I do? */
export const advice: Tool = {
  name: 'advice',
  example: 'What should I do about {service}?',
  matches: ({ question }) =>
    !/^\W*who\b/iu.test(question) &&
    /what (?:should|can|do|must|shall) (?:i|we)|what now|what next|how (?:do|can|should|to)\b.*\b(?:fix|solve|repair|stop|mitigat|resolv)|\b(?:should|can|could|do) (?:i|we)\b|^\W*(?:how to )?fix\b|mitigat|remed|next step|\broll ?back\?|(?:safe|risky?) to\b|workaround|runbook|checklist|\bsteps?\b/iu.test(
      question,
    ),
  answer: (turn, facts) =>
    facts.scope === null ? adviceFor(turn, facts) : checklistOf(turn, facts.scope, facts),
};

/** How sure are you? What was ruled out? What else could it be? Is it the database? */
export const evidence: Tool = {
  name: 'evidence',
  example: 'What did you rule out for {service}?',
  matches: ({ question }) =>
    /\bruled? out\b|\bhow (?:sure|certain|confident|likely)\b|\byou (?:really )?(?:sure|certain)\b|\bconfiden|\bevidence\b|\bproof\b|\bhow do you know\b|\bwhat else\b|\b(?:could|can|might) it\b.*\bbe\b|\bother (?:causes?|explanations?|reasons?|suspects?)\b|\balternative|^\W*really\b|\binvolved\b|\bfalse (?:alarm|positive)|\bis (?:this|it) real\b|^\W*(?:is|was) (?:it|this|that) (?:really |just )?(?:the|an?|because|due|caused)\b|^\W*(?:is|was|are|were|so)\b.*\b(?:causes?|reasons?|culprit|fault|to blame)\b/iu.test(
      question,
    ),
  answer: (turn, facts) =>
    facts.scope === null
      ? facts.thread?.unknown
        ? cannotTell(facts.thread)
        : [...causeBeside(turn, facts), evidenceFor(turn, facts)].join(' ')
      : certaintyOf(turn, facts.scope, facts),
};

/** Is it over? How bad is it? */
export const recovery: Tool = {
  name: 'recovery',
  example: 'Is it over?',
  matches: ({ question }) =>
    !/\bversions?\b/iu.test(question) &&
    /\b(?:is|are|has|have|did)\s+(?:it|this|that|things|we|the \w+|[\w-]+)\s+(?:all\s+)?(?:over|recover(?:ed)?|resolved?|fixed|cleared|stop(?:ped)?|ended?|back to normal|healthy again|good again|getting (?:better|worse)|improving|ongoing|better|worse|stable)\b|\bstill\b|\bongoing\b|^\W*(?:is )?(?:all )?(?:over|recovered|fixed|better|worse)\W*$|^\W*(?:and )?now\W*$|\blook(?:s|ed)? like\b|\bgetting (?:better|worse)\b/iu.test(
      question,
    ),
  answer: (turn, facts) =>
    facts.scope === null ? recoveryFor(turn, facts) : statusOf(turn, facts.scope, facts),
};

/** Who is affected? How bad is it? */
export const impact: Tool = {
  name: 'impact',
  example: 'Who is affected?',
  matches: ({ question }) =>
    /affect|impact|\bblast|\bhow (?:bad|serious|severe|big|urgent|critical)\b|\bhow many\b.*\b(?:fail|error)|\bseverity\b|\bdowntime\b|\b(?:the )?(?:numbers|stats)\b|\bhit by\b/iu.test(
      question,
    ),
  answer: (turn, facts) => {
    const { scope } = facts;
    if (scope !== null) return impactOf(scope, facts);
    const service = subjectOf(turn, facts);
    const { incident } = facts.diagnose(service);
    if (incident === null) return `${service ?? 'Everything'} is not affected: it is healthy.`;
    const affected = [...new Set([incident.symptom, ...incident.affected.keys()])];
    const lines = affected.map((name) => {
      const [first] = incident.affected.get(name) ?? [];
      return `- ${first ? `${movement(name, first)} at ${timeOfDay(first.onset)}` : name}`;
    });
    return ['**Affected:**', '', ...lines].join('\n');
  },
};

/** Why? What happened? How is the shop? */
export const health: Tool = {
  name: 'health',
  example: 'Why is {service} slow?',
  matches: ({ question, metricNamed }) =>
    WHY.test(question) ||
    // `Show the instances up`, `graph slow queries`: a series, whatever its name says.
    ((metricNamed === null || !/^\W*(?:show|graph|plot|chart|draw|give|display)\b/iu.test(question)) &&
      HOW.test(question)),
  answer(turn, facts) {
    const { scope } = facts;
    const { thread } = facts;
    if (scope === null && thread !== null && WHY.test(turn.question)) {
      const others = turn.named.filter((name) => !thread.services.includes(name));
      if (others.length < turn.named.length)
        return [
          reasonsOf(thread, facts),
          ...others.map((name) => healthOf(name, turn, facts.diagnose(name), facts)),
        ].join('\n\n');
    }
    if (scope !== null && !EVERYTHING.test(turn.question)) {
      if (turn.timed && turn.at < facts.now - 2 * MINUTE) return momentOf(turn, scope, facts);
      if (WHY.test(turn.question) || scope.symptom === null) return reasonsOf(scope, facts);
      const cause = causeOf(scope);
      return [statusOf(turn, scope, facts), ...(cause === null ? [] : [cause])].join('\n\n');
    }
    const { context, number, named } = turn;
    if (facts.issue === null && context?.rootCause && named.length === 0 && WHY.test(turn.question))
      return `#${number} ${context.title}: ${context.rootCause}`;
    const subjects = turn.services.length > 0 ? turn.services.slice(0, 3) : [subjectOf(turn, facts)];
    return subjects
      .flatMap((service) => {
        const diagnosis = facts.diagnose(service);
        const record = recordOf(service, diagnosis, facts);
        const health = healthOf(service, turn, diagnosis, facts);
        // The cause on record counts, not another look with less to go by.
        return [
          record.length === 0 ? health : health.replace(/\n\n\*\*Most likely cause\*\*[\s\S]*$/u, ''),
          ...record,
        ];
      })
      .join('\n\n');
  },
};

/** The cause of the thread's issue, where the question names something that is no part of it. */
function causeBeside({ named }: Turn, { thread }: Facts): string[] {
  const cause = thread === null || named.length === 0 ? null : causeOf(thread);
  return cause === null ? [] : [cause];
}

/** Asks how something is. */
const HOW =
  /wrong|happen|going on|unwell|unhealthy|health|problem|how (?:is|are|was|were)|how's|\bstatus\b|\b(?:ok|okay|fine|up|down|broken|slow|failing|fails?|recovered|better)\b/iu;

/** Asks for the cause, or what it is about. */
const WHY =
  /\bwhy\b|\bcaus(?:e|ed|ing)\b|\breasons?\b|what (?:happen|is (?:this|it|going|wrong|broken)|was (?:it|this|that)|went|broke)|what's (?:this|it|going|wrong|broken|up)|summar|\btl;?dr\b|\bexplain|\bhow come\b|this issue|\bdetails?\b/iu;
const MINUTE = 60_000;

/** The service that a turn is about, taken from its issue if necessary; `null` if there is none. */
export function subjectOf(turn: Turn, { scope }: Facts): string | null {
  return turn.services[0] ?? scope?.symptom ?? null;
}

/** An issue's alert comes so long after the trouble at most, or is about other trouble. */
const SAME_EPISODE = 60 * MINUTE;

/** The open issue about what a service has, or had: its result counts, whatever is seen from here. */
function recordOf(service: string | null, { incident }: Diagnosis, facts: Facts): string[] {
  const names = facts.view.services().map(({ name }) => name);
  const seen = incident?.primary ?? worstSeen(survey(facts.view), service);
  const subject = service ?? seen?.series.service;
  const isAbout = ({ title, rootCauseSummary }: IssueOverview) =>
    [title, rootCauseSummary?.split(':')[0] ?? ''].some((text) =>
      namedIn(text, names).some((found) => found.score === 1 && found.service === subject),
    );
  const issue = facts.open.find(
    (one) =>
      one.rootCauseSummary !== null &&
      Math.abs(one.triggeredAt - (seen?.onset ?? 0)) <= SAME_EPISODE &&
      isAbout(one),
  );
  return issue === undefined ? [] : [`#${issue.number} is about it: ${issue.rootCauseSummary}`];
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
function earlierOf(service: string | null, { view, evidenceStore, now }: Facts): string | null {
  const earlier = earlierTrouble(view, service);
  if (earlier === null) return null;
  const { series, onset: from } = earlier.anomaly;
  evidenceStore.metric(series, { from: from - 25 * 60_000, to: now + 1 });
  // An open issue may know why.
  return earlier.sentence.replace('; nothing shows why', '');
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
  if (!incident || !best)
    return `${service ?? 'Everything'} is healthy. ${earlierOf(service, facts) ?? 'It has been for at least 90 min.'}`;
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

function recoveryFor(turn: Turn, facts: Facts): string {
  const service = subjectOf(turn, facts);
  const { survey, incident } = facts.diagnose(service);
  const stale = staleSince(service, facts);
  if (stale !== null)
    return `I can’t tell: the newest sample of ${service ?? 'any service'} is from ${timeOfDay(stale)}.`;
  if (incident !== null && incident.chosen !== 'neighbour') {
    const { symptom, primary } = incident;
    facts.evidenceStore.metric(primary.series, { from: primary.onset - 25 * MINUTE, to: facts.now + 1 });
    const now = primary.series.points.values.at(-1);
    const { unit } = primary.series.signal;
    const is = now === undefined ? '' : `, and it is at ${amount(now, unit)} now`;
    return primary.end === null
      ? `**Ongoing.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}${is} (normally ${amount(primary.before, unit)}).`
      : `**Over since ${timeOfDay(primary.end)}.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}, and has been back to normal since then.`;
  }
  return (
    earlierOf(service, facts) ??
    `${service ?? 'Everything'} is healthy: nothing left its normal range in the last ${Math.round((facts.now - survey.window.from) / MINUTE)} min.`
  );
}

/** The time of the newest sample, if that is too old to describe the present. */
function staleSince(service: string | null, { view, now }: Facts): number | null {
  const all = service === null ? view.snapshot.series : view.series(service);
  const newest = Math.max(...all.map(({ points: { times } }) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) && now - newest > STALE ? newest : null;
}

function adviceFor(turn: Turn, facts: Facts): string {
  const service = subjectOf(turn, facts);
  const { survey, incident, best, others } = facts.diagnose(service);
  if (!incident || !best)
    return `${service ?? 'Everything'} is healthy right now, so there is nothing to do.`;
  const { view, evidenceStore } = facts;
  const remedies = best.kind.remedies(best.candidate, best.assessment);
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  const later = remedies.filter(({ category }) => category === 'follow_up').map(({ title }) => `- ${title}`);
  return [
    `${summaryOf(best)} Do this first:`,
    '',
    ...remedies.filter(({ category }) => category === 'immediate').map(inFull),
    ...(later.length > 0 ? ['', '**Follow-up**', ...later] : []),
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
  const service = subjectOf(turn, facts);
  const { survey, incident, best, others } = facts.diagnose(service);
  if (!incident || !best) return `${service ?? 'Everything'} is healthy, so there is no cause to look for.`;
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
