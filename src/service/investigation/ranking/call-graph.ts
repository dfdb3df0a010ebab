import type { Edge } from '../../telemetry/model.ts';

/** Who calls whom. */
export interface CallGraph {
  /** The services that a service calls. */
  callees(service: string): readonly string[];
  /** How many calls away each dependency of a service is, itself included with 0. */
  reachableFrom(service: string): ReadonlyMap<string, number>;
}

export function callGraph(edges: readonly Edge[]): CallGraph {
  const callees = new Map<string, Set<string>>();
  for (const { caller, callee } of edges) {
    if (caller === callee) continue;
    const known = callees.get(caller) ?? new Set();
    callees.set(caller, known.add(callee));
  }
  const below = (service: string) => [...(callees.get(service) ?? [])];
  return {
    callees: below,
    reachableFrom: (service) => {
      const reached = new Map([[service, 0]]);
      for (const [name, distance] of reached) {
        for (const callee of below(name)) if (!reached.has(callee)) reached.set(callee, distance + 1);
      }
      return reached;
    },
  };
}
