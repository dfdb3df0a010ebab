import { known, mapped, type Points, type Series, type Window } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';

/**
 * The source as it was at a moment: no request reaches past it, and what an answer holds from after it is left out. What
 * is only known as it is now, such as a cluster's own state, is left out. Rules and names are those of today.
 */
export function asOf(source: TelemetrySource, moment: number): TelemetrySource {
  const end = moment + 1;
  const past = ({ from, to }: Window): Window => ({ from: Math.min(from, end), to: Math.min(to, end) });
  const { unusual, recent, alertRule, alertRules, evaluate, copies, knows, focus, stateThen } = source;
  return {
    name: source.name,
    pastMs: source.pastMs,
    services: (window, budget) => source.services(past(window), budget),
    edges: (window, budget) => source.edges(past(window), budget),
    signals: (window, budget) => source.signals(past(window), budget),
    series: async (query, window, budget) =>
      mapped(await source.series(query, past(window), budget), (all) => all.map((one) => before(one, end))),
    logs: async (service, window, budget) =>
      mapped(await source.logs(service, past(window), budget), (all) => all.filter(({ at }) => at < end)),
    // A span is only known once it has ended.
    spans: async (service, window, budget) =>
      mapped(await source.spans(service, past(window), budget), (all) =>
        all.filter(({ at, durationMs }) => at + durationMs < end),
      ),
    changes: async (window, budget) =>
      mapped(await source.changes(past(window), budget), (all) =>
        all
          .filter(({ at }) => at < end)
          .map(({ instances, ...change }) => ({
            ...change,
            ...(instances && {
              instances: instances
                .filter(({ from }) => from < end)
                .map((run) => ({ ...run, to: Math.min(run.to, moment) })),
            }),
          })),
      ),
    ...(unusual && { unusual: (window, budget) => unusual(past(window), budget) }),
    ...(recent && {
      recent: async (window, budget, services) =>
        mapped(await recent(past(window), budget, services), (all) => all.map((one) => before(one, end))),
    }),
    ...(alertRule && { alertRule }),
    ...(alertRules && { alertRules }),
    ...(evaluate && {
      evaluate: async (expression, window, budget) =>
        mapped(await evaluate(expression, past(window), budget), (all) => all.map((one) => before(one, end))),
    }),
    ...(copies && { copies: (labels, window, budget) => copies(labels, past(window), budget) }),
    ...(knows && { knows: (labels, window, budget) => knows(labels, past(window), budget) }),
    ...(focus && { focus: (labels, window, budget) => focus(labels, past(window), budget) }),
    ...(stateThen && {
      state: (window, budget, linesOf, services) => stateThen(past(window), budget, linesOf, services),
    }),
    fired: async () => known([]),
    check: source.check,
  };
}

function before(series: Series, end: number): Series {
  const { points, limit } = series;
  return { ...series, points: cut(points, end), limit: limit && cut(limit, end) };
}

function cut(points: Points, end: number): Points {
  const after = points.times.findIndex((at) => at >= end);
  return after < 0
    ? points
    : { times: points.times.subarray(0, after), values: points.values.subarray(0, after) };
}
