import type { Clock } from '../../lib/clock.ts';
import { median } from '../../lib/statistics.ts';
import { duration, joinNames } from '../investigation/format.ts';
import { type Budget, onBudget } from '../telemetry/budget.ts';
import type { Reading, Window } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Row } from './row.ts';
import { DAY, type Past } from './trial.ts';

const MINUTE = 60_000;

/** What a trial found, in numbers and sentences. */
export interface Report {
  past: Past;
  rows: readonly Row[];
  /** How many problems these are, where those with one cause at one time are one. */
  problems: number;
  /** Rows with a cause, by confidence. */
  named: { confidence: string; count: number }[];
  /** Rows in which nothing was found that would explain them. */
  quiet: number;
  /** One sentence each: what could not be seen, and what would show it. */
  unseen: readonly string[];
  noisy: readonly NoisyRule[];
  spent: { requests: number; seconds: number; busySeconds: number };
}

/** A rule that fired often, and mostly without a cause that was found. */
export interface NoisyRule {
  name: string;
  firings: number;
  withCause: number;
  /** Minutes. */
  total: number;
  median: number;
  /** The `for` that leaves every firing with a cause and the fewest others; `null` if none is better. */
  longer: { heldFor: number; firings: number } | null;
}

export function reportOn(past: Past, rows: readonly Row[], unseen: readonly string[]): Report {
  const named = rows.filter(({ verdict }) => verdict !== null);
  const byConfidence = Map.groupBy(named, ({ confidence }) => confidence ?? 'unknown');
  return {
    past,
    rows,
    problems: rows.length - named.filter((row, i) => named.slice(0, i).some(isSameAs(row))).length,
    named: ORDER.flatMap((confidence) => {
      const count = byConfidence.get(confidence)?.length ?? 0;
      return count === 0 ? [] : [{ confidence, count }];
    }),
    quiet: rows.length - named.length,
    unseen: [...unseen, ...commonGaps(rows)],
    noisy: noisyRules(past, rows),
    spent: {
      requests: sum(rows.map(({ requests }) => requests)),
      seconds: sum(rows.map(({ seconds }) => seconds)),
      busySeconds: sum(rows.map(({ busyMs }) => busyMs / 1000)),
    },
  };
}

const ORDER = ['high', 'medium', 'low', 'unknown'];
/** Two alerts with one cause that begin so soon after each other are one problem. */
const SAME_PROBLEM = 30 * MINUTE;

function isSameAs(row: Row): (other: Row) => boolean {
  return (other) =>
    other.place !== null &&
    other.place === row.place &&
    row.from - Math.max(other.from, other.to ?? other.from) < SAME_PROBLEM;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

const MOST_GAPS = 5;

/** What kept several investigations from seeing everything. */
function commonGaps(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const { gaps } of rows) for (const gap of gaps) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_GAPS)
    .map(([gap, count]) => `${gap} (in ${count} of ${rows.length})`);
}

interface Kind {
  look: (source: TelemetrySource, past: Window, budget: Budget) => Promise<Reading<unknown[]>>;
  missing: string;
  remedy: string;
}

const KINDS: readonly Kind[] = [
  {
    look: (source, past, budget) => source.logs(null, newestPart(past), budget),
    missing: 'No logs',
    remedy: 'set LOKI_URL, VICTORIALOGS_URL, ELASTICSEARCH_URL or LOG_FILES',
  },
  {
    look: (source, past, budget) => source.spans(null, newestPart(past), budget),
    missing: 'No traces',
    remedy: 'set TEMPO_URL or JAEGER_URL',
  },
  {
    look: (source, past, budget) => source.changes(past, budget),
    missing: 'No deploys or other changes',
    remedy:
      'set KUBERNETES, ARGOCD_URL, GITHUB_REPOSITORIES or GITLAB_PROJECTS, or export `build_info` with a version',
  },
  {
    look: (source, past, budget) => source.edges(newestPart(past), budget),
    missing: 'Not who calls whom',
    remedy: 'a service graph of traces, a mesh, or metrics of clients show it',
  },
];

function newestPart({ to }: Window): Window {
  return { from: to - 30 * MINUTE, to };
}

const LOOK = { requests: 300, ms: MINUTE };

/** Which kinds of telemetry there were none of, and for how many problems they may have decided. */
export async function unseenIn(
  source: TelemetrySource,
  { to, rows, clock }: { to: number; rows: readonly Row[]; clock: Clock },
): Promise<string[]> {
  const open = rows.filter(({ confidence }) => confidence !== 'high').length;
  const may =
    open === 0
      ? 'To add them:'
      : `${open} of ${rows.length} problems have no cause with high confidence, and may have one with them:`;
  const past = { from: to - DAY, to: to + 1 };
  const found = await onBudget(LOOK, { clock }, (budget) =>
    Promise.all(KINDS.map(({ look }) => look(source, past, budget))),
  );
  return KINDS.flatMap(({ missing, remedy }, i) => {
    const reading = found[i];
    if (reading?.known && reading.value.length > 0) return [];
    const why = reading === undefined || reading.known ? '' : ` (${reading.reason})`;
    return [`${missing} could be read${why}. ${may} ${remedy}.`];
  });
}

const LONGER = [5, 10, 15, 30, 60].map((minutes) => minutes * MINUTE);
const FEWEST_FIRINGS = 3;
const MOST_RULES = 10;
/** A longer `for` is worth it if at most this share of the firings is left. */
const WORTH_IT = 0.7;

function noisyRules(past: Past, rows: readonly Row[]): NoisyRule[] {
  const byName = Map.groupBy(past.fired, ({ name }) => name);
  return [...byName]
    .flatMap(([name, firings]): NoisyRule[] => {
      const mattered = rows.filter((row) => row.name === name && row.verdict !== null);
      const isOfCause = ({ identity, from }: (typeof firings)[number]) =>
        mattered.some(
          (row) => row.identity === identity && [row, ...row.again].some((one) => one.from === from),
        );
      const withCause = firings.filter(isOfCause).length;
      if (firings.length < FEWEST_FIRINGS || withCause > firings.length / 2) return [];
      const lengths = firings.map(({ from, to }) => (to ?? past.to) - from);
      const now = past.rules.find((rule) => rule.name === name)?.heldFor ?? 0;
      // A firing that was over after n minutes would not have begun with a `for` that is n minutes longer.
      const better = LONGER.flatMap((extra) => {
        const left = firings.filter((_one, i) => (lengths[i] ?? 0) >= extra);
        const kept = left.filter(isOfCause).length;
        return kept < withCause || left.length > WORTH_IT * firings.length
          ? []
          : [{ heldFor: now + extra, firings: left.length }];
      });
      return [
        {
          name,
          firings: firings.length,
          withCause,
          total: Math.round(sum(lengths) / MINUTE),
          median: Math.round(median(lengths) / MINUTE),
          longer: better.toSorted((a, b) => a.firings - b.firings || a.heldFor - b.heldFor)[0] ?? null,
        },
      ];
    })
    .sort((a, b) => b.firings - b.withCause - (a.firings - a.withCause))
    .slice(0, MOST_RULES);
}

/** The three lines for a terminal. */
export function linesOf({ past, rows, problems, named, quiet, unseen, spent }: Report): string[] {
  const causes = named.map(({ confidence, count }) => `${count} ${confidence}`);
  const left = past.left === 0 ? '' : `; ${past.left} older ones were left out`;
  return [
    `${past.alerts} alerts in ${days(past.days)}, ${rows.length} without repeats, ${problems} problems: a cause named in ${rows.length - quiet}${causes.length === 0 ? '' : ` (${joinNames(causes)})`}, none found in ${quiet}${left}.`,
    unseen[0] === undefined ? 'Everything that was asked for could be read.' : `Not seen: ${unseen[0]}`,
    `${spent.requests.toLocaleString('en-US')} requests in ${duration(spent.seconds * 1000)}; for ${duration(spent.busySeconds * 1000)} of it the sources were working on one.`,
  ];
}

/** `1 day`, `14 days`. */
function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** `last day`, `last 14 days`. */
export function lately(count: number): string {
  return count === 1 ? 'last day' : `last ${days(count)}`;
}
