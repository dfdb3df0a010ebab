import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { investigate } from '../investigation/investigate.ts';
import { type Budget, createBudget } from '../telemetry/budget.ts';
import type { AlertRule, FiredAlert } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { asOf } from './as-of.ts';
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
  /** Each firing, for what is said of the rules. */
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
