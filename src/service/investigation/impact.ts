import type { Budget } from '../telemetry/budget.ts';
import type { Series, Signal } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { View } from '../telemetry/view.ts';
import type { Incident } from './place/incident.ts';
import { ROUTE_AND_METHOD, routeOf } from './routes.ts';

/** Who is hit, and how much: the requests to a service that failed since its failures began. */
export interface Impact extends Counted {
  service: string;
  since: number;
  /** The moment up to which they are counted. */
  until: number;
  isOngoing: boolean;
  /** Those that a label names, most failed requests first. */
  routes: readonly Part[];
  /** The same by the label that names customers, if one is configured. */
  customers: readonly Part[];
}

interface Counted {
  failed: number;
  requests: number;
}

type Part = Counted & { name: string };

const STEP = 60_000;
/** In less time than this no rate is known. */
const LEAST_MS = 60_000;

/** Counts what failed; `null` where the service's failures have not risen, or nothing counts its requests. */
export async function impactOf(
  { symptom, primary, affected }: Incident,
  view: View,
  source: TelemetrySource,
  budget: Budget,
): Promise<Impact | null> {
  const failing = [primary, ...(affected.get(symptom) ?? [])].find(
    ({ series: { service, edge, signal } }) =>
      service === symptom && edge === null && (signal.measure === 'errors' || signal.measure === 'success'),
  );
  if (failing === undefined) return null;
  const { onset: since, end } = failing;
  const until = Math.min(end ?? view.trigger, view.trigger);
  const counter = counterOf(failing.series.signal, view.series(symptom));
  if (counter === null || until - since < LEAST_MS) return null;
  const read = async (by: readonly string[]) => {
    const query = {
      signals: [failing.series.signal.id, counter.id],
      services: [symptom],
      stepMs: STEP,
      by,
      isAverage: true,
    };
    const reading = await source.series(query, { from: since, to: until + 1 }, budget);
    const own = reading.known ? reading.value.filter(({ edge }) => edge === null) : [];
    return counted(own, counter, until - since);
  };
  const { tenantLabel } = source;
  const [all, tenants] = await Promise.all([
    read(ROUTE_AND_METHOD),
    tenantLabel === undefined ? [] : read([tenantLabel]),
  ]);
  const { failed, requests } = sumOf(all);
  if (Math.round(failed) < 1 || failed > requests) return null;
  return {
    ...{ service: symptom, since, until, isOngoing: end === null, failed, requests },
    routes: named(all, routeOf),
    customers: named(tenants, (labels) => (tenantLabel === undefined ? '' : (labels[tenantLabel] ?? ''))),
  };
}

/** What counts the requests of which a signal is a share: of the same metric, or the only one of the service. */
function counterOf({ name }: Signal, series: readonly Series[]): Signal | null {
  const [requests, shares] = [
    signalsIn(series, ({ measure }) => measure === 'requests'),
    signalsIn(series, ({ measure }) => measure === 'errors' || measure === 'success'),
  ];
  const same = requests.find((one) => one.name === name);
  if (same !== undefined) return same;
  return requests.length === 1 && shares.length === 1 ? (requests[0] ?? null) : null;
}

function signalsIn(series: readonly Series[], isWanted: (signal: Signal) => boolean): Signal[] {
  const all = series.map(({ signal }) => signal).filter(isWanted);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

type Labelled = Counted & { labels: Series['labels'] };

/** Failed and all requests of each combination of labels. */
function counted(series: readonly Series[], counter: Signal, ms: number): Labelled[] {
  const keyOf = ({ labels }: Series) => JSON.stringify(Object.entries(labels).sort());
  const shares = new Map(
    series.filter(({ signal }) => signal.id !== counter.id).map((one) => [keyOf(one), one]),
  );
  return series
    .filter(({ signal }) => signal.id === counter.id)
    .map((rate): Labelled => {
      const share = shares.get(keyOf(rate));
      const at = new Map(share && [...share.points.times].map((time, i) => [time, share.points.values[i]]));
      const rates = [...rate.points.values];
      const failing = rates.map((value, i) => {
        const own = at.get(rate.points.times[i] ?? 0) ?? (share?.signal.measure === 'success' ? 1 : 0);
        return value * (share?.signal.measure === 'success' ? 1 - own : own);
      });
      const total = (values: readonly number[]) =>
        (values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)) * (ms / 1000);
      return { labels: rate.labels, failed: total(failing), requests: total(rates) };
    });
}

function sumOf(all: readonly Counted[]): Counted {
  return {
    failed: all.reduce((sum, one) => sum + one.failed, 0),
    requests: all.reduce((sum, one) => sum + one.requests, 0),
  };
}

/** Those that have a name and failed requests. */
function named(all: readonly Labelled[], nameOf: (labels: Series['labels']) => string): Part[] {
  return [...Map.groupBy(all, ({ labels }) => nameOf(labels))]
    .map(([name, some]) => ({ name, ...sumOf(some) }))
    .filter(({ name, failed }) => name !== '' && Math.round(failed) >= 1)
    .sort((a, b) => b.failed - a.failed);
}
