import type { Findings, RootCause } from '../../../contract/schema.ts';
import { distinctBy } from '../../telemetry/collect.ts';
import type { Change } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';
import { type Case, hasLogs } from '../case.ts';
import { cameAndWent } from '../episodes.ts';
import { amount, duration, joinNames, timeOfDay } from '../format.ts';
import { exhaustedAt, type Hypothesis } from '../hypothesis.ts';
import { isAtLimit } from '../kinds/kind.ts';
import { affectedCallers, type Incident, ownerOf } from '../place/incident.ts';
import { sameChange, takenBackBy } from '../ranking/blamed-change.ts';
import { callGraph } from '../ranking/share-blame.ts';
import {
  evidenceOfLines,
  evidenceOfRoute,
  evidenceOfRule,
  evidenceOutside,
  relevantEvidence,
} from './evidence.ts';
import { summaryOf } from './headline.ts';
import { effectOf } from './kinds.ts';
import { lookedAtSentence, uncheckedSentence } from './looked-at.ts';
import { began, movement } from './movement.ts';
import { remediationFor } from './remediation.ts';
import { ruledOut } from './ruled-out.ts';
import type { Telling } from './telling.ts';
import { timelineOf } from './timeline.ts';
import { causalTrees } from './tree.ts';

/** The suspects that the verdict does not name already. */
function otherThan({ assessment }: Hypothesis, suspects: readonly Change[]): readonly Change[] {
  const named = assessment.observations.flatMap((one) => (one.type === 'change' ? [one.change] : []));
  return suspects.filter((suspect) => !named.some((one) => sameChange(one, suspect)));
}

/** Other resources at their limit, where the first explanation is or needs them: two facts, the first to begin first. */
function exhaustedBeside(
  best: Hypothesis,
  others: readonly Hypothesis[],
  rival: Hypothesis | null,
): readonly Hypothesis[] {
  const { node } = best.candidate;
  const near = new Set([node.name, ...node.calls]);
  return (
    others
      .filter((one) => one !== rival && near.has(one.candidate.node.name) && isAtLimit(one.assessment))
      // Memory that is full may hold what was read from disk: alone it is no leak.
      .filter(({ kind, assessment: { signs } }) => kind.name !== 'memory leak' || signs.killed !== undefined)
      .toSorted((a, b) => exhaustedAt(a) - exhaustedAt(b))
  );
}

/** What is said of a cause: the verdict, the evidence for it, what was ruled out, and what to do. */
export function causeFound(telling: Telling, incident: Incident, best: Hypothesis): Findings {
  const { of, evidenceStore, id } = telling;
  const { issue, survey: seen, view, hypotheses, changes, proven } = of;
  const { rival, confidence } = proven;
  const others = hypotheses.slice(1);
  const suspects = otherThan(best, changes.suspects);
  const likely = rival === null ? [best] : [best, rival];
  const also = exhaustedBeside(best, others, rival);
  const rest = others.filter((other) => other.candidate !== rival?.candidate && !also.includes(other));
  const rootCause: RootCause = {
    id: id(),
    incidentOverview: overviewOf(of, incident, best, { rest, suspects }),
    rootCauseSummary: [likely.map(summaryOf).join(' About as likely: '), ...also.map(summaryOf)].join(
      ' Also: ',
    ),
    // Two causes of one symptom may share evidence.
    relevantEvidence: distinctBy(
      [
        ...[...likely, ...also].flatMap((one) =>
          relevantEvidence(one, incident, confidence, evidenceStore, seen, view),
        ),
        ...evidenceOfLines(telling, likely),
        ...evidenceOutside(proven.outside),
        ...evidenceOfRoute(telling, incident),
        ...evidenceOfRule(telling, best.candidate.onset),
      ],
      ({ title }) => title,
    ),
    irrelevantEvidence: ruledOut(best, incident, seen, evidenceStore, view, of.present),
  };
  return {
    rootCause,
    ...causalTrees({ best, rival }, confidence, incident, seen, evidenceStore, view),
    remediation: { actions: actionsFor(telling, incident, { found: [...likely, ...also], suspects }) },
    timeline: timelineOf(best, incident, seen, evidenceStore, { id, issue }),
  };
}

/** What to do about what was found; where nothing shows why, first about a change shortly before. */
function actionsFor(
  { of, id }: Telling,
  { primary }: Incident,
  { found, suspects }: { found: readonly Hypothesis[]; suspects: readonly Change[] },
): Action[] {
  const { issue, view } = of;
  const about = (one: Hypothesis) =>
    remediationFor(one, summaryOf(one), issue, {
      id,
      logs: hasLogs(of) ? { url: logsPage(one.candidate.node.name, view) } : null,
    }).actions ?? [];
  const [best] = found;
  const suspected = best === undefined ? [] : suspectedFirst(best, suspects, of);
  const actions = [...suspected, ...found].flatMap(about);
  // What was taken back is not to be taken back again.
  if (backOf(best, view) !== undefined) return actions.filter(isLater);
  if (primary.end === null) return actions;
  const over = `It has been over since ${timeOfDay(primary.end)}: only if it comes back.`;
  return actions.map((one) => (isLater(one) ? one : { ...one, description: `${over} ${one.description}` }));
}

/** What took the change back that an explanation blames. */
function backOf(best: Hypothesis | undefined, { snapshot }: View): Change | undefined {
  const change = best?.assessment.signs.change;
  return change && takenBackBy(change, snapshot);
}

const isLater = ({ category }: Action) => category === 'follow_up';

type Action = NonNullable<Findings['remediation']['actions']>[number];

/** The nearest change, as an explanation, where nothing shows why, and where it can be why: there, beneath, or of who calls. */
function suspectedFirst(
  best: Hypothesis,
  suspects: readonly Change[],
  { view: { snapshot }, survey: { nodes } }: Case,
): Hypothesis[] {
  const { candidate, assessment, kind } = best;
  const isBroken = kind.name === 'broken edge';
  if (assessment.isOpen !== true && !isBroken) return [];
  const places = new Set(callGraph(snapshot.edges).reachableFrom(candidate.node.name).keys());
  if (isBroken) for (const { edge } of candidate.brokenCalls) places.add(edge.caller);
  const change = suspects.find(({ service }) => places.has(service ?? ''));
  const node = nodes.get(change?.service ?? '');
  if (change === undefined || node === undefined) return [];
  const changes = snapshot.changes.filter(({ service }) => service === change.service);
  const lead = candidate.onset - change.at;
  const observations = [{ type: 'change' as const, change, lead, isAlerted: false }];
  const suspecting = { strength: 0, signs: { change }, observations };
  return [{ ...best, candidate: { ...candidate, node, changes }, assessment: suspecting }];
}

/** Where people read what a service logged; `null` if nobody can open it. */
function logsPage(service: string, { snapshot }: View): string | null {
  return snapshot.logs.findLast((line) => line.service === service && line.shown?.url)?.shown?.url ?? null;
}

/** That something is down or waits does not say that nothing beneath it made it so. */
const WHAT: ReadonlySet<string> = new Set(['outage', 'queue backlog']);

/** What happened, where it comes from, what else is affected, and what could not be told. */
function overviewOf(
  c: Case,
  incident: Incident,
  best: Hypothesis,
  { rest, suspects }: { rest: readonly Hypothesis[]; suspects: readonly Change[] },
): string {
  const { issue, subject, survey: seen, view, proven } = c;
  const { candidate, kind, assessment } = best;
  const { named } = subject;
  const { route } = proven;
  const { symptom, chosen, primary, affected } = incident;
  const now = primary.end === null ? 'Ongoing.' : `Over since ${timeOfDay(primary.end)}.`;
  const back = primary.end === null ? backOf(best, view) : undefined;
  const since = back === undefined ? '' : ` It went on after "${back.title}" at ${timeOfDay(back.at)}.`;
  const state = `${now}${since}${cameAndWent(primary.series, view)}`;
  const origin = candidate.node.name;
  const shown = ownerOf(primary, symptom);
  const graph = callGraph(view.snapshot.edges);
  const beneath = graph.reachableFrom(origin);
  const spread = [...affected.keys()].filter((one) => ![symptom, shown].includes(one) && !beneath.has(one));
  const which = {
    named: alertedSentence(c, incident, shown),
    neighbour:
      issue.isQuestion === true
        ? `Its neighbor ${symptom} is not: `
        : `${named} itself looks normal, but its neighbor ${symptom} does not. `,
    worst:
      issue.isQuestion === true
        ? ''
        : 'The issue names no known service; this is the worst anomaly at the time. ',
  }[chosen];
  const via = spread.length > 0 ? ` via ${joinNames(spread)}` : '';
  const isOpen = assessment.isOpen === true || assessment.isOnlyAfter === true || WHAT.has(kind.name);
  const from = kind.name === 'traffic surge' ? 'More requests than usual come in at' : 'Caused by';
  const where =
    kind.name === 'outbound failure'
      ? 'Calls to hosts outside fail'
      : origin !== shown
        ? `${from} ${origin}${via}`
        : !graph.knows(shown)
          ? `The symptoms are in ${shown} itself; what it calls is unknown`
          : `${isOpen ? 'The symptoms are' : 'The problem is'} in ${shown} itself`;
  const callers = affectedCallers(seen, symptom, primary.onset);
  const also = callers.length > 0 ? `; also affected: ${callers.join(', ')}` : '';
  const then = rest.flatMap((other) => {
    const effect = effectOf(other);
    return effect !== null && other.candidate.node.calls.includes(origin) ? [` Then ${effect}.`] : [];
  });
  const limits = limitsOf(c).map((one) => ` ${one}`);
  return `${which}${movement(shown, primary)} ${began(primary)}${route === null ? '' : `, on \`${route.route}\` above all`}. ${where}${also}.${then.join('')}${suspectsSentence(suspects, candidate.onset, primary.onset)} ${state}${lookedAtSentence(view)}${limits.join('')}`;
}

export function limitsOf({ proven: { rival }, view }: Pick<Case, 'proven' | 'view'>): string[] {
  const two = `Telemetry does not decide between two causes: ${rival?.candidate.node.name} is about as likely.`;
  return [rival === null ? '' : two, uncheckedSentence(view)].filter((text) => text !== '');
}

/** What departs at the alert's own service, where what happened is told from another's series. */
function alertedSentence(
  { issue, subject: { named, alerted }, survey: seen }: Case,
  { affected }: Incident,
  shown: string,
): string {
  if (named === null || named === shown) return '';
  const own = [...(affected.get(named) ?? []), ...(seen.anomalies.get(named) ?? [])].find(
    ({ profile, end }) => profile.role !== 'context' && end === null,
  );
  if (own !== undefined) return `${movement(named, own)} ${began(own)}. `;
  const firing = alerted.find(({ isFiring, service }) => isFiring && (service ?? named) === named);
  if (firing === undefined && issue.isQuestion === true) return '';
  if (firing === undefined) return `Nothing that was read of ${named} itself is out of its usual range. `;
  const since = firing.since === null ? '' : ` since ${timeOfDay(firing.since)}`;
  return `What the alert measures of ${named} is ${amount(firing.now, '')}, over its threshold${since}. `;
}

/** So much later what began slowly is felt. */
const LATER = 60 * 60_000;

/** ` Changed shortly before, not proven: payments 2.0.0 (3 min before), …`; empty if nothing was. */
export function suspectsSentence(suspects: readonly Change[], onset: number, felt = onset): string {
  if (suspects.length === 0) return '';
  const once = distinctBy(suspects, ({ service, version, title }) => `${service} ${version ?? title}`);
  const named = once.map(({ service, version, title, at }) => {
    const what = service === null || version === null ? `"${title}"` : `${service} ${version}`;
    return `${what} (${at <= onset ? `${duration(onset - at)} before` : `${duration(at - onset)} after`})`;
  });
  const that = felt - onset > LATER ? ` that began, at ${timeOfDay(onset)}` : '';
  return ` Changed shortly before${that}, not proven: ${named.join(', ')}.`;
}
