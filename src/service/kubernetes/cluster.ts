import type { z } from 'zod';
import {
  type Container,
  type ContainerStatus,
  type Event,
  KINDS,
  type Kind,
  type Node,
  type ObjectOf,
  type Pod,
  type Requirement,
  type Selector,
  type Service,
  type Workload,
} from './model.ts';

export type Objects = { [K in Kind]: ObjectOf<K>[] };

/** What was read of a cluster at one moment. */
export interface Snapshot {
  /** Milliseconds since the epoch: nothing is newer. */
  at: number;
  objects: Objects;
  /** The kinds of which everything was read: what is not there does not exist. */
  read: ReadonlySet<Kind>;
  /** Lines by app, `app.previous` for the run before a restart; oldest first. */
  logs: ReadonlyMap<string, readonly string[]>;
  /** Samples by app or node, and by metric. */
  metrics: Metrics | null;
  /** What monitoring reported. */
  alerts: readonly Alert[];
}

interface Metrics {
  /** Milliseconds since the epoch, one for each value. */
  times: readonly number[];
  series: ReadonlyMap<string, Readonly<Record<string, readonly (number | null)[]>>>;
}

/** A failing request, or an app or node that is unlike itself. */
export type Alert =
  | { kind: 'request'; method: string; url: string; service: string; error: string; count: number }
  | { kind: 'app' | 'node'; name: string; from: number | null; to: number | null; evidence: string };

export function noObjects(): Objects {
  return {
    Pod: [],
    Event: [],
    Deployment: [],
    StatefulSet: [],
    DaemonSet: [],
    ReplicaSet: [],
    Job: [],
    CronJob: [],
    Service: [],
    Endpoints: [],
    EndpointSlice: [],
    Ingress: [],
    IngressClass: [],
    Node: [],
    PersistentVolume: [],
    PersistentVolumeClaim: [],
    StorageClass: [],
    ResourceQuota: [],
    HorizontalPodAutoscaler: [],
    PodDisruptionBudget: [],
    ServiceAccount: [],
    NetworkPolicy: [],
    ConfigMap: [],
    Secret: [],
    HelmRelease: [],
    Kustomization: [],
  };
}

export function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind);
}

const SCHEMAS: { [K in Kind]: z.ZodType<ObjectOf<K>> } = KINDS;

/** Adds an object in the API's form; one of another form is left out. */
export function addObject<K extends Kind>(objects: Objects, kind: K, raw: unknown): void {
  const parsed = SCHEMAS[kind].safeParse(raw);
  const all: ObjectOf<K>[] = objects[kind];
  if (parsed.success) all.push(parsed.data);
}

export function append<K extends Kind>(objects: Objects, kind: K, more: readonly ObjectOf<K>[]): void {
  const all: ObjectOf<K>[] = objects[kind];
  for (const one of more) all.push(one);
}

/** The snapshot with what the checks ask for most: who owns what, who selects whom, and what is true now. */
export type Cluster = ReturnType<typeof clusterOf>;

/** A pod that nobody expects to be ready before this age is no problem. */
const SETTLING_MS = 30_000;
/** An event seen within this time may still be going on. */
const RECENT_MS = 15 * 60_000;

export function clusterOf(snapshot: Snapshot) {
  const { objects, at } = snapshot;
  const { isSuperseded, isOver } = jobsOver(objects);
  const workloads: Workload[] = [
    ...objects.Deployment.map((one) => ({ ...one, kind: 'Deployment' as const })),
    ...objects.StatefulSet.map((one) => ({ ...one, kind: 'StatefulSet' as const })),
    ...objects.DaemonSet.map((one) => ({ ...one, kind: 'DaemonSet' as const })),
    ...objects.Job.filter((job) => !isSuperseded(job)).map((one) => ({ ...one, kind: 'Job' as const })),
  ];
  const byKey = new Map(workloads.map((one) => [keyOf(one.kind, one.metadata), one]));
  const sets = new Map(objects.ReplicaSet.map((set) => [keyOf('ReplicaSet', set.metadata), set]));

  const ownerOf = (kind: string, namespace: string, name: string): Workload | null => {
    const set = kind === 'ReplicaSet' ? sets.get(`ReplicaSet ${namespace} ${name}`) : undefined;
    const owner = set?.metadata.ownerReferences[0];
    const found = owner
      ? byKey.get(`${owner.kind} ${namespace} ${owner.name}`)
      : byKey.get(`${kind} ${namespace} ${name}`);
    return found ?? null;
  };
  const workloadOf = ({ metadata }: Pick<Pod, 'metadata'>): Workload | null => {
    const owner = metadata.ownerReferences.find(({ controller }) => controller !== false);
    return owner ? ownerOf(owner.kind, metadata.namespace, owner.name) : null;
  };
  const over = new Set(objects.Job.filter(isOver).map(({ metadata }) => keyOf('Job', metadata)));
  // What a Job tried before it succeeded is history.
  const pods = objects.Pod.filter(
    ({ metadata: { namespace, ownerReferences }, status }) =>
      status.phase !== 'Succeeded' &&
      !ownerReferences.some(({ kind, name }) => over.has(keyOf(kind, { namespace, name }))),
  );
  const podsByWorkload = Map.groupBy(pods, workloadOf);
  const podsByNamespace = Map.groupBy(pods, ({ metadata }) => metadata.namespace);
  const podsByLabel = new Map<string, Pod[]>();
  for (const pod of pods)
    for (const [key, value] of Object.entries(pod.metadata.labels)) {
      const place = `${pod.metadata.namespace} ${key}=${value}`;
      const some = podsByLabel.get(place) ?? [];
      podsByLabel.set(place, some);
      some.push(pod);
    }
  const podsByNode = Map.groupBy(pods, ({ spec }) => spec.nodeName ?? '');
  const podByKey = new Map(objects.Pod.map((pod) => [`${pod.metadata.namespace} ${pod.metadata.name}`, pod]));
  const events = objects.Event.toSorted((a, b) => (a.last ?? 0) - (b.last ?? 0));
  const eventsByObject = Map.groupBy(events, ({ on }) => `${on.kind} ${on.namespace} ${on.name}`);
  const eventsOn = (kind: string, { namespace, name }: { namespace: string; name: string }) =>
    eventsByObject.get(`${kind} ${namespace} ${name}`) ??
    eventsByObject.get(`${kind}  ${name}`) ??
    eventsByObject.get(`${kind} default ${name}`) ??
    [];

  const endpoints = new Map<string, { ready: number; waiting: number }>();
  const addEndpoints = (namespace: string, name: string, ready: number, waiting: number) => {
    const before = endpoints.get(`${namespace} ${name}`) ?? { ready: 0, waiting: 0 };
    endpoints.set(`${namespace} ${name}`, { ready: before.ready + ready, waiting: before.waiting + waiting });
  };
  for (const { metadata, endpoints: some } of objects.EndpointSlice) {
    const service = metadata.labels['kubernetes.io/service-name'] ?? '';
    const ready = some.filter(({ conditions }) => conditions.ready !== false).length;
    addEndpoints(metadata.namespace, service, ready, some.length - ready);
  }
  if (objects.EndpointSlice.length === 0)
    for (const { metadata, subsets } of objects.Endpoints)
      addEndpoints(
        metadata.namespace,
        metadata.name,
        subsets.reduce((sum, { addresses }) => sum + addresses.length, 0),
        subsets.reduce((sum, { notReadyAddresses }) => sum + notReadyAddresses.length, 0),
      );

  return {
    ...snapshot,
    workloads,
    pods,
    events,
    workloadOf,
    ownerOf,
    eventsOn,
    podsOf: (workload: Workload) => podsByWorkload.get(workload) ?? [],
    podsIn: (namespace: string) => podsByNamespace.get(namespace) ?? [],
    podsOn: (node: string) => podsByNode.get(node) ?? [],
    podNamed: (namespace: string, name: string) => podByKey.get(`${namespace} ${name}`) ?? null,
    /** How many endpoints a Service has; `null` where none were read. */
    endpointsOf: ({ metadata }: Service) => endpoints.get(`${metadata.namespace} ${metadata.name}`) ?? null,
    selectedBy: ({ metadata, spec }: Service): Pod[] => {
      const [first] = Object.entries(spec.selector);
      const some = first ? (podsByLabel.get(`${metadata.namespace} ${first[0]}=${first[1]}`) ?? []) : [];
      return some.filter(({ metadata: pod }) => includes(pod.labels, spec.selector));
    },
    servicesFor: (workload: Workload) =>
      objects.Service.filter(
        ({ metadata, spec }) =>
          metadata.namespace === workload.metadata.namespace &&
          Object.keys(spec.selector).length > 0 &&
          includes(labelsOf(workload), spec.selector),
      ),
    isRecent: ({ last }: Event) => last === null || at - last <= RECENT_MS,
    ageOf: (since: number | null) => (since === null ? Number.POSITIVE_INFINITY : at - since),
    /** Whether the object is older than the time that starting takes anyway. */
    isSettled: ({ metadata }: Pick<Pod, 'metadata'>) =>
      metadata.creationTimestamp === null || at - metadata.creationTimestamp >= SETTLING_MS,
    /** Since when a workload is as it is: its last template is as old as its newest ReplicaSet. */
    changedAt: (workload: Workload) =>
      Math.max(
        workload.metadata.creationTimestamp ?? 0,
        ...objects.ReplicaSet.filter(
          ({ metadata }) => ownerOf('ReplicaSet', metadata.namespace, metadata.name) === workload,
        ).map(({ metadata }) => metadata.creationTimestamp ?? 0),
      ),
    /** Whether an object of this kind and name is known not to exist. */
    isMissing: (kind: Kind, namespace: string, name: string) =>
      snapshot.read.has(kind) &&
      !objects[kind].some(
        (one) => 'metadata' in one && one.metadata.name === name && one.metadata.namespace === namespace,
      ),
    logsOf: (workload: Workload) => linesOf(snapshot.logs, appOf(workload), workload.metadata.name),
  };
}

type Job = Objects['Job'][number];

/** The runs that are no problem any more: completed ones, and failed ones of a CronJob that succeeded since. */
function jobsOver({ Job: jobs, CronJob: crons }: Objects) {
  const succeeded = new Map<string, number>();
  const note = (cron: string, at: number | null) =>
    succeeded.set(cron, Math.max(succeeded.get(cron) ?? 0, at ?? 0));
  // The successful run may have been deleted since.
  for (const { metadata, status } of crons) note(keyOf('CronJob', metadata), status.lastSuccessfulTime);
  for (const job of jobs) {
    const cron = cronOf(job);
    if (cron !== null && isComplete(job)) note(cron, job.metadata.creationTimestamp);
  }
  const isSuperseded = (job: Job) => {
    const cron = cronOf(job);
    return (
      cron !== null && !isComplete(job) && (succeeded.get(cron) ?? 0) > (job.metadata.creationTimestamp ?? 0)
    );
  };
  return { isSuperseded, isOver: (job: Job) => isComplete(job) || isSuperseded(job) };
}

function isComplete({ status }: Job): boolean {
  return status.conditions.some(({ type, status: is }) => type === 'Complete' && is === 'True');
}

function cronOf({ metadata: { namespace, ownerReferences } }: Job): string | null {
  const owner = ownerReferences.find(({ kind }) => kind === 'CronJob');
  return owner === undefined ? null : keyOf('CronJob', { namespace, name: owner.name });
}

function linesOf(logs: Snapshot['logs'], ...names: string[]): string[] {
  for (const name of names) {
    const found = [...(logs.get(`${name}.previous`) ?? []), ...(logs.get(name) ?? [])];
    if (found.length > 0) return found;
  }
  return [];
}

export function keyOf(kind: string, { namespace, name }: { namespace: string; name: string }): string {
  return `${kind} ${namespace} ${name}`;
}

/** What a workload is called as the subject of a verdict: its label `app`, else its name. */
export function appOf({ metadata, spec }: Workload): string {
  return spec.template.metadata.labels.app ?? metadata.labels.app ?? metadata.name;
}

export function labelsOf({ spec, metadata }: Workload): Readonly<Record<string, string>> {
  const { labels } = spec.template.metadata;
  return Object.keys(labels).length > 0 ? labels : (spec.selector?.matchLabels ?? metadata.labels);
}

/** How many replicas it should have, and how many are ready. */
export function replicasOf({ kind, spec, status }: Workload): { wanted: number; ready: number } {
  return kind === 'DaemonSet'
    ? { wanted: status.desiredNumberScheduled ?? 0, ready: status.numberReady ?? 0 }
    : kind === 'Job'
      ? { wanted: 0, ready: 0 }
      : { wanted: spec.replicas ?? 1, ready: status.readyReplicas ?? 0 };
}

export function isReady({ status }: Pod): boolean {
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  if (ready) return ready.status === 'True';
  return status.containerStatuses.length > 0 && status.containerStatuses.every((one) => one.ready === true);
}

/** The pod's containers with their states, the init containers first. */
export function statesOf({ spec, status }: Pod): { container: Container | null; state: ContainerStatus }[] {
  const all = [...spec.initContainers, ...spec.containers];
  return [...status.initContainerStatuses, ...status.containerStatuses].map((state) => ({
    state,
    container: all.find(({ name }) => name === state.name) ?? null,
  }));
}

export function includes(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}

/** Whether labels satisfy a selector; an empty one selects everything, an absent one nothing. */
export function matches(labels: Readonly<Record<string, string>>, selector: Selector): boolean {
  if (selector === null) return false;
  return (
    includes(labels, selector.matchLabels) &&
    selector.matchExpressions.every((requirement) => satisfies(labels, requirement))
  );
}

export function satisfies(
  labels: Readonly<Record<string, string>>,
  { key, operator, values }: Requirement,
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return true;
  }
}

export function isControlPlane({ metadata: { labels } }: Node): boolean {
  return (
    'node-role.kubernetes.io/control-plane' in labels ||
    'node-role.kubernetes.io/master' in labels ||
    ['master', 'control-plane'].includes(labels['kubernetes.io/role'] ?? '')
  );
}
