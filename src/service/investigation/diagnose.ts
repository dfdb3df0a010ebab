import type { ServiceKind } from '../telemetry/model.ts';
import { type Gap, type Snapshot, type View, viewOf } from '../telemetry/view.ts';
import { type Anomaly, type Survey, survey } from './anomalies.ts';
import { accountsFor, type Candidate, candidatesIn } from './candidates.ts';
import { capitalize, timeOfDay } from './format.ts';
import { findIncident, type Incident, incidentFrom, isNegligible, worstSeen } from './incident.ts';
import { KINDS } from './kinds/index.ts';
import { type Assessment, type Kind, movement } from './kinds/observations.ts';
import { type Located, locate, rankingOf, SHORT_MS, YOUNG_MS } from './locate.ts';
import { isOngoing, type Present, presentOf } from './present.ts';
import { blamedChange, type ChangeVerdict } from './ranking/blamed-change.ts';
import { rankCauses } from './ranking/rank.ts';
import type { Ranking } from './ranking/types.ts';

const MOST = 3;

/** What could not be read, in a few sentences; empty if everything could. */
export function sentencesOn(gaps: readonly Gap[]): string {
  // What an account may not list of a cluster is a choice, and the log has it.
  const reasons = [...new Set(gaps.filter(({ what }) => what !== 'state').map(({ reason }) => reason))];
  const more =
    reasons.length > MOST ? ` ${reasons.length - MOST} more problems like these are in the log.` : '';
  return reasons.slice(0, MOST).join(' ') + more;
}

/** Without metrics or dependencies, the cause may be out of sight. */
function weakens(gaps: readonly Gap[]): boolean {
  return isPartial(gaps) || gaps.some(({ what }) => what === 'dependencies');
}

/** Whether series are missing that a source has: they could have decided otherwise. */
function isPartial(gaps: readonly Gap[]): boolean {
  return gaps.some(({ what }) => what === 'metrics' || what === 'services');
}

/** One explanation: this kind of fault at this service. */
export interface Hypothesis {
  candidate: Candidate;
  kind: Kind;
  assessment: Assessment;
  /** Confidence, 0 to 1. */
  score: number;
  /** The ranking order. */
  order: number;
}

/**
 * Every explanation, the most likely first. A problem explained by a callee counts for a third; one too small to
 * explain the issue, for half.
 */
function rankHypotheses(candidates: readonly Candidate[], incident: Incident): Hypothesis[] {
  return candidates
    .flatMap((candidate) =>
      KINDS.flatMap((kind) => {
        const assessment = kind.assess(candidate);
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

/** From this strength on, a kind is shown to be at work; a change that merely came before is not. */
const SHOWN = 0.5;

function isShown({ assessment: { strength, isOnlyAfter = false } }: Hypothesis): boolean {
  return strength >= SHOWN && !isOnlyAfter;
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

/** What services use. Services report about themselves, so the ranking knows which is to blame. */
const RESOURCES: ReadonlySet<ServiceKind> = new Set<ServiceKind>([
  'database',
  'cache',
  'queue',
  'external',
  'unknown',
]);
/** What begins this many milliseconds later may still be the cause: samples are coarse. */
const TOGETHER = 2 * 60_000;

/** At this share of the first explanation's likelihood, telemetry does not decide between the two. */
const RIVALS = 0.7;

/** A second, about equally likely cause elsewhere; `null` if the first stands out, or both are ends of one call. */
export function rivalOf(best: Hypothesis, others: readonly Hypothesis[]): Hypothesis | null {
  const first = best.candidate.suspect;
  if (first === null || best.candidate.brokenCalls.length > 0) return null;
  const rival = others.find(({ candidate }) => candidate !== best.candidate);
  const second = rival?.candidate.suspect ?? null;
  if (rival === undefined || second === null || second.score < RIVALS * first.score) return null;
  // What is degraded with what it uses, for no reason of its own, is no other cause.
  const isExplained = best.assessment.strength >= SHOWN && rival.assessment.strength < SHOWN;
  if (isExplained && RESOURCES.has(best.candidate.node.kind)) return null;
  return rival;
}

/** `Bad deploy of payments: 1.179.69 rolled out at 11:34 UTC, and …`. */
export function summaryOf({ kind, candidate, assessment }: Hypothesis): string {
  return `${capitalize(headlineOf({ kind, candidate }))}: ${assessment.detail}.`;
}

/** The cause in a few words, without a capital: `bad deploy of payments`. */
export function headlineOf({ kind, candidate }: Pick<Hypothesis, 'kind' | 'candidate'>): string {
  return kind.headline(candidate.node.name, candidate);
}

/**
 * `high`, `medium` or `low`: how likely the place is, calibrated on recorded incidents, or else how much of the fault's
 * signs were seen. Lower if the issue did not name the degraded service, or if something important could not be read;
 * at most medium if another cause is about as likely, if all that speaks for it is that it came before, or if series could not
 * be read.
 */
export function confidenceOf(
  best: Hypothesis,
  incident: Incident,
  { gaps, others }: { gaps: readonly Gap[]; others: readonly Hypothesis[] },
): 'high' | 'medium' | 'low' {
  const { score, candidate, assessment } = best;
  const known = candidate.isRanked ? (candidate.suspect?.score ?? 0) : score;
  const sure = known - (incident.chosen === 'named' ? 0 : 0.25) - (weakens(gaps) ? 0.2 : 0);
  if (best.kind.isOpen?.(candidate)) return 'low';
  const isDecided = rivalOf(best, others) === null && !assessment.isOnlyAfter && !isPartial(gaps);
  return sure >= 0.75 && isDecided ? 'high' : sure >= 0.45 ? 'medium' : 'low';
}

export interface Diagnosis {
  survey: Survey;
  /** `null` if everything is healthy. */
  incident: Incident | null;
  best: Hypothesis | null;
  /** The less likely explanations. */
  others: readonly Hypothesis[];
  /** The change to blame, and those that only came shortly before. */
  changes: ChangeVerdict;
  /** What departs at this moment, if the source samples finely enough to say. */
  present: Present | null;
}

const NO_CHANGES: ChangeVerdict = { blamed: null, proven: [], suspects: [] };

/**
 * What is wrong at the moment of the view, and why: the ranking decides which services are to blame, the fault kinds
 * what happened to them.
 *
 * @param subject.named the service that it is about; `null`: whichever is worst
 * @param subject.text people's description, which selects among its symptoms
 * @param subject.isUnknown it is about something else, of which telemetry knows nothing
 */
export function diagnose(
  view: View,
  subject: { named: string | null; text: string; isUnknown?: boolean },
): Diagnosis {
  const seen = survey(view);
  // No way leads from what telemetry does not know to what it shows.
  if (subject.isUnknown)
    return { survey: seen, incident: null, best: null, others: [], changes: NO_CHANGES, present: null };
  const about = { service: subject.named, title: subject.text, description: '' };
  const present = presentIn(view.snapshot);
  const { ranking, incident } = verdictOn(view, seen, subject, present);
  const changes = blamedChange(view.snapshot, about, ranking, {
    onset: incident?.primary.onset,
    end: incident?.primary.end ?? null,
  });
  const [best = null, ...others] = incident
    ? explainedFirst(
        rankHypotheses(candidatesIn(incident, seen, view, { ranking, changes }), incident),
        view.snapshot,
      )
    : [];
  // A problem that merely passes next to a healthy service explains nothing about it.
  if (incident?.chosen === 'neighbour' && best?.candidate.node.name !== incident.symptom)
    return { survey: seen, incident: null, best: null, others: [], changes: NO_CHANGES, present };
  return { survey: seen, incident, best, others, changes, present };
}

/** What an issue is about. */
interface Issue {
  named: string | null;
  text: string;
}

interface Verdict {
  ranking: Ranking;
  incident: Incident | null;
}

/**
 * The verdict from the newest samples, for a fault that is young, or where there is too little of a past to know what is
 * usual. `null` if the past decides.
 */
function verdictOn(view: View, seen: Survey, subject: Issue, present: Present | null): Verdict {
  if (present === null) return usually(view, seen, subject);
  const { edges, trigger } = view.snapshot;
  const located = locate(present, { ...subject, trigger, edges });
  const isShort = trigger - present.since < SHORT_MS;
  const now = located && verdictOf(located, present, seen, subject);
  if (isShort) return now ?? NOTHING;
  const isYoung = located !== null && trigger - located.primary.onset <= YOUNG_MS;
  if (now !== null && isYoung && located?.isConnected) return now;
  const past = usually(view, seen, subject);
  if (past.incident !== null && (isFelt(past.incident) || isAnythingWrong(present, trigger))) return past;
  return isYoung && now !== null ? now : NOTHING;
}

/** The place of the problem as a verdict, with what else departs there and is not read as finely. */
function verdictOf(located: Located, present: Present, seen: Survey, { named }: Issue): Verdict {
  const { symptom, primary, place, affected } = located;
  const read = new Set((affected.get(place) ?? []).map(({ profile: { measure } }) => measure));
  const more = (seen.anomalies.get(place) ?? []).filter(
    ({ profile: { measure, role }, end }) =>
      role !== 'symptom' && measure !== 'restarts' && !read.has(measure) && end === null,
  );
  return {
    ranking: rankingOf(located, present, seen.trigger),
    incident: {
      symptom,
      chosen: named === null ? 'worst' : 'named',
      primary,
      affected: new Map([...affected, [place, [...(affected.get(place) ?? []), ...more]]]),
    },
  };
}

/** Whether anybody feels it: a restart alone, or a few failures more, are nothing to explain. */
function isFelt({ primary }: Incident): boolean {
  return primary.profile.measure !== 'restarts' && !isNegligible(primary);
}

function isAnythingWrong({ own, calls, stepMs }: Present, trigger: number): boolean {
  return [...calls, ...[...own.values()].flat()].some((one) => isOngoing(one, trigger, stepMs));
}

const NOTHING: Verdict = { ranking: { found: false, ranking: [] }, incident: null };

function presentIn({ recent = [], series, trigger }: Snapshot): Present | null {
  return presentOf(recent, series, trigger);
}

/** The verdict from what is usual. */
function usually(view: View, seen: Survey, { named, text }: { named: string | null; text: string }): Verdict {
  const noticed = findIncident(seen, named, text);
  if (!view.snapshot.pastMs) return { ranking: NOT_RANKED, incident: noticed };
  const ranking = rankCauses(view.snapshot, { service: named, title: text, description: '' });
  return { ranking, incident: rankedIncident(noticed, ranking, seen, view, named) };
}

/** What was over before the trigger, or does not matter. */
export interface Earlier {
  anomaly: Anomaly;
  /** `Over since 14:20 UTC: payments error rate rose from 0.2% to 12% at 14:02 UTC. The cause: Bad deploy …` */
  sentence: string;
  /** What was wrong then; `null` if telemetry does not show it, or not clearly. */
  cause: { survey: Survey; incident: Incident; best: Hypothesis; confidence: string } | null;
}

/**
 * The worst that a service (`null`: any) went through in the hour and a half before the view's moment, although it is
 * well now, with the cause that telemetry showed then. `null` if everything stayed in its normal range.
 */
export function earlierProblem(view: View, service: string | null): Earlier | null {
  const anomaly = worstSeen(survey(view), service);
  if (anomaly === null) return null;
  const { end, onset, series } = anomaly;
  const moved = (one: Anomaly) => `${movement(series.service, one)} at ${timeOfDay(one.onset)}`;
  if (end === null || end > view.trigger)
    return { anomaly, sentence: `${moved(anomaly)}, but nothing shows why.`, cause: null };
  const then = viewOf({ ...view.snapshot, trigger: end - 1 });
  const {
    survey: seen,
    incident,
    best,
    others,
  } = diagnose(then, {
    named: series.service,
    text: series.signal.label,
  });
  const over = `Over since ${timeOfDay(end)}:`;
  const confidence = incident && best ? confidenceOf(best, incident, { gaps: view.gaps, others }) : 'low';
  if (incident === null || best === null || confidence === 'low')
    return { anomaly, sentence: `${over} ${moved(anomaly)}; nothing shows why.`, cause: null };
  // What was usual is measured from then, as in the cause.
  const same = incident.primary.series === series && onset === incident.primary.onset;
  const shown = same ? incident.primary : anomaly;
  return {
    anomaly: shown,
    sentence: `${over} ${moved(shown)}. The cause: ${summaryOf(best)}`,
    cause: { survey: seen, incident, best, confidence },
  };
}

/** Without history the ranking has nothing to compare with. */
const NOT_RANKED: Ranking = { found: false, ranking: [] };

/**
 * The ranking knows what is usual, so it decides whether something is wrong, except for resources that run out before
 * anyone notices.
 */
function rankedIncident(
  noticed: Incident | null,
  ranking: Ranking,
  seen: Survey,
  view: View,
  named: string | null,
): Incident | null {
  const isFelt = noticed !== null && noticed.chosen !== 'neighbour';
  if (ranking.found) return isFelt ? noticed : incidentFrom(seen, view, ranking, named);
  return isFelt && noticed.primary.profile.role === 'resource' && runsOut(noticed.primary) ? noticed : null;
}

/**
 * A resource that will be used up within this time at its current rate is running out, whether or not anyone feels it
 * yet.
 */
const RUNS_OUT_WITHIN = 3 * 3_600_000;
/** Memory and connections also rise with instances and load: they run out only from this share of their limit on. */
const NEARLY = 0.7;
/** The share of its limit at which it has run out. */
const RUN_OUT = 0.9;

function runsOut({ series, before, worst, worstAt, onset, end }: Anomaly): boolean {
  if (end !== null) return false;
  const limit = series.limit?.values.at(-1) ?? (series.signal.unit === '1' ? 1 : null);
  if (limit === null || limit <= 0 || before > limit) return false;
  if (worst >= RUN_OUT * limit) return true;
  if (series.signal.measure !== 'disk' && worst < NEARLY * limit) return false;
  const pace = (worst - before) / Math.max(1, worstAt - onset);
  return pace > 0 && (limit - worst) / pace <= RUNS_OUT_WITHIN;
}
