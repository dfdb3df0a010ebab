import { z } from 'zod';
import { PROFILES, survey } from '../investigation/anomalies.ts';
import { onsetOf } from '../investigation/candidates.ts';
import { confidenceOf } from '../investigation/confidence.ts';
import type { Diagnosis } from '../investigation/diagnose.ts';
import { earlierProblem } from '../investigation/earlier.ts';
import { amount, capitalize, duration, joinNames, level, timeOfDay } from '../investigation/format.ts';
import { namedIn } from '../investigation/names.ts';
import { partOf } from '../investigation/neighborhood.ts';
import { worstSeen } from '../investigation/place/incident.ts';
import { windowToShow } from '../investigation/words/artifacts.ts';
import { relevantEvidence } from '../investigation/words/evidence.ts';
import { headlineOf, summaryOf } from '../investigation/words/headline.ts';
import { movement } from '../investigation/words/movement.ts';
import { sentenceOnEarlier } from '../investigation/words/nothing.ts';
import { ruledOut } from '../investigation/words/ruled-out.ts';
import type { Series } from '../telemetry/model.ts';
import {
  blameOfChange,
  causeOf,
  certaintyOf,
  courseOfIssue,
  impactOf,
  isBlamed,
  momentOf,
  noAnswerFor,
  reasonsOf,
  statusOf,
  yesOrNo,
} from './about-issue.ts';
import { flapping } from './flapping.ts';
import { STALE, subjectOf } from './issue-scope.ts';
import { ownAlertOf } from './own-alert.ts';
import { type Found, services, tool } from './tool.ts';
import { type Brief, openBriefs } from './tools/brief.ts';
import { type Investigated, investigation } from './tools/investigation.ts';
import type { Facts, IssueOverview } from './types.ts';
import { EVERYTHING, type Expects, expectsOf } from './understand.ts';
import { briefInWords } from './words/brief.ts';
import { investigationInWords } from './words/investigation.ts';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** What is asked of the health of something. */
const ASPECTS = ['health', 'cause', 'status', 'since', 'impact', 'certainty', 'flapping'] as const;

const CHANGE = /\b(?:deploy|releas|roll|chang|version|commit|config)/iu;

export const health = tool({
  name: 'health',
  answers:
    'what is wrong with a service, with everything or with an issue: why, whether it goes on, since when, how often, who is affected, how sure that is',
  example: 'Why is {service} slow?',
  input: z.object({
    services,
    aspect: z.enum(ASPECTS).default('health'),
    /** What *yes* would mean, where the question is a yes/no question. */
    expects: z.enum(['over', 'ongoing']).nullable().default(null),
    /** Whether all services are meant, whatever the conversation is about. */
    whole: z.boolean().default(false),
    /** The past moment that it is about. */
    at: z.number().optional(),
    /** Of a certainty: what else it could be. Of a beginning: when it ended. Of a status: which way it goes. */
    further: z.boolean().default(false),
    /** Of a certainty: whether a change is meant. */
    blames: z.boolean().default(false),
    /** The question: what it says of a thing is looked at as the words of an alert are. */
    asked: z.string().max(1_000).default(''),
  }),
  fill: (turn, facts) => {
    const { question, words } = turn;
    const aspect = ASPECTS.find((one) => one === turn.aspect) ?? 'health';
    const further = {
      certainty: /\belse\b|\bother\b|alternativ|ruled? out/iu,
      since: /\b(?:recover|end(?:ed)?|stop|fixed|over|resolved|gone|back)/iu,
      status: /worse|better|improv|trend|recovering/iu,
    };
    return {
      services: [...turn.services],
      aspect,
      expects: expectsOf(question),
      whole: EVERYTHING.test(question),
      ...(turn.at < facts.now - 2 * MINUTE ? { at: turn.at } : {}),
      further:
        aspect === 'certainty' || aspect === 'since' || aspect === 'status'
          ? further[aspect].test(question)
          : false,
      blames: CHANGE.test(words),
      asked: question.slice(0, 1_000),
    };
  },
  run: async (args, facts) => {
    const open = await openOnes(args, facts);
    if (open.length > 0)
      return {
        data: { aspect: args.aspect, issues: open },
        text: briefInWords(open, facts.now),
        holds: args.expects === null ? null : args.expects === 'ongoing',
      };
    const found = await asAnIssue(args, facts);
    if (found !== null) return found;
    const { scope } = facts;
    const { text: said, holds = null } =
      args.aspect === 'certainty' && args.blames && facts.thread !== null
        ? await blameOfChange(facts.thread, args.services, facts)
        : answered(args, facts);
    const isUntold = args.aspect === 'status' && scope !== null && said === noAnswerFor(scope);
    const text = (isUntold && (await ownAlertOf(scope, facts, args.expects))) || said;
    const { incident, best } = facts.diagnose(subjectOf(args, facts));
    return {
      data: {
        aspect: args.aspect,
        issue: facts.issue?.number ?? null,
        service: subjectOf(args, facts),
        degraded: incident !== null && best !== null ? incident.symptom : null,
        since: incident === null ? null : new Date(incident.primary.onset).toISOString(),
        until: incident?.primary.end == null ? null : new Date(incident.primary.end).toISOString(),
      },
      text,
      holds,
    };
  },
});

interface HealthArgs {
  services: readonly string[];
  aspect: (typeof ASPECTS)[number];
  expects: Expects;
  whole: boolean;
  at?: number | undefined;
  further: boolean;
  blames: boolean;
  asked: string;
}

/**
 * What is open, goes on and is about what is asked, where what is seen now does not depart from what is usual: what lasts
 * for hours is usual, and not well.
 */
async function openOnes({ services: named, aspect, whole }: HealthArgs, facts: Facts): Promise<Brief[]> {
  const isOfAll = named.length === 0 && (whole || facts.thread === null);
  if (!(isOfAll || named.length === 1) || facts.context !== null) return [];
  if (!['health', 'cause', 'status'].includes(aspect)) return [];
  if (facts.thread !== null && named.every((one) => facts.thread?.services.includes(one))) return [];
  if (facts.diagnose(named[0] ?? null).incident !== null) return [];
  return (await openBriefs(facts)).filter(
    ({ state, services: own }) =>
      (state.is === 'ongoing' || state.is === 'settling') && named.every((one) => own.includes(one)),
  );
}

/** What is asked of several things is looked at for so many of them. */
const MOST_THINGS = 3;

/** A thing that is asked about is investigated as an issue on it would be; `null` for what an issue already says. */
async function asAnIssue(args: HealthArgs, facts: Facts): Promise<Found | null> {
  const { aspect, asked, services: named, whole } = args;
  const isMeant = (aspect === 'cause' || aspect === 'health') && asked !== '' && !facts.isOneOfSeveral;
  const isKnown =
    facts.thread !== null &&
    (named.length === 0 || named.some((one) => facts.thread?.services.includes(one)));
  const isTold = facts.thread === null && facts.context !== null;
  if (!isMeant || isKnown || isTold || (named.length === 0 && (whole || aspect === 'health'))) return null;
  const things = named.length === 0 ? [null] : named.slice(0, MOST_THINGS);
  const all: { found: Investigated; is: Condition; text: string }[] = [];
  for (const service of things) {
    const found = await investigation({ question: asked, service, at: args.at ?? facts.now }, facts);
    const is = conditionIn(found, service, facts);
    const record = recordOf(service, facts.diagnose(service), facts);
    const head = headOf(service, is, args, facts);
    const words =
      is === 'well' ? wellInWords(head, found, service, facts) : [investigationInWords(found, head)];
    const text = [...words, ...record].join('\n\n');
    all.push({ found, is, text });
  }
  const isAny = (condition: Condition) => all.some(({ is }) => is === condition);
  return {
    data: {
      aspect,
      investigations: all.map(({ found, is }, i) => ({ service: things[i] ?? null, is, ...found })),
    },
    text: [...new Set(all.map(({ text }) => text))].join('\n\n'),
    // The worst that is found anywhere says neither yes nor no of what telemetry does not know by name.
    holds:
      args.expects === null || named.length === 0
        ? null
        : isAny('ill')
          ? args.expects === 'ongoing'
          : isAny('unclear')
            ? null
            : args.expects === 'over',
  };
}

/** How the thing itself is, before what is wrong and why; `null` where only the cause can be said. */
function headOf(service: string | null, is: Condition, args: HealthArgs, facts: Facts): string | null {
  const { incident } = facts.diagnose(service);
  if (service === null) return null;
  if (is === 'well')
    return incident?.chosen === 'neighbour'
      ? `${healthy(service, args, facts)} But its neighbor ${incident.symptom} is degraded.`
      : healthy(service, args, facts);
  if (incident === null || incident.symptom !== service) return null;
  return `**${service} ${incident.primary.end === null ? 'is' : 'was'} degraded.**`;
}

/** What is well, what it was before, and what is wrong elsewhere. */
function wellInWords(
  head: string | null,
  { summary }: Investigated,
  service: string | null,
  facts: Facts,
): string[] {
  const elsewhere =
    summary === null || head?.includes('neighbor') === true ? summary : `Elsewhere: ${summary}`;
  return [head, earlierOf(service, facts), elsewhere].filter((one) => one !== null);
}

type Condition = 'ill' | 'well' | 'unclear';

/** How a thing is, as far as something was measured that could have shown the opposite. */
function conditionIn(found: Investigated, service: string | null, facts: Facts): Condition {
  const { incident } = facts.diagnose(service);
  const isOfNeighbor = incident?.chosen === 'neighbour' && service !== null;
  if (incident !== null && !isOfNeighbor && incident.primary.end === null) return 'ill';
  if (found.summary !== null && (service === null || isAbout(found, service, { isOfNeighbor }))) return 'ill';
  const isMeasured = service !== null && levelsOf(service, facts.now, facts).length > 0;
  return found.unread !== null || !isMeasured ? 'unclear' : 'well';
}

/** Whether what was found is about the thing, and not the worst elsewhere. */
function isAbout(
  { summary, overview, evidence }: Investigated,
  service: string,
  { isOfNeighbor }: { isOfNeighbor: boolean },
): boolean {
  const said = isOfNeighbor ? [summary] : [summary, overview, ...evidence.map(({ title }) => title)];
  return said.some((text) => text?.includes(service) === true);
}

function answered(args: HealthArgs, facts: Facts): Pick<Found, 'text' | 'holds'> {
  const { scope } = facts;
  switch (args.aspect) {
    case 'since':
      return {
        text: scope === null ? onsetFor(args, facts) : courseOfIssue(scope, facts, { end: args.further }),
      };
    case 'flapping':
      return flapping(args, facts);
    case 'status':
      return {
        text:
          scope === null
            ? recoveryFor(args, facts)
            : statusOf(scope, facts, { named: args.services, expects: args.expects, trend: args.further }),
      };
    case 'impact':
      return scope === null ? { text: affectedBy(args, facts) } : impactOf(scope, facts, args.services);
    case 'certainty':
      if (scope !== null)
        return {
          text: certaintyOf(scope, facts, { others: args.further }),
          holds: isBlamed(scope, { services: args.services, change: args.blames }),
        };
      return {
        text: facts.thread?.unknown
          ? noAnswerFor(facts.thread)
          : [...causeBeside(args, facts), evidenceFor(args, facts)].join(' '),
        holds:
          facts.thread === null
            ? null
            : isBlamed(facts.thread, { services: args.services, change: args.blames }),
      };
    default:
      return { text: conditionOf(args, facts) };
  }
}

function affectedBy(args: HealthArgs, facts: Facts): string {
  const service = subjectOf(args, facts);
  const { incident } = facts.diagnose(service);
  const first = args.expects === null ? '' : incident === null ? 'No: ' : 'Yes. ';
  if (incident === null)
    return `${first}${service ?? 'Nothing'} is ${service === null ? '' : 'not '}affected: ${service === null ? everythingIn(facts).replace(/^E/u, 'e') : 'it'} is healthy.`;
  const affected = [...new Set([incident.symptom, ...incident.affected.keys()])];
  const lines = affected.map((name) => {
    const [onset] = incident.affected.get(name) ?? [];
    return `- ${onset ? `${movement(name, onset)} at ${timeOfDay(onset.onset)}` : name}`;
  });
  return [`${first}**Affected:**`, '', ...lines].join('\n');
}

/** How it is, and why. */
function conditionOf(args: HealthArgs, facts: Facts): string {
  const { scope, thread } = facts;
  const asksWhy = args.aspect === 'cause';
  if (scope === null && thread !== null && asksWhy) {
    const others = args.services.filter((name) => !thread.services.includes(name));
    if (others.length < args.services.length)
      return [
        reasonsOf(thread, facts),
        ...others.map((name) => healthOf(name, args, facts.diagnose(name), facts)),
      ].join('\n\n');
  }
  if (scope !== null && !args.whole) {
    if (args.at !== undefined) return momentOf(args.at, scope, facts);
    if (asksWhy || scope.symptom === null) return reasonsOf(scope, facts);
    const cause = causeOf(scope);
    const status = statusOf(scope, facts, { named: args.services, expects: args.expects });
    return [status, ...(cause === null ? [] : [cause])].join('\n\n');
  }
  const { context } = facts;
  if (
    facts.issue === null &&
    context?.rootCause &&
    asksWhy &&
    args.services.every((one) => context.services.includes(one))
  )
    return `#${context.number} ${context.title}: ${context.rootCause}`;
  const subjects = args.services.length > 0 ? args.services.slice(0, 3) : [subjectOf(args, facts)];
  return subjects
    .flatMap((service) => {
      const diagnosis = facts.diagnose(service);
      const record = recordOf(service, diagnosis, facts);
      const health = healthOf(service, args, diagnosis, facts);
      // The cause on record counts, not another look with less to go by.
      return [
        record.length === 0 ? health : health.replace(/\n\n\*\*Most likely cause\*\*[\s\S]*$/u, ''),
        ...record,
      ];
    })
    .join('\n\n');
}

/** The cause of the thread's issue, where the question names something that is no part of it. */
function causeBeside({ services: named }: HealthArgs, { thread }: Facts): string[] {
  const cause = thread === null || named.length === 0 ? null : causeOf(thread);
  return cause === null ? [] : [cause];
}

/** An issue's alert comes so long after the problem at most, or is about other problem. */
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
  args: HealthArgs,
  { survey, incident, best, others }: Diagnosis,
  facts: Facts,
): string {
  const answer = (is: Exclude<Expects, null>) => yesOrNo(args.expects, is).replace(', ', '. ');
  if (!incident || !best) {
    const now = service === null ? allHealthy(survey.nodes.size, facts) : healthy(service, args, facts);
    const earlier = earlierOf(service, facts);
    const first = now.startsWith('I ') ? '' : answer('over');
    return `${first}${earlier === null ? now : `${now}\n\n${earlier}`}`;
  }
  const { symptom, primary, chosen } = incident;
  const cause = summaryOf(best);
  if (chosen === 'neighbour' && service !== null)
    return `${answer('over')}${healthy(service, args, facts)} But its neighbor ${symptom} is degraded. ${cause}`;
  const { view, evidenceStore } = facts;
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  const observations = relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  evidenceStore.metric(primary.series, windowToShow(survey, primary.onset));
  const affected = [...incident.affected.keys()].filter(
    (name) => name !== symptom && name !== best.candidate.node.name,
  );
  const ended = primary.end === null ? '' : ` Over since ${timeOfDay(primary.end)}.`;
  return [
    `${answer(primary.end === null ? 'ongoing' : 'over')}**${symptom} ${primary.end === null ? 'is' : 'was'} degraded.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}.${ended}`,
    '',
    `**Most likely cause** (confidence ${confidence}): ${cause}`,
    '',
    ...observations.map(({ title, description }) => `- ${title}. ${description}`),
    ...(affected.length > 0 ? ['', `Also affected: ${joinNames(affected)}.`] : []),
  ].join('\n');
}

function allHealthy(services: number, { view: { snapshot } }: Facts): string {
  if (snapshot.looked == null)
    return `**All ${services} services are healthy.** Every metric is in its normal range.`;
  const { services: read, of } = snapshot.looked;
  if (read.length === 0)
    return `**Nothing stands out.** None of ${of.toLocaleString('en-US')} services departs from what is usual for it.`;
  return `**Nothing stands out.** I looked at ${partOf(snapshot.looked)}, those that depart the most from what is usual for them, and every metric there is in its normal range.`;
}

/** `Everything`, or what of it was looked at. */
function everythingIn({ view: { snapshot } }: Facts): string {
  const { looked } = snapshot;
  return looked == null || looked.services.length === 0
    ? 'Everything'
    : `Everything I looked at (${partOf(looked)})`;
}

/** What is over, with its cause; `null` if there was nothing. */
function earlierOf(service: string | null, { view, evidenceStore, now }: Facts): string | null {
  const earlier = earlierProblem(view, service);
  if (earlier === null) return null;
  const { series, onset: from } = earlier.anomaly;
  evidenceStore.metric(series, { from: from - 25 * 60_000, to: now + 1 });
  // An open issue may know why.
  return sentenceOnEarlier(earlier).replace('; nothing shows why', '');
}

function healthy(
  service: string,
  { at: asked }: HealthArgs,
  { fine: view, evidenceStore, now }: Facts,
): string {
  const at = asked ?? now;
  const window = { from: at - 60 * 60_000, to: at + 1 };
  const [is, when] = at === now ? ['is', ''] : ['was', ` at ${timeOfDay(at)}`];
  const levels = levelsOf(service, at, { fine: view });
  evidenceStore.measure(service, 'errors', window);
  evidenceStore.measure(service, 'latency', window);
  if (levels.length === 0)
    return `I see no metrics of ${service}${when}, so I can’t tell whether it ${is} healthy.`;
  return `**${service} ${is} healthy${when}.** All in the normal range: ${joinNames(levels.slice(0, 6))}.`;
}

/** What is measured of a service at a moment. */
function levelsOf(service: string, at: number, { fine: view }: Pick<Facts, 'fine'>): string[] {
  const window = { from: at - 60 * MINUTE, to: at + 1 };
  return PROFILES.filter(({ measure }) => measure !== 'restarts').flatMap(({ measure }) => {
    const series = view.seriesOf(service, measure);
    const last = series && view.points(series, window).at(-1);
    if (!series || !last) return [];
    const { label, unit } = series.signal;
    // A moment, in seconds since the epoch, is no length of time.
    const ago = at - last.value * 1000;
    const isMoment = unit === 's' && Math.abs(ago) < 20 * YEAR && last.value > YEAR / 1000;
    return [isMoment ? `${label} ${duration(Math.abs(ago))} ago` : level(label, last.value, unit)];
  });
}

function onsetFor(args: HealthArgs, facts: Facts): string {
  const service = subjectOf(args, facts);
  const { survey, incident, best } = facts.diagnose(service);
  if (!incident || !best)
    return `${service ?? everythingIn(facts)} is healthy. ${earlierOf(service, facts) ?? 'It has been for at least 90 min.'}`;
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

function recoveryFor(args: HealthArgs, facts: Facts): string {
  const service = subjectOf(args, facts);
  const { survey, incident } = facts.diagnose(service);
  const stale = staleSince(service, facts);
  if (stale !== null)
    return `I can’t tell: the newest sample of ${service ?? 'any service'} is from ${timeOfDay(stale)}.`;
  if (incident !== null && incident.chosen !== 'neighbour') {
    const { symptom, primary } = incident;
    facts.evidenceStore.metric(primary.series, { from: primary.onset - 25 * MINUTE, to: facts.now + 1 });
    const { unit } = primary.series.signal;
    const newest = newestOf(primary.series, facts);
    const is = newest === null ? '' : `, and it is at ${amount(newest, unit)} now`;
    return primary.end === null
      ? `**${capitalize(`${yesOrNo(args.expects, 'ongoing')}ongoing`)}.** ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}${is} (normally ${amount(primary.before, unit)}).`
      : `**${capitalize(`${yesOrNo(args.expects, 'over')}over since ${timeOfDay(primary.end)}`)}**, after ${duration(primary.end - primary.onset)}. ${movement(symptom, primary)} at ${timeOfDay(primary.onset)}, and has been back to normal since then.`;
  }
  const first = yesOrNo(args.expects, 'over').replace(', ', '. ');
  return `${first}${
    earlierOf(service, facts) ??
    `${service ?? everythingIn(facts)} is healthy: nothing left its normal range in the last ${Math.round((facts.now - survey.window.from) / MINUTE)} min.`
  }`;
}

/** The newest value of a series, as finely as it is sampled. */
function newestOf({ service, signal, instance }: Series, { fine, now }: Facts): number | null {
  const same = fine.series(service).find((one) => one.signal.id === signal.id && one.instance === instance);
  return (same && fine.points(same, { from: 0, to: now + 1 }).at(-1)?.value) ?? null;
}

/** The time of the newest sample, if that is too old to describe the present. */
function staleSince(service: string | null, { fine: view, now }: Facts): number | null {
  const all = service === null ? view.snapshot.series : view.series(service);
  const newest = Math.max(...all.map(({ points: { times } }) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(newest) && now - newest > STALE ? newest : null;
}

function evidenceFor(args: HealthArgs, facts: Facts): string {
  const service = subjectOf(args, facts);
  const { survey, present, incident, best, others } = facts.diagnose(service);
  if (!incident || !best)
    return `${service ?? everythingIn(facts)} is healthy, so there is no cause to look for.`;
  const { view, evidenceStore } = facts;
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  const found = relevantEvidence(best, incident, confidence, evidenceStore, survey, view);
  const rejected = ruledOut(best, incident, survey, evidenceStore, view, present);
  return [
    `${capitalize(headlineOf(best))}, confidence **${confidence}**. Evidence:`,
    '',
    ...found.map(({ title, description }) => `- ${title}. ${description}`),
    '',
    '**Ruled out**',
    ...rejected.map(({ title, description }) => `- ${title}. ${description}`),
  ].join('\n');
}
