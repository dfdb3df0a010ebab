import type { Listed } from '../telemetry/collect.ts';
import type { Looked } from '../telemetry/view.ts';
import { callGraph } from './ranking/share-blame.ts';

/** More services than this are not read of a large system. */
const MOST = 60;
/** So many callers of one service, besides those that depart. */
const MOST_CALLERS = 5;

/**
 * Which services of a large system to read about some of them, or about none in particular: what they call and who calls
 * them, as far as the problem goes; what departs the most anywhere, with the calls that lead there; and what that calls.
 */
export function neighborhood(
  { services, edges, unusual, isRanked }: Listed,
  named: readonly string[],
): Looked {
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
  take([...named, ...named.flatMap(around)]);
  const ways = waysFrom(named, graph.callees);
  for (const name of unusual) take([...ways(name), name]);
  for (const name of [...read]) if (departs.has(name)) take(around(name));
  // Where it is not known how far the problem goes, it may come from anything below.
  if (!isRanked) for (const name of read) take(graph.callees(name));
  return { services: [...read], of: services.length };
}

/** The shortest way of calls from some services to each that they depend on, without both ends. */
function waysFrom(
  from: readonly string[],
  callees: (service: string) => readonly string[],
): (to: string) => readonly string[] {
  const caller = new Map<string, string | null>(from.map((service) => [service, null]));
  for (const [service] of caller)
    for (const callee of callees(service)) if (!caller.has(callee)) caller.set(callee, service);
  return (to) => {
    const way: string[] = [];
    for (let at = caller.get(to) ?? null; at !== null && !from.includes(at); at = caller.get(at) ?? null)
      way.unshift(at);
    return way;
  };
}

/** `45 of 1,000 services`. */
export function partOf({ services, of }: Looked): string {
  return `${services.length} of ${of.toLocaleString('en-US')} services`;
}
