import type { Budget } from '../budget.ts';
import { type Edge, known, type Window } from '../model.ts';
import { LISTING } from './client.ts';
import type { Naming } from './naming.ts';
import { lately, reported } from './promql.ts';
import type { Recognition } from './recognition.ts';
import { CLAIMS, CLAIMS_QUERY, volumeEdges } from './rollouts.ts';

type Labels = Readonly<Record<string, string>>;

interface Asked {
  window: Window;
  budget: Budget;
}

/** What a server says of services beside their signals: what runs them, and which volumes they use. */
export async function besides(recognition: Recognition, { window, budget }: Asked) {
  const { client, names } = recognition;
  const [workloads, claims] = await Promise.all([
    workloadsOf(recognition, { window, budget }),
    names.has(CLAIMS) ? client.query(CLAIMS_QUERY, window.to - 1, budget, LISTING) : known([]),
  ]);
  return { workloads, claims: claims.known ? claims.value : [] };
}

/**
 * Merges the names of one service, once all signals have named theirs.
 *
 * @param volumes the labels of the volumes' series
 * @returns who uses which volume
 */
export function settle(
  recognition: Recognition,
  naming: Naming,
  volumes: readonly Labels[],
  { workloads, claims }: Awaited<ReturnType<typeof besides>>,
): Edge[] {
  joinTargets(recognition, naming);
  naming.joinHosts();
  for (const { identity, workload } of workloads) naming.runs(identity, workload);
  return volumeEdges(volumes, claims, new Set(naming.services().map(({ name }) => name)), naming);
}

/** Names that were found to be one service's. */
export function currentNames(naming: Naming): (name: string) => string {
  const names = new Map(
    naming.services().flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name])),
  );
  return (name) => names.get(name) ?? name;
}

/** Merges targets scraped from a pod with the pod's workload. */
function joinTargets({ targets }: Recognition, naming: Naming): void {
  for (const { service, workload, pod, instance } of targets) {
    // An exporter is scraped from its own pod, but reports about others.
    if (workload !== '' && workload !== service.name)
      naming.join(service, { name: workload, namespace: service.namespace });
    naming.has(service, pod, instance);
  }
}

const CONTROLLERS = [
  ['Deployment', 'deployment', 'kube_deployment_spec_replicas'],
  ['StatefulSet', 'statefulset', 'kube_statefulset_replicas'],
  ['DaemonSet', 'daemonset', 'kube_daemonset_status_desired_number_scheduled'],
] as const;

async function workloadsOf({ names, client }: Recognition, { window, budget }: Asked) {
  const found = await Promise.all(
    CONTROLLERS.filter(([, , metric]) => names.has(metric)).map(async ([kind, label, metric]) => {
      const reading = await client.query(
        `count by (namespace, ${label}) (${reported(lately(metric))})`,
        window.to - 1,
        budget,
        LISTING,
      );
      return reading.known
        ? reading.value.map(({ labels }) => ({
            kind,
            name: labels[label] ?? '',
            namespace: labels.namespace ?? '',
          }))
        : [];
    }),
  );
  return found
    .flat()
    .filter(({ name }) => name !== '')
    .map((workload) => ({ identity: { name: workload.name, namespace: workload.namespace }, workload }));
}

export function distinctEdges(edges: readonly Edge[]): Edge[] {
  return [
    ...new Map(edges.map(({ caller, callee }) => [`${caller}\n${callee}`, { caller, callee }])).values(),
  ];
}
