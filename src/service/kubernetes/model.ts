import { z } from 'zod';
import { isJsonObject } from '../../lib/json.ts';

/**
 * The parts of Kubernetes' objects that the checks look at. Nothing is required but a kind and a name, and a field of
 * another type than Kubernetes gives it is as good as absent: what is recorded or granted is often incomplete.
 */
const MOST_CHARACTERS = 4096;
/** Kubernetes allows 253. */
const MOST_OF_A_NAME = 256;
const cut = (most: number) => (value: string) => (value.length > most ? value.slice(0, most) : value);
const text = z.string().transform(cut(MOST_CHARACTERS)).optional().catch(undefined);
const name = z.string().transform(cut(MOST_OF_A_NAME)).default('').catch('');
const message = z.string().transform(cut(MOST_CHARACTERS)).default('').catch('');
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const time = z
  .string()
  .nullish()
  .transform((at) => {
    const ms = Date.parse(at ?? '');
    return Number.isNaN(ms) ? null : ms;
  })
  .catch(null);
const quantity = z.union([z.string(), z.number()]).transform(quantityOf).catch(Number.NaN);
const texts = z
  .record(z.string(), z.string().catch(''))
  .nullish()
  .transform((all) => all ?? {})
  .catch({});
const quantities = z
  .record(z.string(), quantity)
  .nullish()
  .transform((all) => all ?? {})
  .catch({});
const keys = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all) => Object.keys(all ?? {}))
  .catch([]);
const port = z.union([z.number(), z.string()]).optional().catch(undefined);

/** A list of which every item of another form is left out. */
function list<T extends z.ZodType>(item: T) {
  return z
    .array(item.nullable().catch(null))
    .nullish()
    .transform((all) => (all ?? []).filter((one): one is NonNullable<typeof one> => one !== null))
    .catch([]);
}
/** An object that is taken as empty if it is absent or of another form. */
function part<T extends z.ZodRawShape>(shape: T) {
  return z.preprocess((one) => (isJsonObject(one) ? one : {}), z.object(shape));
}
function optional<T extends z.ZodRawShape>(shape: T) {
  return z
    .object(shape)
    .nullish()
    .transform((one) => one ?? null)
    .catch(null);
}

/** `500m`, `2`, `1Gi`, `1e3` as a number; not a number if it is none. */
export function quantityOf(value: string | number): number {
  const match = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)(m|[kMGTPE]i?|Ki|n|u)?$/u.exec(String(value).trim());
  if (!match) return Number.NaN;
  const unit = match[2] ?? '';
  const power = 'kMGTPE'.indexOf(unit === 'Ki' ? 'k' : (unit[0] ?? ' ')) + 1;
  const small = { m: 1e-3, u: 1e-6, n: 1e-9 }[unit];
  return Number(match[1]) * (small ?? (unit.endsWith('i') ? 1024 : 1000) ** (power > 0 ? power : 0));
}

const Owner = z.object({ kind: z.string(), name: z.string(), controller: flag });
const Meta = z.object({
  name,
  namespace: name,
  labels: texts,
  annotations: texts,
  creationTimestamp: time,
  deletionTimestamp: time,
  finalizers: list(z.string()),
  ownerReferences: list(Owner),
});

const Requirement = z.object({ key: z.string(), operator: z.string(), values: list(z.string()) });
const Selector = optional({ matchLabels: texts, matchExpressions: list(Requirement) });
const Condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: text,
  message: text,
  lastTransitionTime: time,
});

const Probe = optional({
  httpGet: optional({ path: text, port, scheme: text }),
  tcpSocket: optional({ port }),
  grpc: optional({ port, service: text }),
  exec: optional({ command: list(z.string()) }),
  initialDelaySeconds: number,
  periodSeconds: number,
  timeoutSeconds: number,
  failureThreshold: number,
});
const Container = z.object({
  name: z.string(),
  image: text,
  ports: list(z.object({ name: text, containerPort: number, protocol: text })),
  env: list(
    z.object({
      name: z.string(),
      value: text,
      valueFrom: optional({ secretKeyRef: optional({ name: text }) }),
    }),
  ),
  envFrom: list(z.object({ secretRef: optional({ name: text }), configMapRef: optional({ name: text }) })),
  resources: part({ requests: quantities, limits: quantities }),
  livenessProbe: Probe,
  readinessProbe: Probe,
  startupProbe: Probe,
  volumeMounts: list(z.object({ name: text })),
});
const NodeTerm = z.object({ matchExpressions: list(Requirement) });
const PodTerm = z.object({ labelSelector: Selector });
const PodSpec = part({
  nodeName: text,
  nodeSelector: texts,
  schedulerName: text,
  dnsPolicy: text,
  dnsConfig: optional({ nameservers: list(z.string()) }),
  imagePullSecrets: list(z.object({ name: text })),
  affinity: part({
    nodeAffinity: part({
      requiredDuringSchedulingIgnoredDuringExecution: part({ nodeSelectorTerms: list(NodeTerm) }),
    }),
    podAntiAffinity: part({ requiredDuringSchedulingIgnoredDuringExecution: list(PodTerm) }),
  }),
  tolerations: list(z.object({ key: text, operator: text, value: text, effect: text })),
  volumes: list(z.object({ persistentVolumeClaim: optional({ claimName: text }) })),
  schedulingGates: list(z.object({ name: text })),
  initContainers: list(Container),
  containers: list(Container),
});
const Ended = optional({
  reason: text,
  message: text,
  exitCode: number,
  startedAt: time,
  finishedAt: time,
});
const State = part({
  waiting: optional({ reason: text, message: text }),
  running: optional({ startedAt: time }),
  terminated: Ended,
});
const ContainerStatus = z.object({
  name: z.string(),
  ready: flag,
  restartCount: z.number().default(0).catch(0),
  state: State,
  lastState: State,
});
const Template = part({ metadata: part({ labels: texts }), spec: PodSpec });

const WorkloadSpec = part({
  replicas: number,
  selector: Selector,
  template: Template,
  completions: number,
});
const WorkloadStatus = part({
  replicas: number,
  readyReplicas: number,
  desiredNumberScheduled: number,
  numberReady: number,
  failed: number,
  succeeded: number,
  conditions: list(Condition),
});

const Taint = z.object({ key: z.string(), value: text, effect: text });
const Addresses = list(z.object({ ip: z.string() }));
const Peer = z.object({
  podSelector: Selector,
  namespaceSelector: Selector,
  ipBlock: optional({}),
});
const Backend = optional({ service: optional({ name: text, port: optional({ number, name: text }) }) });

/** The schema of each kind that is read; an object of another kind is left out. */
export const KINDS = {
  Pod: z.object({
    metadata: Meta,
    spec: PodSpec,
    status: part({
      phase: text,
      reason: text,
      message: text,
      startTime: time,
      conditions: list(Condition),
      initContainerStatuses: list(ContainerStatus),
      containerStatuses: list(ContainerStatus),
    }),
  }),
  Event: z
    .object({
      metadata: Meta,
      type: text,
      reason: name,
      message,
      count: number,
      firstTimestamp: time,
      lastTimestamp: time,
      eventTime: time,
      series: optional({ count: number, lastObservedTime: time }),
      involvedObject: part({
        kind: name,
        name,
        namespace: name,
      }),
    })
    .transform(({ metadata, type, reason, message: words, involvedObject, ...event }) => {
      const last =
        event.series?.lastObservedTime ??
        event.lastTimestamp ??
        event.eventTime ??
        metadata.creationTimestamp;
      return {
        type,
        reason,
        message: words,
        on: involvedObject,
        first: event.firstTimestamp ?? event.eventTime ?? last,
        last,
        count: event.series?.count ?? event.count ?? 1,
      };
    }),
  Deployment: z.object({ metadata: Meta, spec: WorkloadSpec, status: WorkloadStatus }),
  StatefulSet: z.object({ metadata: Meta, spec: WorkloadSpec, status: WorkloadStatus }),
  DaemonSet: z.object({ metadata: Meta, spec: WorkloadSpec, status: WorkloadStatus }),
  ReplicaSet: z.object({ metadata: Meta, spec: WorkloadSpec, status: WorkloadStatus }),
  Job: z.object({ metadata: Meta, spec: WorkloadSpec, status: WorkloadStatus }),
  CronJob: z.object({
    metadata: Meta,
    status: part({ lastSuccessfulTime: time }),
  }),
  Service: z.object({
    // Who changed it, and when: a Service has no generation.
    metadata: Meta.extend({ managedFields: list(z.object({ time })) }),
    spec: part({
      type: text,
      selector: texts,
      clusterIP: text,
      ports: list(z.object({ name: text, port: z.number(), protocol: text, targetPort: port })),
    }),
  }),
  Endpoints: z.object({
    metadata: Meta,
    subsets: list(z.object({ addresses: Addresses, notReadyAddresses: Addresses })),
  }),
  EndpointSlice: z.object({
    metadata: Meta,
    endpoints: list(z.object({ addresses: list(z.string()), conditions: part({ ready: flag }) })),
  }),
  Ingress: z.object({
    metadata: Meta,
    spec: part({
      ingressClassName: text,
      defaultBackend: Backend,
      rules: list(
        z.object({ host: text, http: optional({ paths: list(z.object({ path: text, backend: Backend })) }) }),
      ),
    }),
  }),
  IngressClass: z.object({ metadata: Meta }),
  Node: z.object({
    metadata: Meta,
    spec: part({ unschedulable: flag, taints: list(Taint) }),
    status: part({
      conditions: list(Condition),
      allocatable: quantities,
      allocated: optional({ requests: quantities, pods: number }),
    }),
  }),
  PersistentVolume: z.object({
    metadata: Meta,
    spec: part({
      capacity: quantities,
      accessModes: list(z.string()),
      storageClassName: text,
      claimRef: optional({ name: text, namespace: text }),
      nodeAffinity: part({ required: part({ nodeSelectorTerms: list(NodeTerm) }) }),
    }),
    status: part({ phase: text }),
  }),
  PersistentVolumeClaim: z.object({
    metadata: Meta,
    spec: part({
      storageClassName: text,
      volumeName: text,
      accessModes: list(z.string()),
      selector: Selector,
      resources: part({ requests: quantities }),
    }),
    status: part({ phase: text }),
  }),
  StorageClass: z.object({ metadata: Meta }),
  ResourceQuota: z.object({
    metadata: Meta,
    spec: part({ hard: quantities }),
    status: part({ hard: quantities, used: quantities }),
  }),
  HorizontalPodAutoscaler: z.object({
    metadata: Meta,
    spec: part({ scaleTargetRef: part({ kind: text, name: text }), minReplicas: number }),
    status: part({ conditions: list(Condition) }),
  }),
  PodDisruptionBudget: z.object({
    metadata: Meta,
    spec: part({ selector: Selector }),
    status: part({ disruptionsAllowed: number, currentHealthy: number, desiredHealthy: number }),
  }),
  ServiceAccount: z.object({ metadata: Meta }),
  NetworkPolicy: z.object({
    metadata: Meta,
    spec: part({
      podSelector: Selector,
      policyTypes: list(z.string()),
      ingress: list(z.object({ from: list(Peer) })),
      egress: list(z.object({ to: list(Peer) })),
    }),
  }),
  /** Of a live cluster the keys only; values are there in a recording. */
  ConfigMap: z.object({ metadata: Meta, data: texts }),
  /** Never with a value: it ends here. */
  Secret: z.object({ metadata: Meta, data: keys }),
  /** Flux's, where it is installed. */
  HelmRelease: z.object({
    metadata: Meta,
    spec: part({ suspend: flag }),
    status: part({
      conditions: list(Condition),
      history: list(
        z.object({
          name,
          namespace: name,
          version: number,
          chartName: text,
          chartVersion: text,
          appVersion: text,
          status: text,
          lastDeployed: time,
        }),
      ),
    }),
  }),
  Kustomization: z.object({
    metadata: Meta,
    spec: part({ suspend: flag }),
    status: part({
      conditions: list(Condition),
      lastAppliedRevision: text,
      lastAttemptedRevision: text,
      /** `<namespace>_<name>_<group>_<kind>` of what it applies. */
      inventory: part({ entries: list(z.object({ id: z.string() })) }),
      history: list(
        z.object({
          firstReconciled: time,
          lastReconciledStatus: text,
          metadata: texts,
        }),
      ),
    }),
  }),
};

export type Kind = keyof typeof KINDS;
export type ObjectOf<K extends Kind> = z.infer<(typeof KINDS)[K]>;
export type Pod = ObjectOf<'Pod'>;
export type Event = ObjectOf<'Event'>;
export type Service = ObjectOf<'Service'>;
export type Node = ObjectOf<'Node'>;
export type Container = z.infer<typeof Container>;
export type ContainerStatus = z.infer<typeof ContainerStatus>;
export type Selector = z.infer<typeof Selector>;
export type Requirement = z.infer<typeof Requirement>;
export type Probe = NonNullable<z.infer<typeof Probe>>;
type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job';
export type Workload = ObjectOf<'Deployment'> & { kind: WorkloadKind };
