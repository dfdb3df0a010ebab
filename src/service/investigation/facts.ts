import type { Fact as WireFact } from '../../contract/schema.ts';
import type { StateFinding } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { Anomaly } from './anomalies.ts';
import { type Fact, keyOf } from './fact.ts';
import { movement } from './words/movement.ts';

/** A period in which a series deviated, as a fact. */
export function factOfAnomaly({ series, onset, end, before, worst }: Anomaly, { window }: View): Fact {
  const { signal, service, instance, edge, query, providerUrl, provider, points, limit } = series;
  const last = points.values.at(-1);
  const most = limit?.values.at(-1);
  const stepMs = (points.times[1] ?? 0) - (points.times[0] ?? 0);
  return {
    what: 'departure',
    code: signal.measure,
    of: {
      service: edge?.callee ?? service,
      ...(instance === null ? {} : { instance }),
      ...(edge === null ? {} : { caller: edge.caller }),
    },
    since: onset,
    until: end,
    level: {
      now: end === null && last !== undefined ? last : worst,
      before,
      unit: signal.unit,
      ...(most === undefined ? {} : { limit: most }),
    },
    from: {
      source: provider,
      window,
      ...(query === null ? {} : { query }),
      ...(stepMs > 0 ? { stepMs } : {}),
      ...(providerUrl === null ? {} : { url: providerUrl }),
    },
  };
}

/** What a check of the cluster's objects found, at any confidence. */
export function factOfState(finding: StateFinding, service: string | null, window: View['window']): Fact {
  const { object, cause, show } = finding;
  return {
    what: 'state',
    code: cause,
    of: { service: service ?? finding.workload?.name ?? object.replace(/^[^/]*\//u, ''), object },
    since: null,
    until: null,
    level: null,
    from: { source: 'kubernetes', window, ...(show === null ? {} : { query: show }) },
  };
}

/** Facts as the API has them, the first to begin first. */
export function shownFacts(facts: readonly { fact: Fact; sentence: string }[]): WireFact[] {
  const at = (time: number) => new Date(time).toISOString();
  return facts
    .toSorted((a, b) => (a.fact.since ?? Infinity) - (b.fact.since ?? Infinity))
    .filter(({ fact: { level } }) => level === null || Number.isFinite(level.now + (level.before ?? 0)))
    .map(({ fact, sentence }) => {
      const { what, code, of, since, until, level, from } = fact;
      const { source, query, window, stepMs, url } = from;
      return {
        what,
        code,
        key: keyOf(fact),
        of,
        ...(since === null ? {} : { since: at(since) }),
        ...(until === null ? {} : { until: at(until) }),
        ...(level === null ? {} : { level: { ...level, before: level.before ?? undefined } }),
        from: {
          source,
          from: at(window.from),
          to: at(window.to),
          ...(query === undefined ? {} : { query }),
          ...(stepMs === undefined ? {} : { stepSeconds: stepMs / 1000 }),
          ...(url === undefined ? {} : { url }),
        },
        sentence,
      };
    });
}

/** `payments error rate rose from 0.2% to 12%.` */
export function sentenceOf(anomaly: Anomaly): string {
  return `${movement(anomaly.series.service, anomaly)}.`;
}
