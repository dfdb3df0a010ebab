import { UNLIMITED } from '../../src/service/telemetry/budget.ts';
import type {
  Change,
  LogLine,
  Measure,
  Reading,
  Series,
  Span,
  Window,
} from '../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';
import { type Point, pointsIn } from '../../src/service/telemetry/view.ts';

/** What a source answers; fails the test where that is not known. */
export async function answerOf<T>(answer: Promise<Reading<T>>): Promise<T> {
  const given = await answer;
  if (!given.known) throw new Error(given.reason);
  return given.value;
}

/** A source as tests ask it: one service, one metric, one window. */
export function readerOf(source: TelemetrySource) {
  return {
    metric: async (service: string, id: string, window: Window): Promise<Point[]> => {
      const query = { signals: [id], services: [service], stepMs: 30_000 };
      const [series] = await answerOf(source.series(query, window, UNLIMITED));
      return series ? pointsIn(series, window) : [];
    },
    logs: (service: string, window: Window): Promise<LogLine[]> =>
      answerOf(source.logs(service, window, UNLIMITED)),
    spans: (service: string, window: Window): Promise<Span[]> =>
      answerOf(source.spans(service, window, UNLIMITED)),
    changes: (window: Window): Promise<Change[]> => answerOf(source.changes(window, UNLIMITED)),
  };
}

/** A series of a service made up by a test: one value a minute from 0 on, or as often as `stepMs` says. */
export function seriesWith(
  values: readonly number[],
  { measure = 'latency', unit = 's', bad = 'high', stepMs = 60_000, service = 'cart' }: SeriesOptions = {},
): Series {
  return {
    signal: { id: measure, name: measure, label: measure, measure, unit, bad, metricType: 'gauge' },
    service,
    instance: null,
    edge: null,
    labels: {},
    points: {
      times: Float64Array.from(values, (_, i) => i * stepMs),
      values: Float64Array.from(values),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'test',
  };
}

interface SeriesOptions {
  measure?: Measure;
  unit?: string;
  bad?: 'high' | 'low' | 'either';
  stepMs?: number;
  service?: string;
}
