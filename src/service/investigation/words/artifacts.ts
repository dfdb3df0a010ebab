import type { ArtifactRef, DataPoint } from '../../../contract/schema.ts';
import type { DatabaseFact } from '../../databases/fact.ts';
import type { Change, LogLine, Measure, Series, Span, Window } from '../../telemetry/model.ts';
import { type Point, pointsIn, type View } from '../../telemetry/view.ts';
import type { Survey } from '../anomalies.ts';
import { amount, labelOf, measured, timeOfDay } from '../format.ts';
import { type BlamedChange, sameChange } from '../ranking/blamed-change.ts';
import type { NewArtifact } from '../types.ts';

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
  rollback: 'Rollback',
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
      title: `${instance ?? service} ${labelOf(series)}`,
      description: `Peak ${measured(highest.value, signal)} at ${timeOfDay(highest.at)}, last ${measured(last.value, signal)}${limit}.`,
      provider: series.provider,
      providerUrl: series.providerUrl ?? askedAgain(series.query),
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
      providerUrl: first.shown?.url ?? null,
      data: {
        ...(first.shown && { query: first.shown.query }),
        service,
        lines: lines
          .slice(0, 40)
          .map(({ at, level, message }) => ({ timestamp: new Date(at).toISOString(), level, message })),
      },
    });
  }

  /** The rows behind a fact of the inside of a database. */
  rows({ database, system, kind, object, sentence, proof }: DatabaseFact): StoredRef {
    const { from, columns, rows } = proof;
    return this.#store(`inside ${database} ${kind} ${object}`, {
      type: 'table',
      title: `Inside ${database}: ${object}`,
      description: sentence,
      provider: system,
      data: {
        from,
        rows: rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]))),
      },
    });
  }

  change({ undo: _undo, instances: _instances, ...change }: Change): StoredRef {
    const proof = this.#proven.find((one) => sameChange(one.change, change))?.proof;
    const marked = proof !== undefined && 'quote' in proof ? linesWith(change, proof.quote) : [];
    return this.#store(`change ${change.service} ${change.at}`, {
      type: 'change',
      title: change.title,
      description: `${nameOfChange(change)}${change.service === null ? '' : ` of ${change.service}`} at ${timeOfDay(change.at)}.`,
      data: {
        ...change,
        at: new Date(change.at).toISOString(),
        ...(marked.length > 0 && { marked }),
      },
    });
  }

  trace(spans: readonly Span[]): StoredRef | null {
    const root = spans[0];
    if (!root) return null;
    const failed = spans.findLast(({ failed }) => failed === true);
    return this.#store(`trace ${root.traceId}`, {
      type: 'trace',
      title: `Trace of ${root.operation}`,
      description: `${amount(root.durationMs, 'ms')} at ${timeOfDay(root.at)}${failed ? `, failed in ${failed.service}` : ''}.`,
      providerUrl: root.shown?.url ?? null,
      data: {
        traceId: root.traceId,
        spans: spans.map(({ shown: _, ...span }) => ({ ...span, at: new Date(span.at).toISOString() })),
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

  #metricData(
    { signal, service, labels, query, asked }: Series,
    points: readonly Point[],
  ): Record<string, unknown> {
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
    return {
      metricType,
      name: `${service} ${name}`,
      description: label,
      unit,
      dataPoints,
      ...(query !== null && { query }),
      ...(asked && {
        asked: {
          start: new Date(asked.start).toISOString(),
          end: new Date(asked.end).toISOString(),
          stepSeconds: asked.stepMs / 1000,
        },
      }),
    };
  }
}

/** Where people have no address of the source, the question as a path below it: for programs, and never a link. */
function askedAgain(query: string | null): string | null {
  return query === null ? null : `/graph?${new URLSearchParams({ 'g0.expr': query }).toString()}`;
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}

const MINUTE = 60_000;

/** The window to plot: starts some time before the onset to show the usual level. */
export function windowToShow(survey: Survey, onset: number): Window {
  return { from: Math.min(onset, survey.trigger) - 25 * MINUTE, to: survey.window.to };
}
