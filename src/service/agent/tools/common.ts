import { quantile } from '../../../lib/statistics.ts';
import { gravityOf } from '../../investigation/log-patterns.ts';
import type { LogLine, Span } from '../../telemetry/model.ts';

/** What many of the bad ones have, and few of the others. */
interface Shared {
  field: string;
  value: string;
  /** The share of the bad ones that have it, and of the others. */
  bad: number;
  others: number;
}

export interface Common {
  /** What was compared: requests by their traces, or lines. */
  of: 'traces' | 'lines';
  kind: 'slow' | 'failing';
  bad: number;
  others: number;
  /** The most telling first. */
  shared: Shared[];
}

interface Observed {
  isBad: boolean;
  fields: ReadonlyMap<string, string>;
}

/** Fewer show nothing. */
const LEAST = 5;
const LEAST_SHARE = 0.5;
const LEAST_DIFFERENCE = 0.3;
const MOST_SHARED = 3;
const LONGEST = 100;
/** A field with so many values for its lines is an id or a time. */
const MOST_DISTINCT = 0.5;
/** Among the slowest tenth is slow, and so is what takes so many times as long as the fast ones. */
const SLOW = 0.9;
const FAST = 0.25;
const TIMES = 3;
const DURATION =
  /^(?:dur(?:ation)?|took|elapsed|latency|response_time|request_time)(?:_?(?:ms|s|seconds))?$/iu;
const STATUS = /^(?:status|code|http_status|status_code)$/iu;
/** What a line is, and not what it is about. */
const OF_THE_LINE = /^(?:ts|time|timestamp|level|lvl|severity|msg|message|err|error|logger|caller)$/iu;

/** What the failing or the slow requests of a service have in common, by the fields of its lines or the operations of its spans. */
export function commonOf(
  lines: readonly LogLine[],
  spans: readonly Span[],
  kind: Common['kind'],
): Common | null {
  const found = [
    compared(linesObserved(lines, kind), 'lines', kind),
    compared(spansObserved(spans, kind), 'traces', kind),
  ].filter((one) => one !== null);
  return found.find(({ shared }) => shared.length > 0) ?? found[0] ?? null;
}

function compared(all: readonly Observed[], of: Common['of'], kind: Common['kind']): Common | null {
  const bad = all.filter(({ isBad }) => isBad);
  const others = all.filter(({ isBad }) => !isBad);
  if (bad.length < LEAST || others.length < LEAST) return null;
  const names = new Set(bad.flatMap(({ fields }) => [...fields.keys()]));
  const shared = [...names].flatMap((field): Shared[] => {
    const counts = countsOf(bad, field);
    const distinct = new Set(all.flatMap(({ fields }) => fields.get(field) ?? [])).size;
    const [value, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
    const share = {
      bad: count / bad.length,
      others: (countsOf(others, field).get(value) ?? 0) / others.length,
    };
    const isTelling = share.bad >= LEAST_SHARE && share.bad - share.others >= LEAST_DIFFERENCE;
    return isTelling && distinct <= MOST_DISTINCT * all.length ? [{ field, value, ...share }] : [];
  });
  return {
    of,
    kind,
    bad: bad.length,
    others: others.length,
    shared: shared.sort((a, b) => b.bad - b.others - (a.bad - a.others)).slice(0, MOST_SHARED),
  };
}

function countsOf(some: readonly Observed[], field: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fields } of some) {
    const value = fields.get(field);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function linesObserved(lines: readonly LogLine[], kind: Common['kind']): Observed[] {
  const all = lines
    .map((line) => ({ line, fields: fieldsOf(line.message) }))
    .filter(({ fields }) => fields.size > 0);
  const took = all.map(({ fields }) => durationIn(fields));
  const limit = slowFrom(took.filter((one) => one !== null));
  const isOfSlow = kind === 'slow' && Number.isFinite(limit);
  return all.flatMap(({ line, fields }, i) => {
    const own = took[i] ?? null;
    // What says of nothing how long it took is neither slow nor fast.
    if (isOfSlow && own === null) return [];
    const isFailing =
      gravityOf(line) === 'error' ||
      [...fields].some(([name, value]) => STATUS.test(name) && /^5\d\d$/u.test(value));
    const isBad = isOfSlow ? own !== null && own >= limit : isFailing;
    return [{ isBad, fields: asked(fields) }];
  });
}

function spansObserved(spans: readonly Span[], kind: Common['kind']): Observed[] {
  const limit = slowFrom(spans.map(({ durationMs }) => durationMs));
  return spans.map(({ failed, durationMs, operation }) => ({
    isBad: kind === 'slow' ? durationMs >= limit : failed === true,
    fields: new Map([['operation', operation]]),
  }));
}

function slowFrom(took: readonly number[]): number {
  const ordered = took.toSorted((a, b) => a - b);
  return Math.min(quantile(ordered, SLOW), TIMES * quantile(ordered, FAST));
}

/** How telling the first shared value is; 0 where nothing is shared. */
export function tellingOf(found: Common | null): number {
  const [first] = found?.shared ?? [];
  return first === undefined ? 0 : first.bad - first.others;
}

function asked(fields: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...fields].filter(
      ([name, value]) =>
        !OF_THE_LINE.test(name) &&
        !DURATION.test(name) &&
        !STATUS.test(name) &&
        value !== '' &&
        value.length <= LONGEST,
    ),
  );
}

/** `level=error sailing=HY-207` or a JSON object, by name. */
export function fieldsOf(message: string): Map<string, string> {
  if (message.startsWith('{')) {
    try {
      const read: unknown = JSON.parse(message);
      if (typeof read === 'object' && read !== null)
        return new Map(
          Object.entries(read).flatMap(([name, value]) =>
            ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)] as const] : [],
          ),
        );
    } catch {
      // A line that only begins as one.
    }
  }
  return new Map(
    [...message.matchAll(/(?<![\w.-])([a-z][\w.-]{0,40})=(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/giu)].map(
      ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''],
    ),
  );
}

function durationIn(fields: ReadonlyMap<string, string>): number | null {
  for (const [name, value] of fields) {
    if (!DURATION.test(name)) continue;
    const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/u.exec(value) ?? [];
    if (amount !== undefined)
      return Number(amount) * (unit === 's' || /_?s(?:econds)?$/iu.test(name) ? 1_000 : 1);
  }
  return null;
}
