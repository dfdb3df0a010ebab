import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { investigate } from '../investigation/investigate.ts';
import { type Budget, createBudget } from '../telemetry/budget.ts';
import {
  type AlertRule,
  type FiredAlert,
  known,
  mapped,
  type Points,
  type Series,
  type Window,
} from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type PastAlert, type PastProblem, pastAlert, problemsOf } from './past-alert.ts';
import { type Row, rowOf } from './row.ts';

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
/** When the bot's service looks again where the first look came too early: nothing later than that is read. */
export const LATER = 2 * MINUTE;
/** For finding what fired. */
const SEARCH = { requests: 1_000, ms: 5 * MINUTE };
/** After each investigation, the sources rest for this share of the time that it took. */
const REST = 0.25;

export interface Past {
  days: number;
  /** Milliseconds. */
  from: number;
  to: number;
  /** Those to investigate: the newest, oldest first. */
  problems: readonly PastProblem[];
  /** How many firings these are. */
  alerts: number;
  /** Problems beyond the limit, which are left out. */
  left: number;
  /** Alerts that were firing before the time began: when they did is not known. */
  before: readonly string[];
  fired: readonly PastAlert[];
  rules: readonly AlertRule[];
  /** Why some of it could not be read. */
  problem: string | null;
}

/**
 * What fired in the last days.
 *
 * @param options.read alerts that were read elsewhere, such as in a channel
 */
export async function readPast(
  source: TelemetrySource,
  {
    days,
    limit,
    read = [],
    clock,
  }: { days: number; limit: number; read?: readonly PastAlert[]; clock: Clock },
): Promise<Past> {
  const to = clock.now();
  const from = to - days * DAY;
  const budget = createBudget(SEARCH, { clock });
  try {
    const [rules, fired] = await Promise.all([
      source.alertRules?.(budget) ?? null,
      source.fired?.({ from, to: to + 1 }, budget) ?? null,
    ]);
    const found = fired?.known ? fired.value : [];
    const wasFiring = (one: FiredAlert) => one.from < from + 2 * MINUTE;
    const ofRules = rules ?? { known: true, value: [], caveats: [] };
    const all = [
      ...found.filter((one) => !wasFiring(one)).map((one) => pastAlert(one, ofRules)),
      ...read.filter((one) => one.from >= from && one.from <= to),
    ];
    const problems = problemsOf(all);
    const kept = problems.slice(-limit);
    return {
      days,
      from,
      to,
      problems: kept,
      alerts: kept.reduce((sum, { again }) => sum + 1 + again.length, 0),
      left: problems.length - kept.length,
      before: [...new Set(found.filter(wasFiring).map(({ name }) => name))],
      fired: all,
      rules: ofRules.known ? ofRules.value : [],
      problem: fired === null ? null : fired.known ? (fired.caveats[0] ?? null) : fired.reason,
    };
  } finally {
    budget.end();
  }
}

export function keyOf({ identity, from }: Pick<Row, 'identity' | 'from'>): string {
  return `${identity} ${from}`;
}

interface Progress {
  row: Row;
  done: number;
  of: number;
  leftSeconds: number;
}

/**
 * Investigates each problem as of then, one after the other, and yields what it finds.
 *
 * @param options.done those that an earlier run has investigated
 */
export async function* investigatePast(
  source: TelemetrySource,
  problems: readonly PastProblem[],
  options: {
    limits: { requests: number; ms: number };
    clock: Clock;
    stop: AbortSignal;
    done?: readonly Row[];
  },
): AsyncGenerator<Progress> {
  const { clock, stop, done = [] } = options;
  const known = new Set(done.map(keyOf));
  const todo = problems.filter((problem) => !known.has(keyOf(problem)));
  const began = clock.now();
  for (const [i, problem] of todo.entries()) {
    if (stop.aborted) return;
    const row = await investigateThen(source, problem, options).catch((error: unknown) => {
      if (stop.aborted) return null;
      throw error;
    });
    // What was cut off found less than there is.
    if (row === null || stop.aborted) return;
    const each = (clock.now() - began) / (i + 1);
    const leftSeconds = Math.round((each * (todo.length - i - 1)) / 1000);
    yield { row, done: known.size + i + 1, of: known.size + todo.length, leftSeconds };
    if (i + 1 < todo.length) await clock.sleep(REST * row.seconds * 1000, stop).catch(() => undefined);
  }
}

/** One problem as it was: at its start, and once more two minutes later where that came too early. */
export async function investigateThen(
  source: TelemetrySource,
  problem: PastProblem,
  { limits, clock, stop }: { limits: { requests: number; ms: number }; clock: Clock; stop: AbortSignal },
): Promise<Row> {
  const began = clock.now();
  let requests = 0;
  let busyMs = 0;
  let asking = 0;
  let since = 0;
  const lookAt = async (moment: number) => {
    const budget = createBudget(limits, { clock, stop });
    const timed: Budget = {
      ...budget,
      perform: (work) =>
        budget.perform(async () => {
          if (asking++ === 0) since = clock.now();
          return await work().finally(() => {
            if (--asking === 0) busyMs += clock.now() - since;
          });
        }),
    };
    try {
      const issue = issueOf(problem, moment);
      return await investigate(issue, asOf(source, moment), { id: randomUUID, now: moment, budget: timed });
    } finally {
      requests += budget.spent().requests;
      budget.end();
    }
  };
  const first = await lookAt(problem.from);
  const found = first.isEarly ? await lookAt(problem.from + LATER) : first;
  const seconds = (clock.now() - began) / 1000;
  return rowOf(problem, found, clock.now(), { seconds, requests, busyMs });
}

function issueOf({ name, description, environment, from, service, context }: PastProblem, moment: number) {
  return {
    title: name,
    description,
    environment,
    triggeredAt: from,
    moment,
    service,
    context: { ...context },
  };
}

/**
 * The source as it was at a moment: no request reaches past it, and what an answer holds from after it is left out. What
 * is only known as it is now, such as a cluster's own state, is left out. Rules and names are those of today.
 */
export function asOf(source: TelemetrySource, moment: number): TelemetrySource {
  const end = moment + 1;
  const past = ({ from, to }: Window): Window => ({ from: Math.min(from, end), to: Math.min(to, end) });
  const { unusual, recent, alertRule, alertRules, evaluate, copies, knows, focus, stateThen, objectives } =
    source;
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
    ...(objectives && {
      objectives: (service, window, budget) => objectives(service, past(window), budget),
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
