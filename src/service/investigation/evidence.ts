import type { ArtifactRef, DataPoint, Evidence } from '../../contract/schema.ts';
import type { Change, LogLine, Measure, Series, Span, Window } from '../telemetry/model.ts';
import { type Point, pointsIn, type View } from '../telemetry/view.ts';
import { PROFILES, type Survey, seriesAbout } from './anomalies.ts';
import { type Candidate, onsetOf } from './candidates.ts';
import { type Hypothesis, headlineOf } from './diagnose.ts';
import { amount, capitalize, duration, joinNames, level, timeOfDay } from './format.ts';
import { affectedServices, type Incident, ownerOf } from './incident.ts';
import { movement, type Observation } from './kinds/observations.ts';
import { patternOf } from './log-patterns.ts';
import { type BlamedChange, sameChange } from './ranking/blamed-change.ts';
import type { NewArtifact } from './types.ts';

type StoredRef = ArtifactRef &
  Required<Pick<ArtifactRef, 'documentId' | 'title' | 'description' | 'dataType'>>;

export function nameOfChange({ kind }: Change): string {
  return CHANGES[kind] ?? 'Change';
}

const CHANGES: Readonly<Record<string, string>> = {
  deploy: 'Deploy',
  config: 'Configuration change',
  flag: 'Feature flag',
  commit: 'Commit',
  certificate: 'Certificate renewal',
  scale: 'Operation',
};

const MOST_MARKED = 5;

/** The lines of a change that have what the failing lines name, with the file of each. */
function linesWith({ details }: Change, quote: string): string[] {
  let file = '';
  return (details ?? '')
    .split('\n')
    .flatMap((line) => {
      const header = /^(?:\+\+\+ b\/|--- a\/)(.*)/u.exec(line)?.[1];
      file = header ?? file;
      return header !== undefined || !line.includes(quote) ? [] : [file === '' ? line : `${file}: ${line}`];
    })
    .slice(0, MOST_MARKED);
}

/** Stores the data examined as artifacts, each once, however often it is referred to. */
export class EvidenceStore {
  readonly #view: View;
  readonly #id: () => string;
  readonly #environment: string;
  /** The provider of logs, traces and changes. */
  readonly #provider: string;
  readonly #proven: readonly BlamedChange[];
  readonly #refs = new Map<string, StoredRef>();
  readonly artifacts: NewArtifact[] = [];

  /** @param options.proven the changes that are proven to be a cause: what proves it is marked in them */
  constructor(options: {
    view: View;
    id: () => string;
    environment: string;
    provider: string;
    proven?: readonly BlamedChange[];
  }) {
    this.#view = options.view;
    this.#id = options.id;
    this.#environment = options.environment;
    this.#provider = options.provider;
    this.#proven = options.proven ?? [];
  }

  /** The service's best series for this measure (`metric`), or `null`. */
  measure(service: string, measure: Measure, window: Window): StoredRef | null {
    const series = this.#view.seriesOf(service, measure);
    return series === undefined ? null : this.metric(series, window);
  }

  /** A series over the window, in OpenTelemetry's form; `null` if it has no samples there. */
  metric(series: Series, window: Window): StoredRef | null {
    const points = this.#view.points(series, window);
    const last = points.at(-1);
    if (!last) return null;
    const { signal, service, instance } = series;
    const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
    const most = series.limit && pointsIn({ points: series.limit }, window).at(-1);
    const limit = most ? `, limit ${amount(most.value, signal.unit)}` : '';
    return this.#store(`metric ${service} ${instance ?? ''} ${signal.id}`, {
      type: 'metric',
      title: `${instance ?? service} ${signal.label}`,
      description: `Peak ${amount(highest.value, signal.unit)} at ${timeOfDay(highest.at)}, last ${amount(last.value, signal.unit)}${limit}.`,
      provider: series.provider,
      providerUrl: series.providerUrl,
      data: this.#metricData(series, points),
    });
  }

  /** The first 40 lines at most. */
  logs(service: string, lines: readonly LogLine[]): StoredRef | null {
    const first = lines[0];
    if (!first) return null;
    return this.#store(`logs ${service} ${first.message}`, {
      type: 'logs',
      title: `${service} logs`,
      description: `${amount(lines.length, '{line}')} since ${timeOfDay(first.at)}, starting with: ${first.message}`,
      data: {
        service,
        lines: lines
          .slice(0, 40)
          .map(({ at, level, message }) => ({ timestamp: new Date(at).toISOString(), level, message })),
      },
    });
  }

  change({ undo: _undo, instances: _instances, ...change }: Change): StoredRef {
    const proof = this.#proven.find((one) => sameChange(one.change, change))?.proof;
    const marked = proof !== undefined && 'quote' in proof ? linesWith(change, proof.quote) : [];
    return this.#store(`change ${change.service} ${change.at}`, {
      type: 'change',
      title: change.title,
      description: `${nameOfChange(change)} of ${change.service} at ${timeOfDay(change.at)}.`,
      data: {
        ...change,
        at: new Date(change.at).toISOString(),
        ...(marked.length > 0 && { marked }),
      },
    });
  }

  /** The spans of one trace, root first. */
  trace(spans: readonly Span[]): StoredRef | null {
    const root = spans[0];
    if (!root) return null;
    const failed = spans.findLast(({ failed }) => failed === true);
    return this.#store(`trace ${root.traceId}`, {
      type: 'trace',
      title: `Trace of ${root.operation}`,
      description: `${amount(root.durationMs, 'ms')} at ${timeOfDay(root.at)}${failed ? `, failed in ${failed.service}` : ''}.`,
      data: {
        traceId: root.traceId,
        spans: spans.map((span) => ({ ...span, at: new Date(span.at).toISOString() })),
      },
    });
  }

  #store(
    key: string,
    found: {
      type: string;
      title: string;
      description: string;
      provider?: string;
      providerUrl?: string | null;
      data: Record<string, unknown>;
    },
  ): StoredRef {
    const known = this.#refs.get(key);
    if (known) return known;
    const id = this.#id();
    const { type, title, description, provider, providerUrl, data } = found;
    this.artifacts.push({
      id,
      provider: provider ?? this.#provider,
      ...(providerUrl ? { providerUrl } : {}),
      summary: `${title}. ${description}`,
      type,
      data,
    });
    const ref = { documentId: id, title, description, dataType: type };
    this.#refs.set(key, ref);
    return ref;
  }

  #metricData({ signal, service, labels }: Series, points: readonly Point[]): Record<string, unknown> {
    const step = (points[1]?.at ?? 0) - (points[0]?.at ?? 0);
    const dataPoints: DataPoint[] = points.map(({ at, value }) => ({
      attributes: [
        { key: 'service.name', value: { stringValue: service } },
        { key: 'deployment.environment.name', value: { stringValue: this.#environment } },
        ...Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: value } })),
      ],
      startTimeUnixNano: nanoseconds(at - Math.max(0, step)),
      timeUnixNano: nanoseconds(at),
      asDouble: value,
      flags: 0,
    }));
    const { name, label, unit, metricType } = signal;
    return { metricType, name: `${service} ${name}`, description: label, unit, dataPoints };
  }
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}

const MINUTE = 60_000;

/** The window to plot: starts some time before the onset to show the usual level. */
export function windowToShow(survey: Survey, onset: number): Window {
  return { from: Math.min(onset, survey.trigger) - 25 * MINUTE, to: survey.window.to };
}

/** The evidence for the cause: its observations, a failed request, and the issue's symptom. */
export function relevantEvidence(
  { candidate, assessment }: Hypothesis,
  incident: Incident,
  confidence: string,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): Evidence[] {
  const found = assessment.observations.map((observation) => ({
    title: observation.title,
    status: 'relevant',
    description: observation.description,
    confidence,
    artifacts: present(artifactOf(observation, candidate, evidenceStore, survey, view)),
  }));
  const symptoms = symptomEvidence(candidate, incident, confidence, evidenceStore, survey);
  const span = candidate.failedSpan;
  if (!span) return [...found, ...symptoms];
  const trace = view
    .traces(candidate.node.name, { from: span.at - MINUTE, to: span.at + MINUTE })
    .filter(({ traceId }) => traceId === span.traceId);
  return [
    ...found,
    {
      title: `Failed request in ${candidate.node.name}`,
      status: 'relevant',
      description: `\`${span.operation}\` failed at ${timeOfDay(span.at)} in ${candidate.node.name} itself, not in a dependency${span.message === null ? '' : `: \`${span.message}\``}.`,
      confidence,
      artifacts: present(evidenceStore.trace(trace)),
    },
    ...symptoms,
  ];
}

function symptomEvidence(
  candidate: Candidate,
  { symptom, primary }: Incident,
  confidence: string,
  evidenceStore: EvidenceStore,
  survey: Survey,
): Evidence[] {
  const isCandidates = symptom === candidate.node.name || primary.series.edge?.callee === candidate.node.name;
  // Where the named service itself is well, the incident is represented by another's series.
  if (isCandidates || ownerOf(primary, symptom) !== symptom) return [];
  const lag = primary.onset - candidate.onset;
  const when = lag > 0 ? `${duration(lag)} after` : 'at the same time as';
  return [
    {
      title: movement(symptom, primary),
      status: 'relevant',
      description: `Started at ${timeOfDay(primary.onset)}, ${when} the first symptoms in ${candidate.node.name}.`,
      confidence,
      artifacts: present(evidenceStore.metric(primary.series, windowToShow(survey, candidate.onset))),
    },
  ];
}

/** The artifact behind an observation. */
export function artifactOf(
  observation: Observation,
  candidate: Candidate,
  evidenceStore: EvidenceStore,
  survey: Survey,
  view: View,
): ArtifactRef | null {
  const service = candidate.node.name;
  switch (observation.type) {
    case 'metric':
      return evidenceStore.metric(observation.anomaly.series, windowToShow(survey, candidate.onset));
    case 'change':
      return evidenceStore.change(observation.change);
    case 'log': {
      const window = { from: observation.pattern.first, to: survey.window.to };
      const lines = view
        .logs(service, window)
        .filter(({ message }) => patternOf(message) === observation.pattern.key);
      return evidenceStore.logs(service, lines);
    }
  }
}

function present<T>(item: T | null): T[] {
  return item === null ? [] : [item];
}

const MOST = 3;

/** What was checked and is not the cause: other changes, healthy dependencies, stable metrics, other hypotheses. */
export function ruledOut(
  best: Hypothesis,
  others: readonly Hypothesis[],
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): Evidence[] {
  return [
    ...otherChanges(best, incident, survey, evidenceStore),
    ...secondaryServices(best, incident, survey, evidenceStore),
    ...healthyDependencies(
      best.candidate.node.calls,
      incident,
      survey,
      evidenceStore,
      view,
      best.candidate.onset,
    ),
    ...stableMetrics(best.candidate.node.name, survey, evidenceStore, view, best.candidate.onset),
    ...otherHypotheses(best, others),
  ];
}

/** What was checked when nothing is wrong: the metrics of a service, and the changes before the trigger. */
export function evidenceOfNoAnomaly(
  services: readonly string[],
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
): Evidence[] {
  /** That something began, or was over, is no sign that nothing moved. */
  const movedWith = ({ at, service }: Change) =>
    [...survey.anomalies]
      .filter(([name]) => service === null || name === service)
      .flatMap(([, all]) => all.flatMap(({ onset, end }) => [onset, end ?? onset]))
      .some((moment) => moment >= at - MINUTE && moment <= at + 15 * MINUTE);
  const changes = survey.changes.filter(
    (change) => change.at > survey.trigger - 60 * MINUTE && change.at <= survey.trigger && !movedWith(change),
  );
  const elsewhere = affectedServices(survey).sort((a, b) => a.primary.onset - b.primary.onset);
  return [
    ...services.flatMap((service) => stableMetrics(service, survey, evidenceStore, view, survey.trigger)),
    ...elsewhere
      .slice(0, MOST)
      .map(({ service, primary }) =>
        evidence(
          `${service} is degraded, but unrelated to this issue`,
          `${movement(service, primary)} at ${timeOfDay(primary.onset)}, with no effect on ${services[0] ?? 'what the issue names'}.`,
          'medium',
          evidenceStore.metric(primary.series, windowToShow(survey, survey.trigger)),
        ),
      ),
    ...changes
      .slice(-MOST)
      .map((change) =>
        evidence(
          `${change.title}, ${timeOfDay(change.at)}`,
          `Landed at ${timeOfDay(change.at)}; no metric moved with it.`,
          'high',
          evidenceStore.change(change),
        ),
      ),
  ];
}

function otherChanges(
  { candidate, assessment }: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
): Evidence[] {
  const blamed = assessment.observations.flatMap((observation) =>
    observation.type === 'change' ? [observation.change] : [],
  );
  const near = survey.changes.filter(
    (change) =>
      change.at > candidate.onset - 60 * MINUTE &&
      change.at <= survey.trigger &&
      !blamed.some(({ at, service }) => at === change.at && service === change.service),
  );
  const weight = ({ service }: Change) =>
    service === candidate.node.name ? 2 : service !== null && incident.affected.has(service) ? 1 : 0;
  const nearest = near.sort((a, b) => weight(b) - weight(a) || b.at - a.at).slice(0, MOST);
  return nearest.map((change) => {
    const own = change.service === candidate.node.name;
    const after = change.at > candidate.onset;
    const why = after
      ? `Landed ${duration(change.at - candidate.onset)} after the problem started.`
      : own
        ? `Landed ${duration(candidate.onset - change.at)} before the problem started.`
        : `The problem does not start in ${change.service ?? 'what it touched'}.`;
    return evidence(
      `${change.title}, ${timeOfDay(change.at)}`,
      why,
      own ? 'medium' : 'high',
      evidenceStore.change(change),
    );
  });
}

function secondaryServices(
  { candidate }: Hypothesis,
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
): Evidence[] {
  return [...incident.affected.keys()]
    .filter((service) => service !== candidate.node.name && service !== incident.symptom)
    .slice(0, MOST)
    .map((service) => {
      const worst = incident.affected.get(service)?.[0];
      const ref = worst ? evidenceStore.metric(worst.series, windowToShow(survey, candidate.onset)) : null;
      const via =
        survey.nodes
          .get(service)
          ?.calls.filter((callee) => incident.affected.has(callee) || callee === candidate.node.name) ?? [];
      const why =
        via.length > 0
          ? `It calls ${joinNames(via)}, and degrades with it.`
          : `It began to degrade at ${timeOfDay(onsetOf(incident.affected.get(service) ?? []))}.`;
      return evidence(`${service} is affected, but not the cause`, why, 'high', ref);
    });
}

function healthyDependencies(
  calls: readonly string[],
  incident: Incident,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  onset: number,
): Evidence[] {
  return calls
    .filter((callee) => !incident.affected.has(callee))
    .slice(0, MOST)
    .flatMap((callee) => {
      // What was not measured is not known to be healthy.
      const [series] = seriesAbout(view, callee)
        .filter(({ signal }) => ['latency', 'errors'].includes(signal.measure))
        .sort((a, b) => Number(b.signal.measure === 'latency') - Number(a.signal.measure === 'latency'));
      const ref = series ? evidenceStore.metric(series, windowToShow(survey, onset)) : null;
      if (series === undefined || ref === null) return [];
      return [
        evidence(
          `${callee} is healthy`,
          `A dependency, but its ${series.signal.label} did not move. ${ref.description}`,
          'high',
          ref,
        ),
      ];
    });
}

function stableMetrics(
  service: string,
  survey: Survey,
  evidenceStore: EvidenceStore,
  view: View,
  onset: number,
): Evidence[] {
  const moved = new Set((survey.anomalies.get(service) ?? []).map(({ profile }) => profile.measure));
  const window = windowToShow(survey, onset);
  const steady = PROFILES.filter(({ measure, role }) => role !== 'symptom' && !moved.has(measure)).flatMap(
    ({ measure }) => {
      const series = view.seriesOf(service, measure);
      const last = series && view.points(series, window).at(-1);
      if (!series || !last) return [];
      const { label, unit } = series.signal;
      return [{ series, measure, label, now: level(label, last.value, unit) }];
    },
  );
  const shown = steady.filter(({ measure }) => measure !== 'restarts' && measure !== 'other').slice(0, MOST);
  if (shown.length === 0) return [];
  return [
    evidence(
      `${service} ${joinNames(shown.map(({ label }) => label))} did not move`,
      `${capitalize(joinNames(shown.map(({ now }) => now)))}: ${shown.length === 1 ? 'as usual' : 'all normal'}.`,
      'high',
      ...shown.map(({ series }) => evidenceStore.metric(series, window)),
    ),
  ];
}

function otherHypotheses(best: Hypothesis, others: readonly Hypothesis[]): Evidence[] {
  return others
    .filter(
      ({ kind, candidate }) =>
        kind.name !== 'unexplained' && (kind !== best.kind || candidate !== best.candidate),
    )
    .slice(0, MOST)
    .map(({ kind, candidate, assessment, score }) =>
      evidence(
        `${capitalize(headlineOf({ kind, candidate }))}: less likely`,
        `${assessment.observations[0]?.title ?? 'There are some signs'}, but ${headlineOf(best)} explains more.`,
        score > 0.5 ? 'low' : 'medium',
        null,
      ),
    );
}

function evidence(
  title: string,
  description: string,
  confidence: string,
  ...refs: readonly (ArtifactRef | null)[]
): Evidence {
  return {
    title,
    status: 'irrelevant',
    description,
    confidence,
    artifacts: refs.flatMap((ref) => ref ?? []),
  };
}
