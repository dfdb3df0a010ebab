import { type Cluster, includes, isControlPlane, matches, satisfies } from '../cluster.ts';
import {
  aboutPod,
  type Check,
  commandsFor,
  type Finding,
  kubectl,
  named,
  pairs,
  quote,
  rowsIn,
} from '../finding.ts';
import type { Node, ObjectOf, Pod } from '../model.ts';

/** Why a pod has no node. */
export const SCHEDULING: readonly Check[] = [
  (cluster) => unscheduled(cluster).flatMap((pod) => unschedulable(cluster, pod)),
  (cluster) => unscheduled(cluster).flatMap((pod) => unboundClaims(cluster, pod)),
  unseenByScheduler,
];

function unscheduled(cluster: Cluster): Pod[] {
  return cluster.pods.filter(
    (pod) =>
      pod.spec.nodeName === undefined &&
      pod.spec.schedulingGates.length === 0 &&
      pod.metadata.deletionTimestamp === null &&
      (pod.status.phase ?? 'Pending') === 'Pending' &&
      cluster.isSettled(pod),
  );
}

function schedulerMessage(cluster: Cluster, pod: Pod): string {
  const event = cluster.eventsOn('Pod', pod.metadata).findLast(({ reason }) => reason === 'FailedScheduling');
  return (
    event?.message ??
    pod.status.conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
      ?.message ??
    ''
  );
}

/** What stops a node, by its cause, in the scheduler's own words. */
const REASONS = rowsIn(String.raw`
pod_anti_affinity_conflict :: each node that it could run on has a pod that it must not be next to :: didn't match pod anti-affinity|didn't satisfy existing pods anti-affinity
pod_affinity_mismatch :: no node runs the pods that it must be next to :: didn't match pod affinity|pod affinity rules
node_affinity_mismatch :: no node satisfies its node affinity :: didn't match pod's node affinity/selector|didn't match node selector
topology_spread_mismatch :: no node keeps its topology spread constraints :: topology spread
volume_node_affinity_conflict :: its volume is on a node, or in a zone, that it cannot run in :: volume node affinity
node_volume_count_exceeded :: the nodes that it could run on have as many volumes as they may :: max volume count|max node volume
node_not_ready :: the nodes that it could run on are not ready :: untolerated taint \{node\.kubernetes\.io/(?:not-ready|unreachable)
node_cordon_mismatch :: the nodes that it could run on are cordoned :: untolerated taint \{node\.kubernetes\.io/unschedulable|were unschedulable
taint_toleration_mismatch :: it does not tolerate the taint of the nodes that it could run on :: taint
cpu_capacity_mismatch :: no node has as much CPU left as it requests :: insufficient cpu
memory_capacity_mismatch :: no node has as much memory left as it requests :: insufficient memory
ephemeral_storage_capacity_mismatch :: no node has as much ephemeral storage left as it requests :: insufficient ephemeral-storage
node_pod_capacity_exceeded :: the nodes that it could run on have as many pods as they may :: too many pods|insufficient pods
extended_resource_mismatch :: no node has the device left that it requests :: insufficient [\w.-]+/
host_port_conflict :: the host port that it asks for is taken on each node :: free ports
`);
const SELECTOR = 'node_selector_mismatch';
const AFFINITY = 'node_affinity_mismatch';
const CORDON = 'node_cordon_mismatch';
const TAINT = 'taint_toleration_mismatch';
const NOT_READY = 'node_not_ready';

function explanationOf(reason: string): string {
  return reason === SELECTOR
    ? 'no node has the labels that its node selector asks for'
    : (REASONS.find(({ cause }) => cause === reason)?.explanation ?? reason);
}

function unschedulable(cluster: Cluster, pod: Pod): Finding | [] {
  const message = schedulerMessage(cluster, pod);
  const claims = /persistentvolumeclaim/iu.test(message);
  const counts = countsIn(message);
  const nodes = cluster.objects.Node;
  if (counts.size === 0 && (claims || message === '')) return [];
  const stops = nodes.map((node) => ({ node, reason: stopOf(cluster, pod, node) }));
  const reason = decisive(pod, stops, counts);
  if (reason === null) return [];
  const concerned = stops.filter((stop) => stop.reason === reason).map(({ node }) => node);
  const others = [...counts.keys()].filter(
    (other) => other !== reason && !(reason === SELECTOR && other === AFFINITY),
  );
  const subject = aboutPod(cluster, pod);
  const node = concerned[0]?.metadata.name;
  return {
    ...subject,
    cause: reason,
    sentence: `${named(subject.object.slice(4))} cannot be scheduled: ${explanationOf(reason)}${detail(reason, pod, concerned)}.`,
    evidence: [
      ...(message === '' ? [] : [`FailedScheduling: ${quote(message)}`]),
      ...evidenceOf(reason, pod, concerned),
    ],
    ruledOut: others.map((other) => `${explanationOf(other)}: not on the nodes that would do otherwise`),
    mend:
      reason === CORDON
        ? kubectl`uncordon ${node}`
        : reason === TAINT && concerned[0]?.spec.taints[0]
          ? kubectl`describe node ${node}`
          : subject.mend,
    // A node that is not ready has a finding of its own.
    confidence: reason === NOT_READY ? 0.4 : concerned.length > 0 || counts.size <= 1 ? 0.95 : 0.88,
  };
}

function countsIn(message: string): Map<string, number> {
  const counts = new Map<string, number>();
  const [before = ''] = message.split('preemption:');
  for (const part of before.replace(/^\d+\/\d+ nodes are available:/u, '').split(/,(?![^{]*\})/u)) {
    const count = Number(/(\d+) /u.exec(part)?.[1] ?? 0);
    const reason = REASONS.find(({ pattern }) => pattern.test(part))?.cause;
    if (reason && count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return counts;
}

/** What stops one node, as far as the objects say; `null` if nothing seen does. */
function stopOf(cluster: Cluster, pod: Pod, node: Node): string | null {
  const { labels } = node.metadata;
  if (!includes(labels, pod.spec.nodeSelector)) return SELECTOR;
  const terms =
    pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  if (
    terms.length > 0 &&
    !terms.some(({ matchExpressions }) => matchExpressions.every((one) => satisfies(labels, one)))
  )
    return AFFINITY;
  const taints = node.spec.taints.filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(pod, taint),
  );
  if (taints.some(({ key }) => /^node\.kubernetes\.io\/(?:not-ready|unreachable)$/u.test(key)))
    return NOT_READY;
  if (
    node.spec.unschedulable === true &&
    taints.some(({ key }) => key === 'node.kubernetes.io/unschedulable')
  )
    return CORDON;
  if (taints.length > 0) return TAINT;
  if (node.spec.unschedulable === true) return CORDON;
  const anti = pod.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  if (
    anti.some(({ labelSelector }) =>
      cluster
        .podsOn(node.metadata.name)
        .some(
          ({ metadata }) =>
            metadata.namespace === pod.metadata.namespace && matches(metadata.labels, labelSelector),
        ),
    )
  )
    return 'pod_anti_affinity_conflict';
  for (const [resource, reason] of [
    ['cpu', 'cpu_capacity_mismatch'],
    ['memory', 'memory_capacity_mismatch'],
    ['ephemeral-storage', 'ephemeral_storage_capacity_mismatch'],
  ] as const) {
    const most = node.status.allocatable[resource];
    if (most !== undefined && requestOf(pod, resource) > most - allocatedOn(cluster, node, resource))
      return reason;
  }
  const most = node.status.allocatable.pods;
  if (
    most !== undefined &&
    (node.status.allocated?.pods ?? cluster.podsOn(node.metadata.name).length) >= most
  )
    return 'node_pod_capacity_exceeded';
  return null;
}

function requestOf(pod: Pod, resource: string): number {
  return pod.spec.containers.reduce((sum, { resources }) => sum + (resources.requests[resource] || 0), 0);
}

function allocatedOn(cluster: Cluster, { metadata, status }: Node, resource: string): number {
  if (status.allocated) return status.allocated.requests[resource] || 0;
  return cluster.podsOn(metadata.name).reduce((sum, pod) => sum + requestOf(pod, resource), 0);
}

function tolerates(pod: Pod, taint: Node['spec']['taints'][number]): boolean {
  return pod.spec.tolerations.some(
    ({ key, operator, value, effect }) =>
      (key === undefined || key === '' || key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')) &&
      (effect === undefined || effect === '' || effect === taint.effect),
  );
}

/** Of the nodes that the pod's selector allows, what stops most; the control plane's own cordon or taint is as always. */
function decisive(
  pod: Pod,
  stops: readonly { node: Node; reason: string | null }[],
  counts: ReadonlyMap<string, number>,
): string | null {
  const allowed = stops.filter(({ reason }) => reason !== SELECTOR && reason !== AFFINITY);
  const workers = allowed.filter(
    ({ node, reason }) => !(isControlPlane(node) && (reason === CORDON || reason === TAINT)),
  );
  const selects = Object.keys(pod.spec.nodeSelector).length > 0;
  const byNode = new Map<string, number>();
  for (const { reason } of workers) if (reason) byNode.set(reason, (byNode.get(reason) ?? 0) + 1);
  // The scheduler saw more than is recorded: affinity, ports, volumes.
  const isUnseen = workers.some(({ reason }) => reason === null) || stops.length === 0;
  if (isUnseen && counts.size > 0) {
    const unseen = [...counts]
      .filter(
        ([reason]) =>
          !byNode.has(reason) &&
          !(reason === CORDON && stops.some((stop) => stop.reason === CORDON)) &&
          !(
            reason === TAINT && stops.some(({ node }) => isControlPlane(node) && node.spec.taints.length > 0)
          ),
      )
      .filter(([reason]) => !(reason === AFFINITY && selects));
    const best = most(unseen);
    if (best) return best;
  }
  const best = most([...byNode]);
  if (best) return best;
  if (counts.has(AFFINITY) || allowed.length === 0)
    return selects &&
      (stops.length === 0 || !stops.some(({ node }) => includes(node.metadata.labels, pod.spec.nodeSelector)))
      ? SELECTOR
      : AFFINITY;
  return most([...counts]);
}

function most(counts: readonly (readonly [string, number])[]): string | null {
  return counts.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function detail(reason: string, pod: Pod, nodes: readonly Node[]): string {
  if (reason === SELECTOR) return ` (${pairs(pod.spec.nodeSelector)})`;
  const requested = (resource: string, amount: (value: number) => string) =>
    requestOf(pod, resource) === 0 ? '' : ` (${amount(requestOf(pod, resource))})`;
  if (reason === 'cpu_capacity_mismatch') return requested('cpu', (cores) => `${cores} cores`);
  if (reason === 'memory_capacity_mismatch')
    return requested('memory', (bytes) => `${Math.round(bytes / 1_048_576)} MiB`);
  if (reason === TAINT || reason === CORDON)
    return nodes.length === 0
      ? ''
      : ` (${nodes
          .slice(0, 5)
          .map(({ metadata }) => named(metadata.name))
          .join(', ')})`;
  return '';
}

function evidenceOf(reason: string, pod: Pod, nodes: readonly Node[]): string[] {
  if (reason === SELECTOR) return [`the pod's node selector is ${pairs(pod.spec.nodeSelector)}`];
  if (reason === TAINT)
    return nodes
      .slice(0, 5)
      .map(
        ({ metadata, spec }) =>
          `node ${named(metadata.name)} has ${spec.taints.map(({ key, value, effect }) => named(`${key}=${value ?? ''}:${effect ?? ''}`)).join(', ')}`,
      );
  if (reason === CORDON)
    return nodes.slice(0, 5).map(({ metadata }) => `node ${named(metadata.name)} is unschedulable`);
  return [];
}

type Claim = ObjectOf<'PersistentVolumeClaim'>;
type Volume = ObjectOf<'PersistentVolume'>;

function unboundClaims(cluster: Cluster, pod: Pod): Finding[] {
  const names = new Set(
    pod.spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  );
  return cluster.objects.PersistentVolumeClaim.filter(
    ({ metadata, status }) =>
      metadata.namespace === pod.metadata.namespace && names.has(metadata.name) && status.phase !== 'Bound',
  ).flatMap((claim) => {
    const events = cluster.eventsOn('PersistentVolumeClaim', claim.metadata);
    const event = events.findLast(
      ({ reason }) =>
        reason === 'FailedBinding' || reason === 'ProvisioningFailed' || reason === 'VolumeMismatch',
    );
    // `WaitForFirstConsumer` waits for the pod, and the pod for something else.
    if (!event && events.some(({ reason }) => reason === 'WaitForFirstConsumer')) return [];
    const why = whyUnbound(cluster, claim, event?.message ?? '');
    const subject = aboutPod(cluster, pod);
    const { name } = claim.metadata;
    return {
      ...subject,
      cause: why.cause,
      sentence: `${named(subject.object.slice(4))} cannot be scheduled: its claim ${named(name)} is not bound, because ${why.explanation}.`,
      evidence: [...(event ? [`${event.reason}: ${quote(event.message)}`] : []), ...why.evidence],
      ...commandsFor('persistentvolumeclaim', claim.metadata),
      confidence: why.confidence,
    };
  });
}

interface Why {
  cause: string;
  explanation: string;
  evidence: string[];
  confidence: number;
}

function whyUnbound(cluster: Cluster, claim: Claim, message: string): Why {
  const { spec } = claim;
  const volumes = cluster.objects.PersistentVolume;
  const absent = /storageclass\S* "([^"]*)" not found/iu.exec(message)?.[1];
  const missing =
    absent ??
    (spec.storageClassName &&
    cluster.read.has('StorageClass') &&
    !cluster.objects.StorageClass.some(({ metadata }) => metadata.name === spec.storageClassName)
      ? spec.storageClassName
      : undefined);
  const because = (cause: string, explanation: string, confidence: number, evidence: string[]): Why => ({
    cause,
    explanation,
    evidence,
    confidence,
  });
  if (missing !== undefined)
    return because('pvc_storage_class_mismatch', `no StorageClass is called ${named(missing)}`, 0.95, [
      `the claim asks for the class ${named(missing)}`,
    ]);
  const taken = volumes.filter(
    ({ spec: { claimRef }, status }) =>
      status.phase === 'Released' ||
      status.phase === 'Failed' ||
      (claimRef !== null &&
        !(claimRef.name === claim.metadata.name && (claimRef.namespace ?? '') === claim.metadata.namespace)),
  );
  const wished = volumes.find(({ metadata }) => metadata.name === spec.volumeName);
  const free = volumes.filter((volume) => !taken.includes(volume));
  if (/already bound to a different claim/u.test(message) || (wished && taken.includes(wished)))
    return occupied(wished ?? taken[0]);
  const tests: [cause: string, explanation: string, fails: (volume: Volume) => boolean][] = [
    [
      'pvc_storage_class_mismatch',
      'the volumes are of another StorageClass',
      (volume) => (volume.spec.storageClassName ?? '') !== (spec.storageClassName ?? ''),
    ],
    [
      'pvc_selector_mismatch',
      'no volume has the labels that it selects',
      ({ metadata }) => spec.selector !== null && !matches(metadata.labels, spec.selector),
    ],
    [
      'pvc_access_mode_mismatch',
      'no volume has the access mode that it asks for',
      (volume) => spec.accessModes.some((mode) => !volume.spec.accessModes.includes(mode)),
    ],
    [
      'pvc_capacity_mismatch',
      'no volume is as large as it asks for',
      ({ spec: { capacity } }) => (spec.resources.requests.storage ?? 0) > (capacity.storage ?? Infinity),
    ],
  ];
  const evidence = free.map(
    ({ metadata, spec: { capacity, accessModes, storageClassName } }) =>
      `volume ${named(metadata.name)}: ${(capacity.storage ?? 0) / 2 ** 30} GiB, ${accessModes.join(', ')}, class ${named(storageClassName ?? '')}, labels ${pairs(metadata.labels)}`,
  );
  const stated = [
    /too small/u,
    /accessMode|access mode/u,
    /storageClassName does not match|storage class/u,
  ].findIndex((pattern) => /requested volume|incompatible/u.test(message) && pattern.test(message));
  const failed =
    [tests[3], tests[2], tests[0]][stated] ??
    tests.find(([, , fails]) => free.length > 0 && free.every(fails));
  if (failed) return because(failed[0], failed[1], 0.92, evidence);
  if (free.length === 0 && taken.length > 0) return occupied(taken[0]);
  if (free.length === 0)
    return because(
      /provision/iu.test(message) ? 'pvc_provisioning_failed' : 'pv_missing',
      'there is no volume for it, and nothing provisions one',
      0.75,
      evidence,
    );
  // What the claim asks for is not recorded: what sets the free volumes apart says it.
  if (free.some(({ metadata }) => Object.keys(metadata.labels).length > 0))
    return because(
      'pvc_selector_mismatch',
      'the labels of the free volume are probably not those that it selects',
      0.6,
      evidence,
    );
  const modes = new Set(free.map(({ spec: one }) => one.accessModes.toSorted().join()));
  return modes.size > 1
    ? because(
        'pvc_access_mode_mismatch',
        'the free volumes probably have another access mode than it asks for',
        0.5,
        evidence,
      )
    : because('pvc_capacity_mismatch', 'the free volume is probably smaller than it asks for', 0.5, evidence);
}

function occupied(volume: Volume | undefined): Why {
  const claim = volume?.spec.claimRef;
  const name = named(volume?.metadata.name ?? '');
  return {
    cause: 'pv_binding_occupied',
    explanation: `the volume ${name} belongs to another claim`,
    evidence: claim
      ? [`volume ${name} is claimed by ${named(`${claim.namespace ?? ''}/${claim.name ?? ''}`)}`]
      : [],
    confidence: 0.92,
  };
}

const UNSEEN_MS = 40_000;

/** Pods that no scheduler has said a word about. */
function unseenByScheduler(cluster: Cluster): Finding | [] {
  const unseen = unscheduled(cluster).filter(
    (pod) =>
      cluster.ageOf(pod.metadata.creationTimestamp) >= UNSEEN_MS &&
      !pod.status.conditions.some(({ type }) => type === 'PodScheduled') &&
      cluster.eventsOn('Pod', pod.metadata).length === 0,
  );
  const [first] = unseen;
  if (!first) return [];
  const subject = aboutPod(cluster, first);
  const { schedulerName } = first.spec;
  const evidence = unseen
    .slice(0, 5)
    .map(({ metadata }) => `pod ${named(metadata.name)} is pending, and no scheduler has said why`);
  if (schedulerName !== undefined && schedulerName !== 'default-scheduler')
    return {
      ...subject,
      cause: 'scheduler_name_mismatch',
      sentence: `${named(subject.object.slice(4))} waits for the scheduler ${named(schedulerName)}, which does not answer.`,
      evidence,
      confidence: 0.85,
    };
  const node = cluster.objects.Node.find(isControlPlane)?.metadata.name;
  return {
    object: node === undefined ? subject.object : `node/${node}`,
    namespace: null,
    cause: 'kube_scheduler_unavailable',
    sentence: `The scheduler does not answer: ${unseen.length} ${unseen.length === 1 ? 'pod waits' : 'pods wait'} without a word from it.`,
    evidence,
    show: kubectl`get pods -n kube-system -l component=kube-scheduler`,
    mend: null,
    confidence: 0.85,
    explains: unseen.map((pod) => aboutPod(cluster, pod).object),
  };
}
