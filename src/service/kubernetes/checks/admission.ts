import { appOf, type Cluster, replicasOf } from '../cluster.ts';
import { about, type Check, commandsFor, type Finding, kubectl, named, quote, rowsIn } from '../finding.ts';
import type { Event, Workload } from '../model.ts';
import { quantityOf } from '../model.ts';
import { missingAddresses } from './routing.ts';

/** What the API server refuses to create. */
export const ADMISSION: readonly Check[] = [
  (cluster) => refusals(cluster).flatMap((refusal) => refused(cluster, refusal)),
  missingServices,
  missingClaims,
];

interface Refusal {
  workload: Workload;
  event: Event | null;
  message: string;
}

/** The last refusal of each workload that is still short of pods. */
function refusals(cluster: Cluster): Refusal[] {
  return cluster.workloads.flatMap((workload) => {
    const { wanted } = replicasOf(workload);
    const isShort =
      workload.kind === 'Job'
        ? cluster.podsOf(workload).length === 0 && !isOver(workload)
        : cluster.podsOf(workload).length < wanted;
    if (!isShort) return [];
    const owners = [
      workload.metadata,
      ...cluster.objects.ReplicaSet.filter(
        ({ metadata }) => cluster.ownerOf('ReplicaSet', metadata.namespace, metadata.name) === workload,
      ).map(({ metadata }) => metadata),
    ];
    const event = owners
      .flatMap((owner) =>
        ['ReplicaSet', workload.kind].flatMap((kind) =>
          kind === 'ReplicaSet' && owner === workload.metadata ? [] : cluster.eventsOn(kind, owner),
        ),
      )
      .filter(({ reason }) => reason === 'FailedCreate' || reason === 'FailedDaemonPod')
      .filter(cluster.isRecent)
      .at(-1);
    const condition = workload.status.conditions.find(
      ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
    );
    const message = event?.message ?? condition?.message ?? '';
    return message === '' ? [] : [{ workload, event: event ?? null, message }];
  });
}

function isOver({ status }: Workload): boolean {
  return status.conditions.some(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
}

function refused(cluster: Cluster, refusal: Refusal): Finding | [] {
  const { workload, message } = refusal;
  const { namespace } = workload.metadata;
  const quota = /exceeded quota: ([^,]+), requested: (.+?), used: (.+?), limited: (.+?)$/u.exec(message);
  if (quota) return quotaExceeded(refusal, quota);
  const kind = REFUSALS.find(({ pattern }) => pattern.test(message));
  const account = /service account [^\s/]+\/([^\s:]+)/u.exec(message)?.[1];
  if (kind?.cause === 'missing_service_account' && account !== undefined) {
    // Seconds after everything was created the account is there, and the next attempt succeeds.
    const exists =
      cluster.read.has('ServiceAccount') && !cluster.isMissing('ServiceAccount', namespace, account);
    if (exists) return [];
  }
  // A rule of the whole namespace.
  const isRule = kind?.cause.startsWith('namespace_') === true;
  return {
    ...about(workload),
    ...(isRule && { object: `namespace/${namespace}` }),
    cause: kind?.cause ?? 'pod_creation_refused',
    sentence: `${named(appOf(workload))} gets no pods: ${kind?.explanation ?? 'the API server refuses them'}.`,
    evidence: [`FailedCreate: ${quote(message)}`],
    confidence: kind ? 0.95 : 0.7,
    explains: [`app/${appOf(workload)}`],
  };
}

/** How the API server words a refusal, and what it means. */
const REFUSALS = rowsIn(`
missing_service_account :: the service account that they name does not exist :: error looking up service account|serviceaccount "[^"]*" not found
missing_resource_requests :: a quota of the namespace asks for requests or limits that the containers do not set :: failed quota: .*must specify
namespace_limit_range_exceeded :: their resources are outside of the limit range of the namespace :: (?:maximum|minimum) .* usage per|max limit to request ratio|limitrange
admission_webhook_unavailable :: an admission webhook does not answer :: failed calling webhook
admission_webhook_denied :: an admission webhook denies them :: admission webhook .* denied
pod_security_violation :: they violate the Pod Security standard of the namespace :: violates PodSecurity
missing_priority_class :: the priority class that they name does not exist :: no PriorityClass with name
missing_runtime_class :: the runtime class that they name does not exist :: runtimeclass.*not found
namespace_terminating :: the namespace is being deleted :: is being terminated|because it is being terminated
`);

function quotaExceeded({ workload, message }: Refusal, quota: RegExpExecArray): Finding {
  const { namespace } = workload.metadata;
  const [requested, used, limited] = [quota[2], quota[3], quota[4]].map(amountsIn);
  const over = [...(limited ?? new Map<string, number>())].find(
    ([resource, most]) => (requested?.get(resource) ?? 0) + (used?.get(resource) ?? 0) > most,
  );
  const resource = over?.[0] ?? [...(limited?.keys() ?? [])][0] ?? '';
  return {
    object: `namespace/${namespace}`,
    namespace,
    cause: `namespace_${wordFor(resource)}_quota_exceeded`,
    sentence: `The quota ${named(quota[1] ?? '')} of namespace ${named(namespace)} has no room for the pods of ${named(appOf(workload))}: ${named(resource)} is used up.`,
    evidence: [`FailedCreate: ${quote(message)}`],
    ...commandsFor('resourcequota', { name: quota[1] ?? '', namespace }),
    confidence: 0.97,
    explains: [`app/${appOf(workload)}`],
  };
}

/** `requests.cpu=1,pods=3` */
function amountsIn(text = ''): Map<string, number> {
  return new Map(
    text.split(',').flatMap((part) => {
      const [name = '', amount = ''] = part.split('=');
      return name === '' ? [] : [[name.trim(), quantityOf(amount)] as const];
    }),
  );
}

/** What people call a resource of a quota. */
function wordFor(resource: string): string {
  const name = resource.replace(/^(?:requests|limits|count)[./]/u, '').replace(/^.*storageclass.*\//u, '');
  if (/storage|persistentvolumeclaims/u.test(name)) return 'storage';
  return (
    { pods: 'pod', services: 'service', configmaps: 'config_map', secrets: 'secret' }[name] ??
    name.split('.')[0] ??
    name
  );
}

/** Objects that a person applied leave no event when a quota refuses them; that they are missing does. */
function missingServices(cluster: Cluster): Finding[] {
  return cluster.objects.ResourceQuota.flatMap(({ metadata, spec, status }) => {
    const { namespace, name } = metadata;
    const full = Object.entries(status.hard).find(
      ([resource, most]) =>
        /^(?:count\/)?services$|^services\.(?:nodeports|loadbalancers)$/u.test(resource) &&
        (status.used[resource] ?? 0) >= most,
    );
    if (!full) return [];
    const served = cluster.workloads.filter(
      (workload) =>
        workload.metadata.namespace === namespace &&
        replicasOf(workload).wanted > 0 &&
        workload.spec.template.spec.containers.some(({ ports }) => ports.length > 0),
    );
    const without = served.filter((workload) => cluster.servicesFor(workload).length === 0);
    // Where most have none, having none means nothing.
    if (without.length === 0 || without.length * 2 > served.length) return [];
    const wanted = without.filter((workload) => missingAddresses(cluster).has(workload.metadata.name));
    const who = wanted[0] ?? without[0];
    return {
      object: `namespace/${namespace}`,
      namespace,
      cause: 'namespace_service_quota_exceeded',
      sentence: `The quota ${named(name)} of namespace ${named(namespace)} has no room for another Service, and ${named(who ? appOf(who) : '')} has none.`,
      evidence: [
        `${full[0]}: ${status.used[full[0]] ?? 0} of ${spec.hard[full[0]] ?? full[1]} are used`,
        ...without.map((workload) => `no Service selects the pods of ${named(appOf(workload))}`),
      ],
      ...commandsFor('resourcequota', metadata),
      confidence: wanted.length > 0 ? 0.95 : 0.85,
      explains: without.map((workload) => `app/${appOf(workload)}`),
    };
  });
}

function missingClaims(cluster: Cluster): Finding[] {
  return cluster.pods.flatMap((pod) => {
    if (pod.spec.nodeName !== undefined) return [];
    const { namespace } = pod.metadata;
    const claims = pod.spec.volumes.flatMap(
      ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
    );
    const missingClaim = cluster
      .eventsOn('Pod', pod.metadata)
      .filter(({ reason }) => reason === 'FailedScheduling')
      .map(({ message }) => /persistentvolumeclaim "([^"]+)" not found/u.exec(message)?.[1])
      .at(-1);
    const absent =
      claims.find((claim) => cluster.isMissing('PersistentVolumeClaim', namespace, claim)) ??
      (missingClaim !== undefined &&
      !cluster.objects.PersistentVolumeClaim.some(({ metadata }) => metadata.name === missingClaim)
        ? missingClaim
        : undefined);
    if (absent === undefined) return [];
    const workload = cluster.workloadOf(pod);
    const app = workload ? appOf(workload) : (pod.metadata.labels.app ?? pod.metadata.name);
    const evidence = [
      `pod ${named(pod.metadata.name)} waits for the claim ${named(absent)}, which does not exist`,
    ];
    const quota = cluster.objects.ResourceQuota.find(
      ({ metadata, status }) =>
        metadata.namespace === namespace &&
        Object.keys(status.hard).some((resource) => /storage$|persistentvolumeclaims$/u.test(resource)),
    );
    if (quota)
      return {
        object: `namespace/${namespace}`,
        namespace,
        cause: 'namespace_storage_quota_exceeded',
        sentence: `The claim ${named(absent)} of ${named(app)} does not exist, and the storage quota ${named(quota.metadata.name)} of namespace ${named(namespace)} limits what may be claimed.`,
        evidence: [
          ...evidence,
          ...Object.entries(quota.status.hard).map(
            ([resource, most]) => `${resource}: ${quota.status.used[resource] ?? 0} of ${most} are used`,
          ),
        ],
        ...commandsFor('resourcequota', quota.metadata),
        confidence: 0.85,
        explains: [`app/${app}`],
      };
    return {
      object: `app/${app}`,
      namespace,
      cause: 'missing_pvc',
      sentence: `${named(app)} cannot be scheduled: its claim ${named(absent)} does not exist.`,
      evidence,
      show: kubectl`get persistentvolumeclaims -n ${namespace}`,
      mend: workload ? (about(workload).mend ?? null) : null,
      confidence: 0.93,
    };
  });
}
