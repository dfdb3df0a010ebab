import type { LogLine, Points, Span } from '../../telemetry/model.ts';
import { LogTemplates } from '../log-templates.ts';
import { FEWEST, UNUSUAL, usualShare } from './usual-share.ts';

/** Something that always happened in one kind of work and no longer does, or that is new there. */
export interface Departure {
  service: string;
  operation: string;
  /** For people: a call, an operation, a line. */
  event: string;
  /** The share of requests in which it happens, now and just before. */
  now: number;
  usually: number;
  /** How unlikely this is by chance, comparable with a standard deviation. */
  deviation: number;
  /** How many requests departed, and within what time. */
  count: number;
  window: number;
  onset: number;
  /** In which share of requests it happened, minute by minute. */
  shares: Points;
}

/** One request at one service, from its arrival to its answer. */
export interface Work {
  service: string;
  operation: string;
  at: number;
  end: number;
  caller: Work | null;
  /** What happened meanwhile: operations, calls, lines. */
  events: Set<string>;
}

export interface Departed extends Departure {
  works: readonly Work[];
}

const MINUTE = 60_000;
const WINDOWS = [1 * MINUTE, 2 * MINUTE, 3 * MINUTE];
/** Requests are compared with those just before: of a departure older than that, nobody saw the beginning. */
export const JUST_BEFORE = 10 * MINUTE;
/** What began before the traces of these minutes counts for less: it may be as old as the gap before. */
export const UNSEEN = 0.4;
/** After a gap this long, it is another time. */
const GAP = 2 * MINUTE;
/** In the longer past it must not be usual either. */
export const PAST = 180 * MINUTE;
/** What happens in this share of requests always happens; what happens in the rest, never. */
export const ALWAYS = 0.9;
/** A new error counts for more than a new line: it says itself that something is wrong. */
const COMPLAINS = 1.5;
const CALL = 'call of ';

/**
 * Compares what happens inside of requests now and just before: an exception or a wrong return often moves no metric,
 * but the line or the call that always came after it is missing.
 */
export function departures(spans: readonly Span[], logs: readonly LogLine[], now: number): Departure[] {
  const templates = new LogTemplates();
  const begin = beginOf(spans, now);
  const recent = worksOf(spans, logs, { from: begin, to: now }, templates);
  const longer = new Map(
    groupsOf(worksOf(spans, logs, { from: now - PAST, to: begin }, templates)).map((group) => [
      kindOf(group[0]),
      group,
    ]),
  );
  const departures = groupsOf(recent).flatMap((group) => {
    const past = longer.get(kindOf(group[0])) ?? [];
    return departedIn(group, past, { now, begin, templates })[0] ?? [];
  });
  // A caller departs because the work that it waits for does.
  const explained = new Set<Work>();
  for (const { works } of departures)
    for (const work of works) for (let up = work.caller; up !== null; up = up.caller) explained.add(up);
  return departures
    .filter(({ works }) => works.filter((work) => explained.has(work)).length < works.length / 2)
    .map(({ works: _, ...one }) => ({ ...one, event: nameOf(one.event, templates) }))
    .sort((a, b) => b.deviation - a.deviation);
}

/** Where one kind of work departs from what it was just before, or else from the longer past: the clearest first. */
export function departedIn(
  group: readonly Work[],
  past: readonly Work[],
  { now, begin, templates }: { now: number; begin: number; templates: LogTemplates },
): Departed[] {
  const all = WINDOWS.filter((window) => now - window > begin).flatMap((window) => {
    const recent = group.filter(({ at }) => at >= now - window);
    const before = group.slice(0, group.length - recent.length);
    const seen = departed(recent, before, { now, window, templates });
    return seen.filter((one) => !isUsual(one, past, templates));
  });
  return (all.length > 0 ? all : unseen(group, past, { now, templates })).sort(
    (a, b) => b.deviation - a.deviation,
  );
}

export function beginOf(spans: readonly Span[], now: number): number {
  const times = Float64Array.from(
    spans.filter(({ at }) => at > now - JUST_BEFORE),
    ({ at }) => at,
  ).sort();
  const last = times.findLastIndex((at, i) => i > 0 && at - (times[i - 1] ?? at) >= GAP);
  return times[Math.max(0, last)] ?? now;
}

export function groupsOf(works: readonly Work[]): Work[][] {
  const groups = Map.groupBy(works, kindOf);
  return [...groups.values()].map((group) => group.sort((a, b) => a.at - b.at));
}

/**
 * Lines that always came in the longer past, and no longer do: it began before the traces of these minutes, or so long
 * ago that it fills them. Calls that are missing are compared with the longer past elsewhere.
 */
function unseen(
  group: readonly Work[],
  past: readonly Work[],
  { now, templates }: { now: number; templates: LogTemplates },
): Departed[] {
  const window = Math.max(...WINDOWS);
  const recent = group.filter(({ at }) => at >= now - window);
  return departed(recent, past, { now, window, templates })
    .filter((one) => one.event.startsWith(LINE) && one.now < one.usually && !isUsual(one, past, templates))
    .map((one) => ({ ...one, deviation: one.deviation * UNSEEN }));
}

export function kindOf(work: Work | undefined): string {
  return `${work?.service}\n${work?.operation}`;
}

function departed(
  recent: readonly Work[],
  before: readonly Work[],
  { now, window, templates }: { now: number; window: number; templates: LogTemplates },
): Departed[] {
  const [first] = recent;
  if (first === undefined || recent.length < FEWEST || before.length < FEWEST) return [];
  const [is, was] = [countsOf(recent), countsOf(before)];
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((event) => {
    const [count, had] = [is.get(event) ?? 0, was.get(event) ?? 0];
    const [share, usually] = [count / recent.length, had / before.length];
    // Calls come and go with what is asked for; only a missing one is a sign.
    const isNew = usually <= 1 - ALWAYS && share > usually && !event.startsWith(CALL);
    const isLost = usually >= ALWAYS && share < usually;
    if (!isNew && !isLost) return [];
    const complains = isNew && isError(event, templates);
    const deviation =
      differenceOf([count, recent.length], [had, before.length]) * (complains ? COMPLAINS : 1);
    if (deviation < UNUSUAL) return [];
    const works = recent.filter(({ events }) => events.has(event) === isNew);
    const onset = works[0]?.at ?? now;
    const { service, operation } = first;
    return [
      {
        service,
        operation,
        event,
        now: share,
        usually,
        deviation,
        count: works.length,
        window,
        onset,
        shares: sharesOf([...before, ...recent], event),
        works,
      },
    ];
  });
}

function sharesOf(works: readonly Work[], event: string): Points {
  const minutes = [...Map.groupBy(works, ({ at }) => Math.floor(at / MINUTE))].sort(([a], [b]) => a - b);
  return {
    times: Float64Array.from(minutes, ([minute]) => (minute + 1) * MINUTE),
    values: Float64Array.from(
      minutes,
      ([, some]) => some.filter(({ events }) => events.has(event)).length / some.length,
    ),
  };
}

function countsOf(works: readonly Work[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { events } of works) for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  return counts;
}

/** The root of the likelihood ratio of two shares being equal. */
function differenceOf([k, n]: [number, number], [j, m]: [number, number]): number {
  const all = (k + j) / (n + m);
  const term = (count: number, of: number, share: number) =>
    count === 0 ? 0 : count * Math.log(count / of / share);
  const ratio = term(k, n, all) + term(n - k, n, 1 - all) + term(j, m, all) + term(m - j, m, 1 - all);
  return Math.sqrt(2 * Math.max(0, ratio));
}

/**
 * Whether this state of affairs was usual earlier: then it is a mix of requests, and no fault. A new error is a
 * complaint by itself, even if an earlier incident logged it as well.
 */
function isUsual(
  { event, now, usually, onset }: Departed,
  past: readonly Work[],
  templates: LogTemplates,
): boolean {
  if (past.length < FEWEST || (now > usually && isError(event, templates))) return false;
  const { center } = usualShare(
    past.map(({ at }) => at),
    {
      until: past.length,
      now: onset,
      otherwise: past.filter(({ events }) => events.has(event)).length / past.length,
    },
    (i) => past[i]?.events.has(event) ?? false,
  );
  return now > usually ? center > 1 - ALWAYS : center < ALWAYS;
}

export const LINE = 'line ';

function isError(event: string, templates: LogTemplates): boolean {
  return (
    event.startsWith(LINE) && /^(?:err|fatal|crit)/u.test(templates.at(event.slice(LINE.length))?.group ?? '')
  );
}

export function nameOf(event: string, templates: LogTemplates): string {
  if (!event.startsWith(LINE)) return event;
  return templates.at(event.slice(LINE.length))?.words.join(' ') ?? event;
}

/** A line and a span of one process may be stamped this many milliseconds apart. */
const SKEW = 2;

/** Requests that ended in a window, each with what happened at its service meanwhile. */
function worksOf(
  spans: readonly Span[],
  logs: readonly LogLine[],
  { from, to }: { from: number; to: number },
  templates: LogTemplates,
): Work[] {
  const lines = Map.groupBy(
    logs.filter(({ traceId, at }) => traceId !== null && at >= from && at <= to),
    ({ traceId }) => traceId ?? '',
  );
  const within = spans.filter(({ at, durationMs }) => at >= from && at + durationMs <= to);
  return [...Map.groupBy(within, ({ traceId }) => traceId)].flatMap(([trace, own]) => {
    const works = worksIn(own);
    for (const { at, service, level, message } of lines.get(trace) ?? []) {
      const [innermost] = works
        .filter((work) => work.service === service && at >= work.at - SKEW && at <= work.end + SKEW)
        .sort((a, b) => a.end - a.at - (b.end - b.at));
      innermost?.events.add(LINE + templates.of(level, message).id);
    }
    return works;
  });
}

function worksIn(trace: readonly Span[]): Work[] {
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  const works = new Map<Span, Work>();
  const workOf = (span: Span): Work => {
    const known = works.get(span);
    if (known !== undefined) return known;
    const parent = byId.get(span.parentSpanId ?? '');
    const { service, operation, at } = span;
    const alone = {
      service,
      operation,
      at,
      end: at + span.durationMs,
      caller: null,
      events: new Set<string>(),
    };
    // Also ends the walk where spans are each other's parents.
    works.set(span, alone);
    if (parent === undefined) return alone;
    const above = workOf(parent);
    if (parent.service !== service) {
      above.events.add(`${CALL}${service}: ${operation}`);
      const work = { ...alone, caller: above };
      works.set(span, work);
      return work;
    }
    above.events.add(operation);
    works.set(span, above);
    return above;
  };
  for (const span of trace) workOf(span);
  return [...new Set(works.values())];
}
