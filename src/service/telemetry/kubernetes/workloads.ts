import type { Service, Workload } from '../model.ts';
import type { Pod, ReplicaSet } from './schema.ts';

const NAME_LABELS = ['app.kubernetes.io/name', 'app', 'k8s-app', 'service', 'app.kubernetes.io/instance'];

/** Maps cluster objects to their workloads. */
export interface Workloads {
  services: readonly Service[];
  /** The service of a pod, a ReplicaSet or a workload, by kind, namespace and name. */
  serviceOf(kind: string, namespace: string, name: string): string | null;
}

export function workloadsOf(replicaSets: readonly ReplicaSet[], pods: readonly Pod[]): Workloads {
  const services = new Map<string, Service>();
  const byObject = new Map<string, string>();

  const add = (workload: Workload, labels: Readonly<Record<string, string>>): string => {
    const taken = services.get(workload.name);
    const isTaken = taken !== undefined && taken.workload?.namespace !== workload.namespace;
    // Workloads in two namespaces may have the same name.
    const name = isTaken ? `${workload.namespace}/${workload.name}` : workload.name;
    const before = services.get(name);
    const aliases = NAME_LABELS.flatMap((label) => labels[label] ?? []);
    services.set(name, {
      name,
      kind: before?.kind ?? 'unknown',
      aliases: [...new Set([...(before?.aliases ?? []), ...aliases])].filter((alias) => alias !== name),
      workload,
    });
    byObject.set(keyOf(workload.kind, workload.namespace, workload.name), name);
    return name;
  };

  for (const { metadata } of replicaSets) {
    const { namespace, name, labels } = metadata;
    const owner = controllerOf(metadata);
    const workload = owner ?? { kind: 'ReplicaSet', name };
    byObject.set(
      keyOf('ReplicaSet', namespace, name),
      add({ namespace, kind: workload.kind, name: workload.name }, labels ?? {}),
    );
  }
  for (const { metadata } of pods) {
    const { namespace, name, labels } = metadata;
    const owner = controllerOf(metadata);
    if (owner === null) continue;
    const service =
      byObject.get(keyOf(owner.kind, namespace, owner.name)) ??
      add({ namespace, kind: owner.kind, name: owner.name }, labels ?? {});
    byObject.set(keyOf('Pod', namespace, name), service);
  }
  return {
    services: [...services.values()],
    serviceOf: (kind, namespace, name) => byObject.get(keyOf(kind, namespace, name)) ?? null,
  };
}

/** The controller that owns an object. */
export function controllerOf({ ownerReferences }: Pod['metadata']): { kind: string; name: string } | null {
  return ownerReferences?.find(({ controller }) => controller !== false) ?? null;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace} ${name}`;
}
