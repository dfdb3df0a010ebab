import type { Evidence } from '../../contract/schema/results.ts';
import type { Change, Telemetry } from '../telemetry/telemetry.ts';
import type { Cabinet } from './cabinet.ts';
import { windowToShow } from './evidence.ts';
import { movement } from './kinds/clues.ts';
import { type Scene, unwellAround } from './scene.ts';
import { SIGNALS } from './signals.ts';
import type { Survey } from './survey.ts';
import type { Case } from './verdict.ts';
import { duration, level, listed, sentence, timeOfDay } from './words.ts';

const MINUTE = 60_000;
const MOST = 3;

/** What was looked at and is not the cause: other changes, what is called, resources with room, other explanations. */
export function ruledOut(
  best: Case,
  others: readonly Case[],
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
  telemetry: Telemetry,
): Evidence[] {
  return [
    ...otherChanges(best, scene, survey, cabinet),
    ...followers(best, scene, survey, cabinet),
    ...wellCallees(best.suspect.node.calls, scene, survey, cabinet, best.suspect.onset),
    ...steadyMetrics(best.suspect.node.name, survey, cabinet, telemetry, best.suspect.onset),
    ...otherKinds(best, others),
  ];
}

/** What was looked at where nothing is unwell: the metrics of a service, and the changes before the trigger. */
export function allQuiet(
  services: readonly string[],
  survey: Survey,
  cabinet: Cabinet,
  telemetry: Telemetry,
): Evidence[] {
  const changes = survey.changes.filter(
    ({ at }) => at > survey.trigger - 60 * MINUTE && at <= survey.trigger,
  );
  const elsewhere = unwellAround(survey).sort((a, b) => a.primary.onset - b.primary.onset);
  return [
    ...services.flatMap((service) => steadyMetrics(service, survey, cabinet, telemetry, survey.trigger)),
    ...elsewhere
      .slice(0, MOST)
      .map(({ service, primary }) =>
        evidence(
          `${service} is unwell, but it is not what this issue is about`,
          `${sentence(movement(service, primary))}, from ${timeOfDay(primary.onset)}; it did not reach ${services[0] ?? 'what the issue names'}.`,
          'medium',
          cabinet.metric(service, primary.signal.metric, windowToShow(survey, survey.trigger)),
        ),
      ),
    ...changes
      .slice(-MOST)
      .map((change) =>
        evidence(
          `${change.title}, ${timeOfDay(change.at)}`,
          `It came ${duration(survey.trigger - change.at)} before the alert, and no metric moved with it.`,
          'high',
          cabinet.change(change),
        ),
      ),
  ];
}

function otherChanges(
  { suspect, reading }: Case,
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
): Evidence[] {
  const blamed = reading.clues.flatMap((clue) => (clue.type === 'change' ? [clue.change] : []));
  const near = survey.changes.filter(
    (change) =>
      change.at > suspect.onset - 60 * MINUTE &&
      change.at <= survey.trigger &&
      !blamed.some(({ at, service }) => at === change.at && service === change.service),
  );
  const weight = ({ service }: Change) =>
    service === suspect.node.name ? 2 : scene.unwell.has(service) ? 1 : 0;
  const telling = near.sort((a, b) => weight(b) - weight(a) || b.at - a.at).slice(0, MOST);
  return telling.map((change) => {
    const own = change.service === suspect.node.name;
    const after = change.at > suspect.onset;
    const why = after
      ? `It came ${duration(change.at - suspect.onset)} after the trouble had begun.`
      : own
        ? `It came ${duration(suspect.onset - change.at)} before the trouble, and no metric moved with it.`
        : `${change.service} is not where the trouble begins.`;
    return evidence(
      `${change.title}, ${timeOfDay(change.at)}`,
      why,
      own ? 'medium' : 'high',
      cabinet.change(change),
    );
  });
}

function followers({ suspect }: Case, scene: Scene, survey: Survey, cabinet: Cabinet): Evidence[] {
  return [...scene.unwell.keys()]
    .filter((service) => service !== suspect.node.name && service !== scene.symptom)
    .slice(0, MOST)
    .map((service) => {
      const worst = scene.unwell.get(service)?.[0];
      const ref = worst
        ? cabinet.metric(service, worst.signal.metric, windowToShow(survey, suspect.onset))
        : null;
      const via = survey.nodes.get(service)?.calls.filter((callee) => scene.unwell.has(callee)) ?? [];
      const why = via.length > 0 ? `It calls ${listed(via)}: its trouble comes from there.` : 'It follows.';
      return evidence(`${service} is affected, but not the origin`, why, 'high', ref);
    });
}

function wellCallees(
  calls: readonly string[],
  scene: Scene,
  survey: Survey,
  cabinet: Cabinet,
  onset: number,
): Evidence[] {
  return calls
    .filter((callee) => !scene.unwell.has(callee))
    .slice(0, MOST)
    .map((callee) => {
      const ref = cabinet.metric(callee, 'latency.p95', windowToShow(survey, onset));
      return evidence(
        `${callee} is well`,
        `It is called from there, but its latency and errors did not move.${ref ? ` ${ref.description}` : ''}`,
        'high',
        ref,
      );
    });
}

function steadyMetrics(
  service: string,
  survey: Survey,
  cabinet: Cabinet,
  telemetry: Telemetry,
  onset: number,
): Evidence[] {
  const moved = new Set((survey.anomalies.get(service) ?? []).map(({ signal }) => signal.metric));
  const reported = telemetry.metricNames(service);
  const steady = SIGNALS.filter(({ metric, role }) => role !== 'symptom' && !moved.has(metric)).flatMap(
    (signal) => {
      const info = reported.find(({ name }) => name === signal.metric);
      const window = windowToShow(survey, onset);
      const last = info && telemetry.metric(service, info.name, window).at(-1);
      return info && last ? [{ signal, info, window, now: level(signal.label, last.value, info.unit) }] : [];
    },
  );
  const first = steady[0];
  if (!first) return [];
  const shown = steady.filter(({ info }) => info.name !== 'process.restarts');
  const levels = shown.map(({ now }) => now);
  return [
    evidence(
      `${sentence(listed(shown.slice(0, 3).map(({ signal }) => signal.label)))} of ${service} did not move`,
      `${sentence(listed(levels))}: all as before.`,
      'high',
      cabinet.metric(service, first.info.name, first.window),
    ),
  ];
}

function otherKinds(best: Case, others: readonly Case[]): Evidence[] {
  return others
    .filter(
      ({ kind, suspect }) => kind.name !== 'unexplained' && (kind !== best.kind || suspect !== best.suspect),
    )
    .slice(0, MOST)
    .map(({ kind, suspect, reading, score }) =>
      evidence(
        `${sentence(kind.name)} at ${suspect.node.name}: less likely`,
        `${reading.clues[0]?.title ?? 'Some signs are there'}, but ${best.kind.name} at ${best.suspect.node.name} explains more.`,
        score > 0.5 ? 'low' : 'medium',
        null,
      ),
    );
}

function evidence(title: string, description: string, confidence: string, ref: object | null): Evidence {
  return { title, status: 'irrelevant', description, confidence, artifacts: ref ? [{ ...ref }] : [] };
}
