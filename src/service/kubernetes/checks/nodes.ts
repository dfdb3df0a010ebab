import { appOf, type Cluster, isReady } from '../cluster.ts';
import { type Check, type Finding, kubectl, named, quote } from '../finding.ts';
import { type Complaint, complaintsOf, storeIn, storeWorkload } from '../logs.ts';
import type { Event, Node, Service, Workload } from '../model.ts';

/** What is wrong with a machine, or with what runs on it outside of pods. */
export const NODES: readonly Check[] = [
  (cluster) => cluster.objects.Node.flatMap((node) => condition(cluster, node)),
  runtime,
  proxy,
];

/** What a node's problem explains: the pods that are there. */
function podsOf(cluster: Cluster, node: string): string[] {
  return cluster.podsOn(node).map((pod) => {
    const workload = cluster.workloadOf(pod);
    return `app/${workload ? appOf(workload) : (pod.metadata.labels.app ?? pod.metadata.name)}`;
  });
}

function finding(
  cluster: Cluster,
  node: string,
  cause: string,
  explanation: string,
  evidence: string[],
  confidence: number,
): Finding {
  const pods = podsOf(cluster, node);
  return {
    object: `node/${node}`,
    namespace: null,
    cause,
    sentence: `Node ${named(node)} ${explanation}.`,
    evidence: [...evidence, ...(pods.length > 0 ? [`${pods.length} pods are on it`] : [])],
    show: kubectl`describe node ${node}`,
    mend: null,
    confidence,
    explains: pods,
  };
}

const RUNTIME =
  /(?:containerd|docker|crio|cri-o|cri-dockerd)\S*\.sock|container runtime|runtime is down|PLEG/iu;
const PLUGIN = /cni|network plugin|NetworkPluginNotReady|failed to set ?up (?:network|pod network)/iu;

/** Events of a node, or of its pods, that say the runtime or the network plug-in fails now. */
function failuresOn(cluster: Cluster, node: string) {
  const events = [
    ...cluster.eventsOn('Node', { namespace: '', name: node }),
    ...cluster.podsOn(node).flatMap((pod) => (isReady(pod) ? [] : cluster.eventsOn('Pod', pod.metadata))),
  ].filter((event) => event.type !== 'Normal' && cluster.ageOf(event.last) <= 5 * 60_000);
  return {
    runtime: events.findLast(
      ({ reason, message }) =>
        /connection (?:error|refused)|dial unix|no such file|is down|not ready/iu.test(message) &&
        RUNTIME.test(message) &&
        reason !== 'Unhealthy',
    ),
    plugin: events.findLast(
      ({ reason, message }) => reason === 'FailedCreatePodSandBox' && PLUGIN.test(message),
    ),
  };
}

function runtimeOf(text: string): string {
  if (/containerd/iu.test(text)) return 'containerd';
  if (/docker/iu.test(text)) return 'docker';
  return /crio|cri-o/iu.test(text) ? 'crio' : 'container_runtime';
}

const NO_RUNTIME = 'cannot run containers: its container runtime does not answer';
const NO_NETWORK = 'network_plugin_unavailable';

const PRESSURES: Readonly<Record<string, string>> = {
  MemoryPressure: 'memory',
  DiskPressure: 'disk',
  PIDPressure: 'pid',
};

function condition(cluster: Cluster, node: Node): Finding[] {
  const { name } = node.metadata;
  const ready = node.status.conditions.find(({ type }) => type === 'Ready');
  if (ready && ready.status !== 'True') {
    const readiness = `Ready is ${ready.status}: ${ready.reason ?? ''} ${ready.message ?? ''}`;
    const { runtime: failure } = failuresOn(cluster, name);
    const because = (cause: string, explanation: string, confidence: number, ...more: string[]) => [
      finding(cluster, name, cause, explanation, [quote(readiness), ...more], confidence),
    ];
    if (ready.status === 'Unknown')
      return because(
        'kubelet_unavailable',
        'does not report any more: its kubelet is down, or cut off',
        0.95,
      );
    if (failure || RUNTIME.test(readiness))
      return because(
        `${runtimeOf(`${failure?.message ?? ''} ${readiness}`)}_unavailable`,
        NO_RUNTIME,
        0.95,
        ...(failure ? [`${failure.reason}: ${quote(failure.message)}`] : []),
      );
    return PLUGIN.test(readiness)
      ? because(NO_NETWORK, 'has no network for pods: its network plug-in is not ready', 0.93)
      : because('kubelet_unavailable', 'is not ready', 0.7);
  }
  return node.status.conditions.flatMap((one) => {
    const { type, status, message } = one;
    const what = PRESSURES[type];
    if (what !== undefined && status === 'True') {
      const found = finding(
        cluster,
        name,
        `node_${what}_pressure`,
        `is short of ${what === 'pid' ? 'process ids' : what}`,
        [`${type}: ${quote(message ?? one.reason ?? status)}`],
        0.9,
      );
      return [what === 'memory' ? { ...found, asked: askedOn(cluster, name) } : found];
    }
    if (type === 'NetworkUnavailable' && status === 'True')
      return [finding(cluster, name, NO_NETWORK, 'has no network for pods', [quote(message ?? type)], 0.9)];
    return KUBELETS.has(type) ? [] : reportedBy(cluster, node, one);
  });
}

/** How much memory a container of each app on a node asked for; nothing, if it did not say. */
function askedOn(cluster: Cluster, node: string): { app: string; bytes: number }[] {
  const running = cluster.podsOn(node).filter(({ status }) => status.phase === 'Running');
  const apps = Map.groupBy(running, (pod) => cluster.workloadOf(pod));
  return [...apps].flatMap(([workload, pods]) => {
    const containers = pods.flatMap(({ spec }) => spec.containers);
    const bytes = Math.max(0, ...containers.map(({ resources }) => resources.requests.memory ?? 0));
    return workload === null ? [] : [{ app: appOf(workload), bytes }];
  });
}

/** The conditions that Kubernetes itself sets. */
const KUBELETS: ReadonlySet<string> = new Set(['Ready', 'NetworkUnavailable', ...Object.keys(PRESSURES)]);

type Condition = Node['status']['conditions'][number];

/** Names of conditions that are well when they are `True`; others name what is wrong. */
const WELL_IF_TRUE = /(?:ready|healthy|available|ok)$/iu;
/** `KernelHasNoDeadlock`, `FilesystemIsNotReadOnly`, `KernelIsReady`: nothing is wrong. */
const WELL = /^No[A-Z]|(?:Has|Is)No|IsReady$|Healthy$|^Ready$/u;
const ILL =
  /deadlock|corrupt|hung|stuck|fail|error|fault|frequent|unhealthy|problem|exceed|exhaust|read-?only|lost|\bdown\b/iu;

/**
 * A condition that something other than the kubelet reports, such as node-problem-detector or a cloud's agent. Such a
 * condition is well at `True` or at `False`: what it is on the other healthy nodes shows which, else its name and reason.
 */
function reportedBy(cluster: Cluster, node: Node, one: Condition): Finding[] {
  const { type, status, reason, message } = one;
  if (status !== 'True' && status !== 'False') return [];
  const report = `${type} is ${status}: ${reason ?? ''} ${message ?? ''}`;
  const elsewhere = cluster.objects.Node.filter((other) => other !== node && isNodeReady(other)).flatMap(
    ({ status: { conditions } }) => conditions.filter((other) => other.type === type),
  );
  const opposite = elsewhere.filter((other) => other.status !== status).length;
  const isByName =
    WELL_IF_TRUE.test(type) === (status === 'False') &&
    !WELL.test(reason ?? '') &&
    (status === 'False' || ILL.test(report));
  const isAlone = opposite > elsewhere.length - opposite && !WELL.test(reason ?? '');
  // Of two nodes that differ, the name says which one is ill.
  if (elsewhere.length >= 2 ? !isAlone : !isByName) return [];
  const words = type.replaceAll(/([a-z\d])([A-Z])/gu, '$1_$2').toLowerCase();
  return [
    finding(
      cluster,
      node.metadata.name,
      status === 'True' ? words : words.replace(/^(?:(.+)_)?([a-z]+)$/u, '$1_not_$2').replace(/^_/u, ''),
      `reports ${named(type)} as ${status}${reason ? ` (${named(reason)})` : ''}`,
      [
        quote(report),
        ...(opposite > 0 ? [`it is the opposite on ${opposite} of the other healthy nodes`] : []),
      ],
      isAlone && isByName ? 0.85 : 0.75,
    ),
  ];
}

function isNodeReady({ status }: Node): boolean {
  return status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
}

/** A node can look ready for some minutes after its runtime has gone. */
function runtime(cluster: Cluster): Finding[] {
  return cluster.objects.Node.flatMap(({ metadata, status }) => {
    if (status.conditions.some(({ type, status: is }) => type === 'Ready' && is !== 'True')) return [];
    const { runtime: failure, plugin } = failuresOn(cluster, metadata.name);
    const because = (cause: string, explanation: string, { reason, message }: Event, confidence: number) => [
      finding(cluster, metadata.name, cause, explanation, [`${reason}: ${quote(message)}`], confidence),
    ];
    if (failure) return because(`${runtimeOf(failure.message)}_unavailable`, NO_RUNTIME, failure, 0.9);
    return plugin
      ? because(NO_NETWORK, 'gives no network to new pods: its network plug-in fails', plugin, 0.88)
      : [];
  });
}

interface Failed {
  complaint: Complaint;
  node: string;
  line: string;
  workload: Workload;
}

/**
 * The node of clients that do not reach Services with Ready pods, where clients elsewhere have no problem, and neither
 * the Services nor the clients are to blame. Without kube-proxy new pods' addresses are not translated.
 */
function proxy(cluster: Cluster): Finding[] {
  const agents = cluster.objects.Pod.filter(({ metadata }) =>
    /^kube-proxy-|^cilium-[a-z0-9]{5}$/u.test(metadata.name),
  );
  const down = agents.filter(
    (pod) => !isReady(pod) && pod.spec.nodeName !== undefined && cluster.isSettled(pod),
  );
  const known = down.map((pod) =>
    finding(
      cluster,
      pod.spec.nodeName ?? '',
      'kube_proxy_unavailable',
      'does not route Services: its kube-proxy is down',
      [`pod ${named(pod.metadata.name)} is not ready`],
      0.9,
    ),
  );
  if (known.length > 0) return known;
  const failed = cluster.workloads.flatMap((workload) => unreached(cluster, workload));
  if (failed.length === 0) return [];
  const byNode = Map.groupBy(failed, ({ node }) => node);
  if (byNode.size > 1 && failed.every(({ complaint }) => complaint === 'unknown-host'))
    return [unresolved(cluster, failed)];
  const [worst, ...rest] = [...byNode].toSorted((a, b) => b[1].length - a[1].length);
  if (!worst) return [];
  const elsewhere = rest.reduce((sum, [, some]) => sum + some.length, 0);
  const [node, some] = worst;
  const [first] = some;
  return first && some.length > elsewhere
    ? [
        finding(
          cluster,
          node,
          'kube_proxy_unavailable',
          'probably does not route Services: pods on it do not reach Services whose pods are ready',
          some.slice(0, 3).map(({ workload, line }) => `${named(appOf(workload))} says: ${quote(line)}`),
          rest.length === 0 ? 0.7 : 0.55,
        ),
      ]
    : [];
}

/** Names that exist do not resolve, wherever one asks from. */
function unresolved(cluster: Cluster, failed: readonly Failed[]): Finding {
  return {
    object: 'app/coredns',
    namespace: 'kube-system',
    cause: 'cluster_dns_unavailable',
    sentence: 'The DNS of the cluster does not answer: names of Services that exist are not resolved.',
    evidence: failed
      .slice(0, 3)
      .map(({ workload, line }) => `${named(appOf(workload))} says: ${quote(line)}`),
    show: kubectl`get pods -n kube-system -l k8s-app=kube-dns`,
    mend: null,
    confidence: 0.7,
    explains: cluster.workloads.map((workload) => `app/${appOf(workload)}`),
  };
}

/** The Services with Ready pods that a workload says it cannot connect to, or resolve. */
function unreached(cluster: Cluster, workload: Workload): Failed[] {
  const pod = cluster.podsOf(workload).find(isReady);
  if (pod?.spec.nodeName === undefined) return [];
  const node = pod.spec.nodeName;
  const failures = complaintsOf(cluster, workload).filter(
    ({ complaint }) => complaint === 'timeout' || complaint === 'unknown-host',
  );
  return failures.flatMap(({ complaint, line }) => {
    // An answer that tells of somebody else's problem has arrived.
    if (/code = (?!Unavailable|DeadlineExceeded)\w+/u.test(line)) return [];
    const inNamespace = cluster.objects.Service.filter(
      ({ metadata }) => metadata.namespace === workload.metadata.namespace,
    );
    const mentioned = inNamespace.filter((service) => isIn(line, service));
    const store = mentioned.length === 0 ? storeWorkload(cluster, storeIn(line), line) : null;
    const services = store && storeIn(line) ? cluster.servicesFor(store) : mentioned;
    const well = services.find((service) =>
      cluster.selectedBy(service).some((one) => one !== pod && isReady(one)),
    );
    return well ? [{ complaint, node, line, workload }] : [];
  });
}

function isIn(line: string, { metadata, spec }: Service): boolean {
  return (
    (spec.clusterIP !== undefined && spec.clusterIP !== 'None' && line.includes(spec.clusterIP)) ||
    new RegExp(`(?<![\\w-])${metadata.name.replaceAll(/[^\w-]/gu, '.')}(?![\\w-])`, 'u').test(line)
  );
}
