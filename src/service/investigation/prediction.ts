import type { Prediction, PredictionAnswer, StoredFindings } from '../../contract/schema.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Change, Series } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { pointsIn } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { amount } from './format.ts';
import type { Hypothesis } from './hypothesis.ts';
import { CHANGES } from './kinds/changes.ts';
import type { Incident } from './place/incident.ts';

const MINUTE = 60_000;
/** A rollout takes its time; what an alert reads is over before it is. */
const WITHIN = { undo: 10 * MINUTE, recovery: 3 * MINUTE };
/** Back on the good side of this share of the way from what is usual to the worst. */
const BACK = 0.25;
/** One good sample may be chance. */
const IN_A_ROW = 2;

/**
 * What the next minutes show if a cause is right, as far as something measures it that could show the opposite: once a blamed
 * change is taken back, the symptom ends; once the alert is over, what is said to be behind it is, too. `null` for none.
 */
export function predictionOf(best: Hypothesis, incident: Incident): Prediction | null {
  const { candidate, kind, assessment } = best;
  const { change } = assessment.signs;
  const { name } = candidate.node;
  // Of a suspect it is what would prove it.
  const isUndone = change !== undefined && [...CHANGES.deploy, ...CHANGES.config].includes(change.kind);
  const after = isUndone ? 'undo' : 'recovery';
  const shown = isUndone ? incident.primary : ownOf(candidate.anomalies);
  // The alert's own measure is over whenever the alert is.
  if (shown === undefined || (!isUndone && (name === incident.symptom || shown === incident.primary)))
    return null;
  const { series, before, worst } = shown;
  const { query, labels, signal } = series;
  if (query === null || shown.end !== null || signal.bad === 'either') return null;
  const bound = Number((before + BACK * (worst - before)).toPrecision(2));
  if (!Number.isFinite(bound) || (signal.bad === 'high' ? bound >= worst : bound <= worst)) return null;
  return {
    sentence: sentenceFor(series, bound, after),
    after,
    withinSeconds: WITHIN[after] / 1000,
    query,
    labels,
    bound,
    bad: signal.bad,
    place: name,
    kind: kind.name,
  };
}

function ownOf(anomalies: readonly Anomaly[]): Anomaly | undefined {
  const own = anomalies.filter(
    ({ profile, end, series }) => profile.role !== 'context' && end === null && series.query,
  );
  return own.find(({ profile }) => profile.measure === 'up') ?? own[0];
}

function sentenceFor({ signal, service, edge }: Series, bound: number, after: Prediction['after']): string {
  const who =
    edge === null
      ? `${service} ${signal.label}`
      : `${signal.label} of ${edge.caller}’s calls to ${edge.callee}`;
  const where = `${signal.bad === 'high' ? 'below' : 'above'} ${amount(bound, signal.unit)}`;
  const when =
    after === 'undo'
      ? `within ${WITHIN.undo / MINUTE} minutes of reverting the change`
      : 'again by the time the alert clears';
  return `If this is right, ${who} will be ${where} ${when}.`;
}

/**
 * Whether it came true, by now.
 *
 * @param since when the change was taken back, or the alert was over; `null` if it is to be seen whether the change was
 */
export async function checkPrediction(
  prediction: Prediction,
  {
    source,
    budget,
    since,
    foundAt,
    now,
  }: {
    source: TelemetrySource;
    budget: Budget;
    since: number | null;
    foundAt: number;
    now: number;
  },
): Promise<PredictionAnswer> {
  const from = since ?? (await undoneSince(prediction, { source, budget, foundAt, now }));
  if (from === null) return { since: null, outcome: null, at: null };
  const { query, labels, bound, bad, after, withinSeconds } = prediction;
  const begin = after === 'recovery' ? from - MINUTE : from;
  const until = from + withinSeconds * 1000;
  const window = { from: begin, to: Math.min(now, until) + 1 };
  const reading = await source.evaluate?.(query, window, budget);
  const series = reading?.known
    ? reading.value.find((one) => isOf(one, labels, reading.value.length))
    : undefined;
  const points = series === undefined ? [] : pointsIn(series, window);
  const isGood = (value: number) => (bad === 'high' ? value < bound : value > bound);
  const back = points.findIndex(
    (_, i) => points.slice(i, i + IN_A_ROW).filter(({ value }) => isGood(value)).length === IN_A_ROW,
  );
  const told = { since: iso(from) };
  const at = points[back]?.at;
  if (at !== undefined) return { ...told, outcome: 'came_true', at: iso(at) };
  // Samples arrive late; what nothing measures came neither true nor not.
  const isOver = now > until + MINUTE && points.length > IN_A_ROW;
  return isOver ? { ...told, outcome: 'did_not', at: iso(until) } : { ...told, outcome: null, at: null };
}

/** Whether a series is the one that was measured: by the labels that both have, or because there is no other. */
function isOf(series: Series, labels: Prediction['labels'], of: number): boolean {
  const shared = Object.entries(series.labels).filter(([name]) => name in labels);
  return of === 1 || (shared.length > 0 && shared.every(([name, value]) => labels[name] === value));
}

/** What was changed after the first verdict on an issue at what any of them names, and what was taken back anywhere, oldest first. */
export async function changesAfter(
  verdicts: readonly Pick<StoredFindings, 'prediction' | 'causalTreeV2'>[],
  { source, budget, foundAt, now }: { source: TelemetrySource; budget: Budget; foundAt: number; now: number },
): Promise<{ at: string; title: string }[]> {
  const places = new Set(
    verdicts.flatMap(({ prediction, causalTreeV2 }) => [
      prediction?.place,
      ...causalTreeV2.nodes.map(({ id }) => id),
    ]),
  );
  const changes = await source.changes({ from: foundAt, to: now + 1 }, budget);
  return (changes.known ? changes.value : [])
    .filter((one) => one.at > foundAt && one.kind !== 'commit')
    .filter((one) => places.has(one.service ?? '') || isTakenBack(one))
    .sort((a, b) => a.at - b.at)
    .map(({ at, title }) => ({ at: iso(at), title }));
}

const TAKEN_BACK = /\broll(?:ed|ing)?[\s-]*back\b|\brevert/iu;
const versions = new Intl.Collator('en', { numeric: true });

/** Whether a change brings back what ran before, by its words or its version. */
function isTakenBack({ title, version, before = null }: Change): boolean {
  return (
    TAKEN_BACK.test(title) || (version !== null && before !== null && versions.compare(version, before) < 0)
  );
}

/** When the place of a change got another one, after the verdict. */
async function undoneSince(
  { after, place }: Prediction,
  { source, budget, foundAt, now }: { source: TelemetrySource; budget: Budget; foundAt: number; now: number },
): Promise<number | null> {
  if (after !== 'undo') return null;
  const changes = await source.changes({ from: foundAt, to: now + 1 }, budget);
  const later = changes.known
    ? changes.value.filter(({ service, at }) => service === place && at > foundAt)
    : [];
  return later.length === 0 ? null : Math.min(...later.map(({ at }) => at));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
