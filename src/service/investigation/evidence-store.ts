import type { ArtifactRef, DataPoint } from '../../contract/schema.ts';
import type { Change, LogLine, Measure, Series, Span, Window } from '../telemetry/model.ts';
import type { Point, View } from '../telemetry/view.ts';
import { amount, timeOfDay } from './format.ts';
import type { NewArtifact } from './types.ts';

type StoredRef = ArtifactRef &
  Required<Pick<ArtifactRef, 'documentId' | 'title' | 'description' | 'dataType'>>;

/** The name of a kind of change. */
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

/** Stores the data examined as artifacts (contract, 2.8), each once, however often it is referred to. */
export class EvidenceStore {
  readonly #view: View;
  readonly #id: () => string;
  readonly #environment: string;
  /** The provider of logs, traces and changes. */
  readonly #provider: string;
  readonly #refs = new Map<string, StoredRef>();
  readonly artifacts: NewArtifact[] = [];

  constructor(options: { view: View; id: () => string; environment: string; provider: string }) {
    this.#view = options.view;
    this.#id = options.id;
    this.#environment = options.environment;
    this.#provider = options.provider;
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
    return this.#store(`metric ${service} ${instance ?? ''} ${signal.id}`, {
      type: 'metric',
      title: `${instance ?? service} ${signal.label}`,
      description: `Peak ${amount(highest.value, signal.unit)} at ${timeOfDay(highest.at)}, last ${amount(last.value, signal.unit)}.`,
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

  change(change: Change): StoredRef {
    return this.#store(`change ${change.service} ${change.at}`, {
      type: 'change',
      title: change.title,
      description: `${nameOfChange(change)} of ${change.service} at ${timeOfDay(change.at)}.`,
      data: { ...change, at: new Date(change.at).toISOString() },
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
