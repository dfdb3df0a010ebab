import type { StateObject } from '../telemetry/model.ts';
import type { Objects } from './cluster.ts';
import type { ObjectOf, Pod, Workload } from './model.ts';

type Meta = Pod['metadata'];
type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job';

/** What is in a cluster, one line of facts each, as `kubectl get` shows it: for counts and lists. */
export function inventoryOf(objects: Objects): StateObject[] {
  return [
    ...objects.Pod.map(podOf),
    ...(['Deployment', 'StatefulSet', 'DaemonSet', 'Job'] as const).flatMap((kind) =>
      objects[kind].map((one) => workloadOf(kind, one)),
    ),
    ...objects.Node.map(nodeOf),
    ...objects.PersistentVolumeClaim.map((one) => ({
      ...base('PersistentVolumeClaim', one.metadata),
      status: one.status.phase ?? 'Unknown',
      isWell: one.status.phase === 'Bound',
    })),
    ...NAMED.flatMap((kind) => objects[kind].map(({ metadata }) => base(kind, metadata))),
    ...namespacesIn(objects),
  ];
}

function base(
  kind: string,
  { name, namespace, creationTimestamp, ownerReferences, labels }: Meta,
): StateObject {
  const owner = ownerReferences.find(({ controller }) => controller !== false);
  return {
    kind,
    namespace,
    name,
    owner: owner?.name ?? null,
    labels,
    status: '',
    isWell: true,
    restarts: null,
    images: [],
    node: null,
    createdAt: creationTimestamp,
  };
}

function podOf({ metadata, spec, status }: Pod): StateObject {
  const all = [...status.initContainerStatuses, ...status.containerStatuses];
  const waiting = all.flatMap(({ state }) => state.waiting?.reason ?? [])[0];
  const ready = status.containerStatuses.filter((one) => one.ready === true).length;
  const phase = metadata.deletionTimestamp === null ? (status.phase ?? 'Unknown') : 'Terminating';
  const isDone = phase === 'Succeeded';
  return {
    ...base('Pod', metadata),
    status: waiting ?? status.reason ?? phase,
    isWell: isDone || (phase === 'Running' && ready === status.containerStatuses.length),
    restarts: status.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    images: imagesOf(spec),
    node: spec.nodeName ?? null,
  };
}

function workloadOf(
  kind: WorkloadKind,
  { metadata, spec, status }: ObjectOf<WorkloadKind> | Workload,
): StateObject {
  if (kind === 'Job') {
    const wanted = spec.completions ?? 1;
    const done = status.succeeded ?? 0;
    return {
      ...base(kind, metadata),
      status: `${done}/${wanted} completed${(status.failed ?? 0) > 0 ? `, ${status.failed} failed` : ''}`,
      isWell: (status.failed ?? 0) === 0 || done >= wanted,
      images: imagesOf(spec.template.spec),
    };
  }
  const wanted = kind === 'DaemonSet' ? (status.desiredNumberScheduled ?? 0) : (spec.replicas ?? 1);
  const ready = (kind === 'DaemonSet' ? status.numberReady : status.readyReplicas) ?? 0;
  return {
    ...base(kind, metadata),
    status: `${ready}/${wanted} ready`,
    isWell: ready >= wanted,
    images: imagesOf(spec.template.spec),
  };
}

function nodeOf({ metadata, spec, status }: ObjectOf<'Node'>): StateObject {
  const isReady = status.conditions.find(({ type }) => type === 'Ready')?.status === 'True';
  const pressed = status.conditions.filter(
    ({ type, status: is }) => type.endsWith('Pressure') && is === 'True',
  );
  const parts = [
    isReady ? 'Ready' : 'NotReady',
    ...(spec.unschedulable === true ? ['cordoned'] : []),
    ...pressed.map(({ type }) => type),
  ];
  return {
    ...base('Node', metadata),
    status: parts.join(', '),
    isWell: isReady && pressed.length === 0,
  };
}

/** Kinds of which only the names are shown. */
const NAMED = [
  'CronJob',
  'Service',
  'Ingress',
  'HorizontalPodAutoscaler',
  'ConfigMap',
  'PersistentVolume',
] as const;

function namespacesIn(objects: Objects): StateObject[] {
  const all = [...objects.Pod, ...objects.Deployment, ...objects.Service].map(
    ({ metadata }) => metadata.namespace,
  );
  return [...new Set(all)]
    .filter((name) => name !== '')
    .sort()
    .map((name) => ({
      ...base('Namespace', {
        name,
        namespace: '',
        labels: {},
        annotations: {},
        creationTimestamp: null,
        deletionTimestamp: null,
        finalizers: [],
        ownerReferences: [],
      }),
      status: 'in use',
    }));
}

function imagesOf({ containers }: Pod['spec']): string[] {
  return containers.flatMap(({ image }) => image ?? []);
}
