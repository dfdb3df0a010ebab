import type { DataPoint } from '../../contract/schema/artifact.ts';
import type { ArtifactRef } from '../../contract/schema/results.ts';
import type { Change, LogLine, MetricInfo, Point, Span, Telemetry, Window } from '../telemetry/telemetry.ts';
import { amount, timeOfDay } from './format.ts';
import { signalOf } from './signals.ts';
import type { NewArtifact } from './types.ts';

type StoredRef = ArtifactRef &
  Required<Pick<ArtifactRef, 'documentId' | 'title' | 'description' | 'dataType'>>;

/** What a change is called. */
export const CHANGES: Readonly<Record<Change['kind'], string>> = {
  deploy: 'Deploy',
  config: 'Configuration change',
  certificate: 'Certificate renewal',
  scale: 'Operation',
};

/** Stores what was looked at as artifacts (contract, 2.8): the same thing once, whoever refers to it. */
export class EvidenceStore {
  readonly #telemetry: Telemetry;
  readonly #id: () => string;
  readonly #environment: string;
  readonly #refs = new Map<string, StoredRef>();
  readonly artifacts: NewArtifact[] = [];

  constructor(options: { telemetry: Telemetry; id: () => string; environment: string }) {
    this.#telemetry = options.telemetry;
    this.#id = options.id;
    this.#environment = options.environment;
  }

  /** A metric over the window, in OpenTelemetry's form. `null` where the service does not report it. */
  metric(service: string, name: string, window: Window): StoredRef | null {
    const info = this.#telemetry.metricNames(service).find((metric) => metric.name === name);
    if (!info) return null;
    const points = this.#telemetry.metric(service, name, window);
    const last = points.at(-1);
    if (!last) return null;
    const highest = points.reduce((a, b) => (b.value > a.value ? b : a));
    return this.#store(`metric ${service} ${name}`, {
      type: 'metric',
      title: `${service} ${signalOf(name)?.label ?? name}`,
      description: `Peak ${amount(highest.value, info.unit)} at ${timeOfDay(highest.at)}, last ${amount(last.value, info.unit)}.`,
      data: this.#metricData(service, info, points),
    });
  }

  /** Up to 40 of the lines, the first ones. */
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
      description: `${CHANGES[change.kind]} of ${change.service} at ${timeOfDay(change.at)}.`,
      data: { ...change, at: new Date(change.at).toISOString() },
    });
  }

  /** The spans of one trace, its root first. */
  trace(spans: readonly Span[]): StoredRef | null {
    const root = spans[0];
    if (!root) return null;
    const failed = spans.findLast(({ error }) => error !== null);
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
    found: { type: string; title: string; description: string; data: Record<string, unknown> },
  ): StoredRef {
    const known = this.#refs.get(key);
    if (known) return known;
    const id = this.#id();
    const { type, title, description, data } = found;
    this.artifacts.push({
      id,
      provider: 'sandbox',
      summary: `${title}. ${description}`,
      type,
      data,
    });
    const ref = { documentId: id, title, description, dataType: type };
    this.#refs.set(key, ref);
    return ref;
  }

  #metricData(service: string, info: MetricInfo, points: readonly Point[]): Record<string, unknown> {
    const step = (points[1]?.at ?? 0) - (points[0]?.at ?? 0);
    const dataPoints: DataPoint[] = points.map(({ at, value }) => ({
      attributes: [
        { key: 'service.name', value: { stringValue: service } },
        { key: 'deployment.environment.name', value: { stringValue: this.#environment } },
      ],
      startTimeUnixNano: nanoseconds(at - Math.max(0, step)),
      timeUnixNano: nanoseconds(at),
      asDouble: Number(value.toPrecision(6)),
      flags: 0,
    }));
    const { name, description, unit, metricType } = info;
    return { metricType, name: `${service} ${name}`, description, unit, dataPoints };
  }
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}
