import { z } from 'zod';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import type { Budget } from '../budget.ts';
import { askJson, createSourceClient, type SourceAddress } from '../http.ts';
import { type Asked, known, mapped, type Points, type Reading, unknown, type Window } from '../model.ts';
import { publicAddress } from '../public-address.ts';
import { readPoints } from '../samples.ts';

type Labelled = Readonly<Record<string, string>>;

export interface Sampled {
  labels: Readonly<Record<string, string>>;
  points: Points;
}

/** An alerting rule. `duration` is its `for`, in seconds. */
export interface Rule {
  name: string;
  query: string;
  duration: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  lastError: string | null;
}

export interface Description {
  type: string;
  help: string;
  unit: string;
}

/** Uses only GET and POST below `/api/v1/`, and `/-/ready`. */
export interface PrometheusClient {
  readonly base: string;
  /** The same for people; `null` if they cannot open it. */
  readonly publicBase: string | null;
  query(expression: string, at: number, budget: Budget, reach?: Reach): Promise<Reading<Sampled[]>>;
  /**
   * A query over a window, every `stepMs`; the newest sample is at or before the end of the window.
   *
   * @param options.subject what is queried, for people; by default the expression
   */
  queryRange(
    expression: string,
    window: Window,
    stepMs: number,
    budget: Budget,
    options?: { subject?: string | ((labels: Labelled) => string); reach?: Reach },
  ): Promise<Reading<Sampled[]>>;
  /** Names of the metrics that have samples in the window; with these labels, if some are given. */
  metricNames(
    window: Window,
    budget: Budget,
    labels?: Readonly<Record<string, string>>,
  ): Promise<Reading<string[]>>;
  labelNames(window: Window, budget: Budget): Promise<Reading<string[]>>;
  /** What exporters say of their metrics, by name; of some servers nothing. */
  metadata(budget: Budget): Promise<Reading<ReadonlyMap<string, Description>>>;
  alertRules(budget: Budget): Promise<Reading<Rule[]>>;
  /** What it is, and its version if it says so: `Prometheus 3.5.0`, `Thanos`. */
  product(budget: Budget): Promise<string>;
  close(): Promise<void>;
}

/** Longer queries are sent in the body of a POST. */
const LONGEST_ADDRESS = 1_500;
/** Prometheus' maximum of points per series. */
const MOST_POINTS = 11_000;
/** Expressions that are NaN where nothing happens: a quantile or a ratio of nothing. */
const OFTEN_NAN = /quantile| \/ /u;

interface Reach {
  /** More series than this are not read of one answer: a query that returns as many should aggregate. */
  series: number;
  /** A series takes as much memory as this many samples, besides its own. */
  cost: number;
}

const SERIES: Reach = { series: 5_000, cost: 50 };
/** Of what only says who is there: nothing is kept but a few names. */
export const LISTING: Reach = { series: 50_000, cost: 2 };

const Envelope = z.looseObject({
  status: z.string(),
  data: z.unknown().optional(),
  error: z.string().optional(),
  warnings: z.array(z.string()).nullish(),
  /** Of a cluster of VictoriaMetrics, some of whose storage did not answer. */
  isPartial: z.boolean().optional(),
});
const Labels = z.record(z.string(), z.string());
/** The series of a result are taken out of it while it arrives. */
const Result = z.looseObject({ resultType: z.string(), result: z.array(z.never()) });
const OneSeries = z.looseObject({
  metric: Labels,
  value: z.unknown().optional(),
  values: z.array(z.unknown()).optional(),
});
const Names = z.array(z.string());
const Rules = z.looseObject({
  groups: z.array(
    z.looseObject({
      rules: z.array(
        z.looseObject({
          type: z.string().optional(),
          name: z.string(),
          query: z.string(),
          duration: z.number().optional(),
          labels: Labels.nullish(),
          annotations: Labels.nullish(),
          lastError: z.string().nullish(),
        }),
      ),
    }),
  ),
});
const Metadata = z.record(
  z.string(),
  z.array(
    z.looseObject({
      type: z.string().catch('unknown'),
      help: z.string().catch(''),
      unit: z.string().catch(''),
    }),
  ),
);
const BuildInfo = z.looseObject({
  version: z.string().optional(),
  revision: z.string().optional(),
  application: z.string().optional(),
});
const TopQueries = z.looseObject({ topByCount: z.array(z.unknown()) });

export function createPrometheusClient(address: SourceAddress, clock: Clock = systemClock): PrometheusClient {
  const http = createSourceClient(address, clock);
  const at = `${address.title} at ${http.base}`;

  /** The `data` of an answer, validated. */
  async function read<T>(
    path: string,
    parameters: readonly (readonly [string, string])[],
    schema: z.ZodType<T>,
    budget: Budget,
    take?: () => (items: readonly unknown[], key: string) => readonly unknown[] | null,
  ): Promise<Reading<T>> {
    const length = parameters.reduce((sum, [, value]) => sum + value.length, 0);
    const method = length > LONGEST_ADDRESS ? 'POST' : 'GET';
    const request = { method, path: `/api/v1/${path}`, parameters, ...(take && { take }) } as const;
    const reading = await askJson({ http, address }, request, Envelope, budget);
    if (!reading.known) return reading;
    const { status, data, error, warnings, isPartial } = reading.value;
    if (status !== 'success') return unknown(`${at} reported an error: ${(error ?? status).slice(0, 300)}`);
    const parsed = schema.safeParse(data);
    if (!parsed.success) return unknown(`${at} answered in a form that Prometheus does not have.`);
    // Its `infos` are about how the query is written, and limit nothing.
    const warned = (warnings ?? []).map((text) => `${at} warned: ${text.slice(0, 300)}`);
    const partial = `${at} answered in part: not all of its storage could be read.`;
    return known(parsed.data, [...new Set([...warned, ...(isPartial ? [partial] : []), ...reading.caveats])]);
  }

  async function sampled(
    path: string,
    expression: string,
    times: readonly (readonly [string, string])[],
    {
      subject = expression,
      reach = SERIES,
      budget,
    }: { subject?: string | ((labels: Labelled) => string); reach?: Reach; budget: Budget },
  ): Promise<Reading<Sampled[]>> {
    let series: Sampled[] = [];
    const caveats = new Set<string>();
    const takeSeries = (items: readonly unknown[], key: string): readonly unknown[] | null => {
      if (key !== 'result') return items;
      for (const item of items) {
        const parsed = OneSeries.safeParse(item);
        // What is left in the result fits no schema.
        if (!parsed.success) return [item];
        const { metric, value, values } = parsed.data;
        const { points, implausible } = readPoints(values ?? (value === undefined ? [] : [value]));
        if (!budget.takeSamples(points.times.length + reach.cost)) {
          caveats.add('More samples than an investigation may read: some series are missing.');
          return null;
        }
        if (series.length === reach.series) {
          caveats.add(
            `${at} returned more than ${reach.series} series for one query: the rest was not read.`,
          );
          return null;
        }
        if (implausible !== null && !(implausible === 'NaN' && OFTEN_NAN.test(expression)))
          caveats.add(
            `${typeof subject === 'string' ? subject : subject(metric)} has values that cannot be measurements (${implausible}): they were left out.`,
          );
        if (points.times.length > 0) series.push({ labels: plainLabels(metric), points });
      }
      return [];
    };
    const take = () => {
      series = [];
      return takeSeries;
    };
    const reading = await read(path, [['query', expression], ...times], Result, budget, take);
    return reading.known ? known(series, [...reading.caveats, ...caveats]) : reading;
  }

  return {
    base: http.base,
    publicBase: publicAddress(http.base, address.publicUrl),
    query: (expression, moment, budget, reach) =>
      sampled('query', expression, [['time', seconds(moment)]], { ...(reach && { reach }), budget }),
    queryRange: (expression, window, stepMs, budget, options = {}) => {
      const { start, end, stepMs: step } = askedOf(window, stepMs);
      const times = [
        ['start', seconds(start)],
        ['end', seconds(end)],
        ['step', seconds(step)],
      ] as const;
      return sampled('query_range', expression, times, { ...options, budget });
    },
    metricNames: (window, budget, labels) => {
      const matching = labels === undefined ? [] : [['match[]', matcherOf(labels)] as const];
      return read('label/__name__/values', [...matching, ...between(window)], Names, budget);
    },
    labelNames: (window, budget) => read('labels', between(window), Names, budget),
    metadata: async (budget) => {
      const reading = await read('metadata', [['limit_per_metric', '1']], Metadata, budget);
      return mapped(
        reading,
        (all) =>
          new Map(Object.entries(all).flatMap(([name, [one]]) => (one === undefined ? [] : [[name, one]]))),
      );
    },
    alertRules: async (budget) => {
      const reading = await read('rules', [['type', 'alert']], Rules, budget);
      if (!reading.known) return reading;
      const rules = reading.value.groups.flatMap((group) => group.rules);
      return known(
        rules
          // Older servers do not support the parameter.
          .filter(({ type }) => type === undefined || type === 'alerting')
          .map(({ name, query, duration, labels, annotations, lastError }) => ({
            name,
            query,
            duration: duration ?? 0,
            labels: labels ?? {},
            annotations: annotations ?? {},
            lastError: lastError ? lastError : null,
          })),
        reading.caveats,
      );
    },
    product: async (budget) => {
      const build = await read('status/buildinfo', [], BuildInfo, budget);
      const { version, revision, application } = build.known ? build.value : {};
      const named = (name: string) => (version ? `${name} ${version}` : name);
      if (application) return named(application.replace('Grafana ', ''));
      // Prometheus and Thanos say what they were built from. Thanos has no version above 1.
      if (revision !== undefined) return named(version?.startsWith('0.') ? 'Thanos' : 'Prometheus');
      const [stores, top] = await Promise.all([
        read('stores', [], z.unknown(), budget),
        askJson({ http, address }, { path: '/api/v1/status/top_queries' }, TopQueries, budget),
      ]);
      return top.known ? 'VictoriaMetrics' : named(stores.known ? 'Thanos' : 'Prometheus');
    },
    close: http.close,
  };
}

/** Labels with dots by the names that conventions know. */
function plainLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(labels);
  if (names.every((name) => /^\w+$/u.test(name))) return labels;
  return Object.fromEntries(names.map((name) => [name.replaceAll(/[^\w]+/gu, '_'), labels[name] ?? '']));
}

function matcherOf(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${all.join(',')}}`;
}

function between({ from, to }: Window) {
  return [
    ['start', seconds(from)],
    ['end', seconds(to)],
  ] as const;
}

function seconds(ms: number): string {
  return String(ms / 1000);
}

/** A Grafana to link to, and which of its data sources this server is, if that is known. */
export interface Explore {
  url: string;
  datasource?: string;
}

/** Samples are at whole steps before the end of the window, so that the newest is as new as possible. */
export function askedOf({ from, to }: Window, wanted: number): Asked {
  const end = to - 1;
  const stepMs = Math.max(wanted, Math.ceil((end - from) / (MOST_POINTS - 1)));
  return { start: end - Math.floor((end - from) / stepMs) * stepMs, end, stepMs };
}

/**
 * A link that asks the same again, in Prometheus' own UI or Grafana's Explore; `null` if people cannot open either.
 *
 * @param options.base that of the server for people
 */
export function linkTo(
  query: string,
  { base, explore, asked }: { base: string | null; explore: Explore | null; asked: Asked },
): string | null {
  const { start, end, stepMs } = asked;
  if (explore !== null) {
    const left = {
      ...(explore.datasource !== undefined && { datasource: explore.datasource }),
      queries: [{ refId: 'A', expr: query, interval: `${stepMs / 1000}s` }],
      range: { from: String(start), to: String(end) },
    };
    return `${explore.url.replace(/\/+$/u, '')}/explore?left=${encodeURIComponent(JSON.stringify(left))}`;
  }
  if (base === null) return null;
  const parameters = new URLSearchParams({
    'g0.expr': query,
    'g0.tab': '0',
    'g0.range_input': `${Math.max(1, Math.round((end - start) / 1000))}s`,
    'g0.end_input': new Date(end).toISOString().slice(0, 19).replace('T', ' '),
    'g0.step_input': String(stepMs / 1000),
  });
  return `${base}/graph?${parameters.toString()}`;
}
