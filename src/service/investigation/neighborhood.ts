import { callGraph } from './ranking/share-blame.ts';
import type { Listed } from '../telemetry/collect.ts';
import type { Looked } from '../telemetry/view.ts';

/** More services than this are not read of a large system. */
const MOST = 80;
/** So many callers of one service, besides those that depart. */
const MOST_CALLERS = 5;

/**
 * Which services of a large system to read about a service (`null`: about none in particular): what it calls and who calls
 * it, as far as the trouble goes; what departs the most anywhere, with the calls that lead there; and what that calls.
 */
export function neighborhood({ services, edges, unusual }: Listed, named: string | null): Looked {
  const graph = callGraph(edges);
  const callers = Map.groupBy(edges, ({ callee }) => callee);
  const departs = new Set(unusual);
  const read = new Set<string>();
  const take = (names: readonly string[]) => {
    for (const name of names) if (read.size < MOST) read.add(name);
  };
  const around = (service: string) => {
    const above = (callers.get(service) ?? []).map(({ caller }) => caller);
    const departing = above.filter((name) => departs.has(name));
    return [...graph.callees(service), ...departing, ...above.slice(0, MOST_CALLERS)];
  };
  if (named !== null) take([named, ...around(named)]);
  const ways = named === null ? () => [] : waysFrom(named, graph.callees);
  for (const name of unusual) take([...ways(name), name]);
  for (const name of [...read]) if (departs.has(name)) take(around(name));
  return { services: [...read], of: services.length };
}

/** The shortest way of calls from a service to each that it depends on, without both ends. */
function waysFrom(
  from: string,
  callees: (service: string) => readonly string[],
): (to: string) => readonly string[] {
  const before = new Map<string, string | null>([[from, null]]);
  for (const [service] of before)
    for (const callee of callees(service)) if (!before.has(callee)) before.set(callee, service);
  return (to) => {
    const way: string[] = [];
    for (let at = before.get(to); at != null && at !== from; at = before.get(at)) way.unshift(at);
    return way;
  };
}
