import { z } from 'zod';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import type { Budget } from '../budget.ts';
import { createSourceClient, type SourceAddress } from '../http.ts';
import { type Answer, known, type Points, unknown, type Window } from '../model.ts';

/** One time series of a result. */
export interface Sampled {
  labels: Readonly<Record<string, string>>;
  points: Points;
}

interface Rule {
  name: string;
  query: string;
  duration: number;
  labels: Record<string, string>;
  health: string | null;
  lastError: string | null;
}

/** Uses only GET and POST below `/api/v1/`, and `/-/ready`. */
export interface PrometheusClient {
  readonly base: string;
  /** A query at one moment. */
  query(expression: string, at: number, budget: Budget): Promise<Answer<Sampled[]>>;
  /** A query over a window, every `stepMs`; the newest sample is at or before the end of the window. */
  queryRange(expression: string, window: Window, stepMs: number, budget: Budget): Promise<Answer<Sampled[]>>;
  /** Names of the metrics that have samples in the window. */
  metricNames(window: Window, budget: Budget): Promise<Answer<string[]>>;
  alertRules(budget: Budget): Promise<Answer<Rule[]>>;
  version(budget: Budget): Promise<Answer<string>>;
  close(): Promise<void>;
}

/** Longer queries are sent in the body of a POST. */
const LONGEST_ADDRESS = 1_500;
/** Prometheus' maximum of points per series. */
const MOST_POINTS = 11_000;

/** A clock that is off by this many minutes is reported. */
const CLOCK_MINUTES = 2;

const Envelope = z.looseObject({
  status: z.string(),
  data: z.unknown().optional(),
  error: z.string().optional(),
  warnings: z.array(z.string()).nullish(),
  infos: z.array(z.string()).nullish(),
});
const Labels = z.record(z.string(), z.string());
/** Samples are parsed by hand: a result may contain a million, each a pair of a number and a text. */
const Result = z.looseObject({
  resultType: z.string(),
  result: z.array(
    z.looseObject({ metric: Labels, value: z.unknown().optional(), values: z.array(z.unknown()).optional() }),
  ),
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
          health: z.string().nullish(),
          lastError: z.string().nullish(),
        }),
      ),
    }),
  ),
});
const BuildInfo = z.looseObject({ version: z.string() });

export function createPrometheusClient(address: SourceAddress, clock: Clock = systemClock): PrometheusClient {
  const http = createSourceClient(address);
  const at = `${address.title} at ${http.base}`;

  /** The `data` of an answer, validated. */
  async function read<T>(
    path: string,
    parameters: readonly (readonly [string, string])[],
    schema: z.ZodType<T>,
    budget: Budget,
  ): Promise<Answer<T>> {
    const length = parameters.reduce((sum, [, value]) => sum + value.length, 0);
    const method = length > LONGEST_ADDRESS ? 'POST' : 'GET';
    const answer = await http.ask({ method, path: `/api/v1/${path}`, parameters }, budget);
    if (!answer.ok) return unknown(answer.reason);
    const json = parseJson(answer.text);
    if (json === undefined)
      return unknown(
        `${at} answered with something other than JSON, or cut it short: check that ${address.variable}_URL leads to ${address.title} itself, not to a login page.`,
      );
    const envelope = Envelope.safeParse(json);
    if (!envelope.success) return unknown(`${at} answered in a form that Prometheus does not have.`);
    const { status, data, error, warnings, infos } = envelope.data;
    if (status !== 'success') return unknown(`${at} reported an error: ${(error ?? status).slice(0, 300)}`);
    const parsed = schema.safeParse(data);
    if (!parsed.success) return unknown(`${at} answered in a form that Prometheus does not have.`);
    const warned = [...(warnings ?? []), ...(infos ?? [])].map(
      (text) => `${at} warned: ${text.slice(0, 300)}`,
    );
    const caveats = [...warned, ...clockCaveat(answer.date)];
    return known(parsed.data, [...new Set(caveats)]);
  }

  /** Alerts and samples are timed by two clocks: if those differ, so do onsets. */
  const clockCaveat = (date: number | null): string[] => {
    const minutes = date === null ? 0 : Math.round((date - clock.now()) / 60_000);
    if (Math.abs(minutes) < CLOCK_MINUTES) return [];
    const way = minutes > 0 ? 'ahead of' : 'behind';
    return [`The clock of ${at} is ${Math.abs(minutes)} min ${way} ours, so times may be off by that much.`];
  };

  const sampled = (answer: Answer<z.infer<typeof Result>>, budget: Budget): Answer<Sampled[]> => {
    if (!answer.known) return answer;
    const series: Sampled[] = [];
    for (const { metric, value, values } of answer.value.result) {
      const points = pointsOf(values ?? (value === undefined ? [] : [value]));
      if (!budget.takeSamples(points.times.length))
        return known(series, [
          ...answer.caveats,
          'More samples than an investigation may read: some series are missing.',
        ]);
      if (points.times.length > 0) series.push({ labels: metric, points });
    }
    return known(series, answer.caveats);
  };

  return {
    base: http.base,
    query: async (expression, moment, budget) =>
      sampled(
        await read(
          'query',
          [
            ['query', expression],
            ['time', seconds(moment)],
          ],
          Result,
          budget,
        ),
        budget,
      ),
    queryRange: async (expression, window, stepMs, budget) => {
      // Samples are at whole steps before the end, so that the newest is as new as possible.
      const end = window.to - 1;
      const step = Math.max(stepMs, Math.ceil((end - window.from) / (MOST_POINTS - 1)));
      const start = end - Math.floor((end - window.from) / step) * step;
      const parameters = [
        ['query', expression],
        ['start', seconds(start)],
        ['end', seconds(end)],
        ['step', seconds(step)],
      ] as const;
      return sampled(await read('query_range', parameters, Result, budget), budget);
    },
    metricNames: (window, budget) =>
      read(
        'label/__name__/values',
        [
          ['start', seconds(window.from)],
          ['end', seconds(window.to)],
        ],
        Names,
        budget,
      ),
    alertRules: async (budget) => {
      const answer = await read('rules', [['type', 'alert']], Rules, budget);
      if (!answer.known) return answer;
      const rules = answer.value.groups.flatMap((group) => group.rules);
      return known(
        rules
          // Older servers do not support the parameter.
          .filter(({ type }) => type === undefined || type === 'alerting')
          .map(({ name, query, duration, labels, health, lastError }) => ({
            name,
            query,
            duration: duration ?? 0,
            labels: labels ?? {},
            health: health ?? null,
            lastError: lastError ? lastError : null,
          })),
        answer.caveats,
      );
    },
    version: async (budget) => {
      const answer = await read('status/buildinfo', [], BuildInfo, budget);
      return answer.known ? known(answer.value.version, answer.caveats) : answer;
    },
    close: http.close,
  };
}

/** Pairs of epoch seconds and a number as text; non-finite numbers mean that there is no value, and are left out. */
function pointsOf(pairs: readonly unknown[]): Points {
  const times = new Float64Array(pairs.length);
  const values = new Float64Array(pairs.length);
  let count = 0;
  for (const pair of pairs) {
    if (!Array.isArray(pair)) continue;
    const at: unknown = pair[0];
    const text: unknown = pair[1];
    const value = typeof text === 'string' && text !== '' ? Number(text) : Number.NaN;
    if (typeof at !== 'number' || !Number.isFinite(value)) continue;
    times[count] = Math.round(at * 1000);
    values[count] = value;
    count++;
  }
  return { times: times.slice(0, count), values: values.slice(0, count) };
}

function seconds(ms: number): string {
  return String(ms / 1000);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A link to a query over a window, in Prometheus' own UI or Grafana's Explore. */
export function linkTo(
  query: string,
  { base, grafanaUrl, window }: { base: string; grafanaUrl: string | null; window: Window },
): string {
  if (grafanaUrl !== null) {
    const left = {
      queries: [{ refId: 'A', expr: query }],
      range: { from: String(window.from), to: String(window.to) },
    };
    return `${grafanaUrl.replace(/\/+$/u, '')}/explore?left=${encodeURIComponent(JSON.stringify(left))}`;
  }
  const minutes = Math.max(1, Math.round((window.to - window.from) / 60_000));
  const parameters = new URLSearchParams({
    'g0.expr': query,
    'g0.tab': '0',
    'g0.range_input': `${minutes}m`,
    'g0.end_input': new Date(window.to).toISOString().slice(0, 19).replace('T', ' '),
  });
  return `${base}/graph?${parameters.toString()}`;
}

/** What a rule measures, and the value it is compared with. */
interface Measured {
  expression: string;
  threshold: { comparison: string; value: number } | null;
}

const COMPARISON =
  /\s*(>=|<=|==|!=|>|<)\s*(?:bool\s+)?\(?\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*\)?\s*$/iu;

/** Strips the final comparison with a number from a rule's expression: the rest can be plotted. */
export function measuredBy(rule: string): Measured {
  const text = rule.trim();
  const found = COMPARISON.exec(text);
  const expression = found ? text.slice(0, found.index).trim() : text;
  if (!found || !isBalanced(expression) || isPartOfMore(expression))
    return { expression: text, threshold: null };
  return { expression, threshold: { comparison: found[1] ?? '>', value: Number(found[2]) } };
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of withoutStrings(text)) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** `a and b > 1`: the comparison belongs to `b` only. */
function isPartOfMore(text: string): boolean {
  let depth = 0;
  let outside = '';
  for (const character of withoutStrings(text)) {
    if ('([{'.includes(character)) depth++;
    if (depth === 0) outside += character;
    if (')]}'.includes(character)) depth--;
  }
  return /\b(?:and|or|unless)\b|[<>]|==|!=/iu.test(outside);
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/gu, '""');
}
