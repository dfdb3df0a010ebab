import type { Edge, LogLine } from '../../telemetry/model.ts';
import { lowerBound } from '../../telemetry/samples.ts';
import { LogTemplates } from '../log-templates.ts';
import {
  ALWAYS,
  type Departed,
  departedIn,
  groupsOf,
  JUST_BEFORE,
  kindOf,
  LINE,
  nameOf,
  PAST,
  type Work,
} from './event-order.ts';
import type { SpanEvidence } from './from-spans.ts';
import { callGraph } from './share-blame.ts';

/** What belongs to one line comes within this many milliseconds of it. */
const FOLLOWS = 5_000;
/** Of these lines, so that a burst of them costs no more than its lines. */
const MOST_FOLLOWING = 1_000;

/**
 * Where there are no traces: the lines that an instance always logs shortly after another, and no longer does. A service
 * whose callee departs as well only waits for it.
 */
export function chargesFromLines(
  logs: readonly LogLine[],
  edges: readonly Edge[],
  trigger: number,
): SpanEvidence[] {
  const templates = new LogTemplates();
  const begin = Math.max(trigger - JUST_BEFORE, logs[0]?.at ?? trigger);
  const until = logs.filter(({ at }) => at > trigger - PAST && at <= trigger);
  const found = [...Map.groupBy(until, ({ service }) => service).values()].flatMap((lines) => {
    const works = worksOf(lines, templates);
    const longer = new Map(
      groupsOf(works.filter(({ at }) => at < begin)).map((group) => [kindOf(group[0]), group]),
    );
    const all = groupsOf(works.filter(({ at }) => at >= begin)).flatMap((group) =>
      departedIn(group, longer.get(kindOf(group[0])) ?? [], { now: trigger, begin, templates }),
    );
    return (
      all
        .filter((one) => one.event.startsWith(LINE) && one.now < one.usually && isFewer(one, works, trigger))
        .sort((a, b) => b.deviation - a.deviation)[0] ?? []
    );
  });
  const graph = callGraph(edges);
  const departed = new Set(found.map(({ service }) => service));
  return found
    .filter(({ service }) =>
      [...graph.reachableFrom(service).keys()].every((callee) => callee === service || !departed.has(callee)),
    )
    .map(({ service, operation, event, usually, now, deviation, onset, shares, count }) => ({
      service,
      cost: count,
      reason: {
        what: 'departure',
        service,
        operation: nameOf(operation, templates),
        event: nameOf(event, templates),
        now,
        usually,
        deviation,
        onset,
        shares,
      },
    }));
}

/** Each line, with those that follow at its instance. The newest may not have been read to their end. */
function worksOf(lines: readonly LogLine[], templates: LogTemplates): Work[] {
  const newest = lines.at(-1)?.at ?? 0;
  return [...Map.groupBy(lines, ({ instance }) => instance).values()].flatMap((own) => {
    const ids = own.map(({ level, message }) => LINE + templates.of(level, message).id);
    return own.flatMap(({ service, at }, i): Work[] => {
      const end = at + FOLLOWS;
      const operation = ids[i] ?? '';
      if (end > newest) return [];
      const events = new Set<string>();
      const until = Math.min(own.length, i + 1 + MOST_FOLLOWING);
      for (let j = i + 1; j < until && (own[j]?.at ?? end) <= end; j++) events.add(ids[j] ?? '');
      events.delete(operation);
      return [{ service, operation, at, end, caller: null, events }];
    });
  });
}

/** Whether fewer of the missing lines come for each of the others; if not, they only come later: there is less to do. */
function isFewer({ operation, event, window }: Departed, works: readonly Work[], now: number): boolean {
  const ratio = (some: readonly Work[]) =>
    some.filter((work) => work.operation === event).length /
    Math.max(1, some.filter((work) => work.operation === operation).length);
  const sorted = works.toSorted((a, b) => a.at - b.at);
  const from = lowerBound(
    sorted.map(({ at }) => at),
    now - window,
  );
  return ratio(sorted.slice(from)) < ALWAYS * ratio(sorted.slice(0, from));
}
