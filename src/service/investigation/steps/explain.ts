import { isCopyOf } from '../../telemetry/same-name.ts';
import type { Snapshot, View } from '../../telemetry/view.ts';
import type { Anomaly } from '../anomalies.ts';
import { accountsFor, type Candidate, candidatesIn } from '../candidates.ts';
import { type Case, NOT_PLACED } from '../case.ts';
import { isFilled } from '../climb.ts';
import { exhaustedAt, type Hypothesis, isShown, RESOURCES, rivalOf } from '../hypothesis.ts';
import { isProven } from '../kinds/changes.ts';
import { KINDS } from '../kinds/index.ts';
import { isAtLimit, seen } from '../kinds/kind.ts';
import { diskFull } from '../kinds/resources.ts';
import { fullDiskOf } from '../machines.ts';
import { labelsOf } from '../names.ts';
import { openFirst } from '../open-causes.ts';
import type { Incident } from '../place/incident.ts';
import { blamedChange, type ChangeVerdict } from '../ranking/blamed-change.ts';
import { type CallGraph, callGraph } from '../ranking/share-blame.ts';

/** What happened at the place, and which change may be behind it. */
export function explain(c: Case): Case {
  const { view, subject, placed, survey } = c;
  const { ranking, incident } = placed;
  if (subject.unknown !== null) return c;
  const about = { service: subject.named };
  const changes = blamedChange(view.snapshot, about, ranking, {
    alerted: subject.since,
    onset: incident?.primary.onset,
    end: incident?.primary.end ?? null,
    affected: [...(incident?.affected.keys() ?? []), ...alsoNamed(c)],
  });
  if (incident === null) return { ...c, changes };
  const graph = callGraph(view.snapshot.edges);
  const beneath = graph.reachableFrom(incident.symptom);
  const candidates = candidatesIn(withWrong(incident, beneath, c), survey, view, {
    ranking,
    changes,
    since: subject.since,
  });
  const likeliest = explainedFirst(
    rankHypotheses(candidates, incident).filter((one) => !isRefuted(one, c.issue)),
    view.snapshot,
  );
  const told = changedFirst(exhaustedFirst(openFirst(likeliest, subject.open, beneath)));
  const hypotheses = fullDiskFirst(beneathFirst(told, incident, graph), view);
  // A problem that merely passes next to a healthy service explains nothing about it.
  if (incident.chosen === 'neighbour' && hypotheses[0]?.candidate.node.name !== incident.symptom)
    return { ...c, placed: NOT_PLACED };
  return { ...c, changes: withChangesAtFoot(changes, hypotheses[0], view.snapshot), hypotheses };
}

/** What changed around where the climb began that is the cause, instead of what changed before it was felt. */
function withChangesAtFoot(
  found: ChangeVerdict,
  best: Hypothesis | undefined,
  { changes }: Snapshot,
): ChangeVerdict {
  const { worst } = best?.assessment.signs ?? {};
  if (best === undefined || worst === undefined || !isFilled(worst.series, worst.worst)) return found;
  const { name } = best.candidate.node;
  const near = changes.filter(
    ({ service, at }) =>
      service !== null &&
      isCopyOf(name, service) &&
      at >= worst.onset - SHORTLY &&
      at <= worst.onset + TOGETHER,
  );
  return { ...found, suspects: near.filter((one) => !isProven(best.candidate, one)) };
}

/** What fills something begins to within this time. */
const SHORTLY = 30 * 60_000;

/** What the alert names, as a queue's alert does its consumer, as far as it departs, also in what is only exported. */
export function alsoNamed({ issue, survey, subject, view: { snapshot } }: Case): string[] {
  const values = new Set([...Object.values(labelsOf(issue)), subject.named]);
  const exported = new Set((snapshot.state ?? []).flatMap((one) => (one.since == null ? [] : one.object)));
  return snapshot.services.flatMap(({ name }) =>
    values.has(name) && ((survey.anomalies.get(name) ?? []).length > 0 || exported.has(`app/${name}`))
      ? [name]
      : [],
  );
}

function isRefuted({ candidate, kind }: Hypothesis, { refuted = [] }: Case['issue']): boolean {
  return refuted.some((one) => one.place === candidate.node.name && one.kind === kind.name);
}

/**
 * Every explanation, the most likely first. A problem explained by a callee counts for a third; one too small to
 * explain the issue, for half.
 */
function rankHypotheses(candidates: readonly Candidate[], incident: Incident): Hypothesis[] {
  return candidates
    .flatMap((candidate) =>
      KINDS.flatMap((kind) => {
        const assessment = kind.recognize(candidate);
        if (!assessment) return [];
        const accounts =
          accountsFor(candidate.anomalies, [incident.primary]) ||
          (candidate.suspect !== null && !candidate.couldShow(incident.primary));
        const weight =
          candidate.suspicion *
          (candidate.explainedBy.length > 0 && !(candidate.isRanked && candidate.suspicion === 1)
            ? 0.35
            : 1) *
          (accounts ? 1 : 0.5);
        const strength = Math.min(1, assessment.strength);
        const score = strength * weight;
        // If the ranking says who is to blame, the kind only says what happened there.
        const order = candidate.isRanked ? candidate.suspicion + strength / 100 : score;
        return [{ candidate, kind, assessment, score, order }];
      }),
    )
    .sort((a, b) => b.order - a.order || a.candidate.onset - b.candidate.onset);
}

/**
 * Where nothing shows what happened at the likeliest place, what it uses comes first if something is shown to have
 * happened there; else another place about as likely.
 */
function explainedFirst(hypotheses: readonly Hypothesis[], { edges }: Snapshot): readonly Hypothesis[] {
  const [best, ...others] = hypotheses;
  if (best === undefined) return hypotheses;
  if (isShown(best) && !best.kind.comesWithLoad) return hypotheses;
  const connected = new Set(edges.flatMap(({ caller, callee }) => [caller, callee]));
  const shown = others.filter(isShown);
  const used = shown.find(
    ({ candidate: { node, onset } }) =>
      // A lost cache sends its load to what is behind it.
      (isShown(best) ? node.kind === 'cache' && node !== best.candidate.node : RESOURCES.has(node.kind)) &&
      onset <= best.candidate.onset + TOGETHER &&
      (best.candidate.node.calls.includes(node.name) || !connected.has(node.name)),
  );
  const rival = isShown(best) ? null : rivalOf(best, others);
  const first = used ?? (rival !== null && shown.includes(rival) ? rival : undefined);
  return first === undefined ? hypotheses : [first, ...hypotheses.filter((one) => one !== first)];
}

/** Of several resources of one service at their limit, the first to run out. */
function exhaustedFirst(hypotheses: readonly Hypothesis[]): readonly Hypothesis[] {
  const [best, ...others] = hypotheses;
  if (best === undefined || !isAtLimit(best.assessment)) return hypotheses;
  const same = others.filter(
    ({ candidate, assessment }) => candidate === best.candidate && isAtLimit(assessment),
  );
  const [first = best] = [best, ...same].toSorted((a, b) => exhaustedAt(a) - exhaustedAt(b));
  return [first, ...hypotheses.filter((one) => one !== first)];
}

/**
 * Where calls to a healthy service fail, a change of the caller at that time comes first: the calls are what it makes. So
 * does one of a cache that misses: that it does says what is wrong, and not why.
 */
function changedFirst(hypotheses: readonly Hypothesis[]): readonly Hypothesis[] {
  const [best, ...others] = hypotheses;
  const places =
    best?.kind.name === 'broken edge'
      ? best.candidate.brokenCalls.map(({ edge }) => edge.caller)
      : best?.kind.name === 'cache misses'
        ? [best.candidate.node.name]
        : [];
  if (best === undefined || places.length === 0) return hypotheses;
  const changed = others.find(
    ({ assessment: { signs }, candidate: { node } }) =>
      signs.change !== undefined && places.includes(node.name),
  );
  if (changed === undefined) return hypotheses;
  const observations = [...changed.assessment.observations, ...best.assessment.observations];
  const told = changed.candidate === best.candidate ? changed.assessment.observations : observations;
  return [
    { ...changed, assessment: { ...changed.assessment, observations: told } },
    ...hypotheses.filter((one) => one !== changed),
  ];
}

/** What begins this many milliseconds later may still be the cause: samples are coarse. */
const TOGETHER = 2 * 60_000;

/**
 * The incident with everything that the symptom depends on and that is down, or the cause of something open: a target that is
 * down comes before every degradation.
 */
function withWrong(
  incident: Incident,
  beneath: ReadonlyMap<string, unknown>,
  { survey, subject: { open } }: Case,
): Incident {
  const wrong = [...beneath.keys()].flatMap((service): [string, readonly Anomaly[]][] => {
    const anomalies = survey.anomalies.get(service) ?? [];
    const isWrong = anomalies.some(
      ({ profile: { measure, role }, worst, end }) =>
        end === null && ((measure === 'up' && worst <= 0) || (open.has(service) && role !== 'context')),
    );
    return isWrong && !incident.affected.has(service) ? [[service, anomalies]] : [];
  });
  return wrong.length === 0 ? incident : { ...incident, affected: new Map([...incident.affected, ...wrong]) };
}

/** Of what the symptom depends on, an outage that was there at the onset explains what only degrades. */
function beneathFirst(
  hypotheses: readonly Hypothesis[],
  { symptom, primary }: Incident,
  graph: CallGraph,
): readonly Hypothesis[] {
  const [best] = hypotheses;
  if (best === undefined || best.kind.name === 'outage') return hypotheses;
  const beneath = graph.reachableFrom(symptom);
  const down = hypotheses.find(
    ({ kind, candidate: { node, onset } }) =>
      kind.name === 'outage' &&
      node.name !== symptom &&
      beneath.has(node.name) &&
      // What the first explanation calls cannot be explained by it.
      !graph.reachableFrom(node.name).has(best.candidate.node.name) &&
      onset <= primary.onset + TOGETHER,
  );
  return down === undefined ? hypotheses : [down, ...hypotheses.filter((one) => one !== down)];
}

/** How surely a disk that is full and belongs to nobody else is the cause. */
const FULL_DISK = 0.65;

/** Where only what waits is seen, or nothing shows why: first that the disk of its machine was full, so that it cannot write. */
function fullDiskFirst(hypotheses: readonly Hypothesis[], view: View): readonly Hypothesis[] {
  const [best, ...others] = hypotheses;
  const likely = best === undefined ? [] : [best, rivalOf(best, others) ?? best];
  if (!likely.every(isWhat)) return hypotheses;
  const of = likely.find((one) => fullDiskOf(one, view) !== null);
  const worst = of === undefined ? null : fullDiskOf(of, view);
  const node = worst && view.node(worst.series.service);
  if (of === undefined || worst === null || node == null) return hypotheses;
  const { candidate, assessment } = of;
  const full: Hypothesis = {
    ...of,
    kind: diskFull,
    candidate: { ...candidate, node, anomalies: [worst], onset: worst.onset },
    assessment: {
      strength: FULL_DISK,
      signs: { worst, share: worst.worst },
      observations: [...seen(worst, node.name), ...assessment.observations],
    },
  };
  return [full, ...hypotheses.filter((one) => one.candidate !== candidate)];
}

/** Whether it says what waits, or where, and not why. */
function isWhat(one: Hypothesis): boolean {
  const { candidate, kind, assessment } = one;
  const waits = assessment.signs.pool != null || kind.comesWithLoad || kind.name === 'queue backlog';
  return candidate.proof === null && (waits || assessment.isOpen === true || !isShown(one));
}
