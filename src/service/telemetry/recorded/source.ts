import type { Budget } from '../budget.ts';
import { type Answer, known, type Points, type Series, type Span, unknown, type Window } from '../model.ts';
import type { TelemetrySource } from '../source.ts';
import type { Recording } from './recording.ts';

/**
 * A recorded system as a source. Data is visible from its own time on: a sample at the end of its interval, a span when
 * it has ended. So a window contains what became known in it, and nothing recorded later reaches an investigation.
 */
export function recordedSource(recording: Recording): TelemetrySource {
  const spanEnds = Float64Array.from(recording.spans, ({ at, durationMs }) => at + durationMs);
  const logTimes = Float64Array.from(recording.logs, ({ at }) => at);
  const changeTimes = Float64Array.from(recording.changes, ({ at }) => at);
  const answer = <T>(budget: Budget, value: () => T, count: (value: T) => number): Answer<T> => {
    const request = budget.takeRequest();
    if (!request.granted) return unknown(request.reason);
    const found = value();
    return budget.takeSamples(count(found))
      ? known(found, recording.caveats)
      : unknown('The limit of samples is used up.');
  };
  const length = ({ length }: { length: number }) => length;
  return {
    name: 'recorded',
    pastMs: 7 * 24 * 3_600_000,
    services: async (_window, budget) => answer(budget, () => [...recording.services], length),
    edges: async (_window, budget) => answer(budget, () => [...recording.edges], length),
    signals: async (_window, budget) => answer(budget, () => [...recording.signals], length),
    series: async (query, window, budget) => {
      const signals = new Set(query.signals);
      const services = query.services === undefined ? null : new Set(query.services);
      return answer(
        budget,
        () =>
          recording.series
            .filter(({ signal, service }) => signals.has(signal.id) && (services?.has(service) ?? true))
            .map((series) => cut(series, window))
            .filter(({ points }) => points.times.length > 0),
        (found) => found.reduce((sum, { points }) => sum + points.times.length, 0),
      );
    },
    logs: async (service, window, budget) =>
      answer(
        budget,
        () => {
          const lines = within(recording.logs, logTimes, window);
          return service === null ? lines : lines.filter((line) => line.service === service);
        },
        length,
      ),
    spans: async (service, window, budget) =>
      answer(
        budget,
        () => {
          const spans = within(recording.spans, spanEnds, window);
          return service === null ? spans : wholeTraces(spans, service);
        },
        length,
      ),
    changes: async (window, budget) =>
      answer(budget, () => within(recording.changes, changeTimes, window), length),
    check: async () => ({
      name: 'recorded',
      ok: true,
      summary: `${recording.name}: ${recording.services.length} services, ${recording.series.length} series, ${recording.spans.length} spans, ${recording.logs.length} log lines.`,
      details: recording.caveats,
    }),
  };
}

function cut(series: Series, window: Window): Series {
  const { times, values } = series.points;
  const from = firstAt(times, window.from);
  const to = firstAt(times, window.to);
  const points: Points = { times: times.subarray(from, to), values: values.subarray(from, to) };
  return { ...series, points };
}

function within<T>(rows: readonly T[], times: Float64Array, { from, to }: Window): T[] {
  return rows.slice(firstAt(times, from), firstAt(times, to));
}

/** Index of the first time at or after `moment`. */
function firstAt(times: Float64Array, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Number.POSITIVE_INFINITY) >= moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

function wholeTraces(spans: readonly Span[], service: string): Span[] {
  const traces = new Set(spans.filter((span) => span.service === service).map(({ traceId }) => traceId));
  return spans.filter(({ traceId }) => traces.has(traceId));
}
