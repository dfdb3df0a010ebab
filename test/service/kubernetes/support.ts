import { addObject, isKind, noObjects, type Snapshot } from '../../../src/service/kubernetes/cluster.ts';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import type { Kind } from '../../../src/service/kubernetes/model.ts';

export const NOON = Date.UTC(2026, 5, 1, 12);
export const ago = (seconds: number) => new Date(NOON - seconds * 1000).toISOString();

/** An object as the API returns it: tests change what they are about. */
export interface Raw {
  kind: string;
  // Tests reach into every corner of them.
  [field: string]: unknown;
}

const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'books',
  creationTimestamp: ago(7200),
  ...more,
});

export const node = (name: string, more: { labels?: object; spec?: object; status?: object } = {}): Raw => ({
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...more.labels } },
  spec: more.spec ?? {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    ...more.status,
  },
});

interface App {
  container?: object;
  spec?: object;
  replicas?: number;
  labels?: object;
}

/** A Deployment with its ReplicaSet, one pod, Service, endpoints and service account, all well. */
export function app(
  name: string,
  port: number,
  { container = {}, spec = {}, replicas = 1, labels }: App = {},
): Raw[] {
  const own = labels ?? { app: name };
  const podSpec = {
    serviceAccountName: name,
    containers: [
      { name, image: `registry.books.example/${name}:1.4.0`, ports: [{ containerPort: port }], ...container },
    ],
    ...spec,
  };
  const template = { metadata: { labels: own }, spec: podSpec };
  const owned = (kind: string, owner: string) => ({
    ownerReferences: [{ kind, name: owner, controller: true }],
  });
  return [
    {
      kind: 'Deployment',
      metadata: meta(name),
      spec: { replicas, selector: { matchLabels: own }, template },
      status: { replicas, readyReplicas: replicas, conditions: [{ type: 'Available', status: 'True' }] },
    },
    {
      kind: 'ReplicaSet',
      metadata: meta(`${name}-7d9`, owned('Deployment', name)),
      spec: { replicas, template },
      status: { replicas },
    },
    {
      kind: 'Pod',
      metadata: meta(`${name}-7d9-x`, { labels: own, ...owned('ReplicaSet', `${name}-7d9`) }),
      spec: { nodeName: 'worker-1', ...podSpec },
      status: {
        phase: 'Running',
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
        containerStatuses: [
          { name, ready: true, restartCount: 0, state: { running: { startedAt: ago(7190) } } },
        ],
      },
    },
    {
      kind: 'Service',
      metadata: meta(name),
      spec: {
        clusterIP: `10.0.0.${port % 250}`,
        selector: own,
        ports: [{ port, targetPort: port, protocol: 'TCP' }],
      },
    },
    {
      kind: 'EndpointSlice',
      metadata: meta(`${name}-abc`, { labels: { 'kubernetes.io/service-name': name } }),
      endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
    },
    { kind: 'ServiceAccount', metadata: meta(name) },
  ];
}

/** A shop of books: front calls catalog and basket, basket keeps its state in store. */
export function shop(): Raw[] {
  return [
    node('control', {
      labels: { 'node-role.kubernetes.io/control-plane': '' },
      spec: {
        unschedulable: true,
        taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
      },
    }),
    node('worker-1'),
    node('worker-2'),
    ...app('front', 8080, {
      container: {
        env: [
          { name: 'CATALOG', value: 'http://catalog:9000' },
          { name: 'BASKET', value: 'basket:9100' },
        ],
      },
    }),
    ...app('catalog', 9000),
    ...app('basket', 9100, {
      container: {
        env: [{ name: 'POSTGRES_HOST', value: 'store:5432' }],
        envFrom: [{ secretRef: { name: 'basket-postgres' } }],
        readinessProbe: { httpGet: { port: 9100, path: '/ready' }, periodSeconds: 10 },
        livenessProbe: { httpGet: { port: 9100, path: '/live' }, initialDelaySeconds: 20, periodSeconds: 10 },
      },
    }),
    ...app('store', 5432, { container: { image: 'postgres:17' } }),
  ];
}

type Change = (object: Raw) => object;

/** The objects with one of them changed; `null` leaves it out. */
export function change(objects: readonly Raw[], kind: string, name: string, by: Change | null): Raw[] {
  let found = false;
  const changed = objects.flatMap((object) => {
    const { metadata } = object;
    const is =
      object.kind === kind &&
      typeof metadata === 'object' &&
      metadata !== null &&
      'name' in metadata &&
      metadata.name === name;
    if (!is) return [object];
    found = true;
    return by === null ? [] : [{ ...object, ...by(object) }];
  });
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return changed;
}

export const event = (
  kind: string,
  name: string,
  reason: string,
  message: string,
  seconds = 30,
  type = 'Warning',
): Raw => ({
  kind: 'Event',
  metadata: { name: `${name}.${seconds}`, namespace: 'books' },
  type,
  reason,
  message,
  involvedObject: { kind, name, namespace: kind === 'Node' ? '' : 'books' },
  firstTimestamp: ago(seconds + 300),
  lastTimestamp: ago(seconds),
});

/** The pod of an app in another state: waiting, ended, not scheduled. */
export function broken(objects: readonly Raw[], name: string, status: object, spec: object = {}): Raw[] {
  const gone = change(objects, 'Pod', `${name}-7d9-x`, (pod) => ({
    metadata: { ...Object(pod.metadata), creationTimestamp: ago(600) },
    spec: { ...Object(pod.spec), ...spec },
    status,
  }));
  const short = change(gone, 'Deployment', name, () => ({ status: { replicas: 1, readyReplicas: 0 } }));
  return change(short, 'EndpointSlice', `${name}-abc`, () => ({ endpoints: [] }));
}

export const waiting = (name: string, reason: string, message = '') => ({
  phase: 'Pending',
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [{ name, ready: false, restartCount: 0, state: { waiting: { reason, message } } }],
});

export const crashing = (name: string, more: object = {}) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [
    {
      name,
      ready: false,
      restartCount: 5,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: {
        terminated: { reason: 'Error', exitCode: 1, startedAt: ago(90), finishedAt: ago(60), ...more },
      },
    },
  ],
});

export const unscheduled = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False' }],
  containerStatuses: [],
};

interface More {
  logs?: Record<string, string[]>;
  alerts?: Snapshot['alerts'];
  metrics?: Snapshot['metrics'];
}

export function snapshotOf(
  objects: readonly Raw[],
  { logs = {}, alerts = [], metrics = null }: More = {},
): Snapshot {
  const all = noObjects();
  for (const object of objects) if (isKind(object.kind)) addObject(all, object.kind, object);
  const read = new Set<Kind>(['Service', 'ServiceAccount', 'PersistentVolumeClaim', 'StorageClass', 'Pod']);
  return { at: NOON, objects: all, read, logs: new Map(Object.entries(logs)), metrics, alerts };
}

/** The verdict's object and cause; `null` if nothing is wrong. */
export function verdictOf(objects: readonly Raw[], more: More = {}): string | null {
  const [best] = explain(snapshotOf(objects, more));
  return best ? `${best.object} ${best.cause}` : null;
}
