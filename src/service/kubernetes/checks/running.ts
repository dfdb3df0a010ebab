import { appOf, type Cluster, isReady, keyOf, matches, replicasOf, statesOf } from '../cluster.ts';
import {
  about,
  aboutPod,
  type Check,
  commandsFor,
  describe,
  type Finding,
  kubectl,
  named,
  quote,
} from '../finding.ts';
import {
  type Complained,
  type Complaint,
  complaintsIn,
  complaintsOf,
  settingsOf,
  storeIn,
  storeWorkload,
} from '../logs.ts';
import type { Container, ContainerStatus, Pod, Workload } from '../model.ts';

/** Why what was started does not keep running, or is not ready. */
export const RUNNING: readonly Check[] = [
  (cluster) => failing(cluster).flatMap((pod) => outOfMemory(cluster, pod)),
  (cluster) => failing(cluster).flatMap((pod) => crashLoop(cluster, pod)),
  complaints,
  zeroReplicas,
  rollouts,
  evictions,
  autoscaling,
  jobs,
];

const RECENT_MS = 15 * 60_000;

/** Pods that run, or should, and are not ready or were restarted a moment ago. */
function failing(cluster: Cluster): Pod[] {
  return cluster.pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === null &&
      pod.status.reason !== 'Evicted' &&
      cluster.isSettled(pod) &&
      statesOf(pod).some(
        ({ state }) =>
          (state.ready !== true || (state.restartCount > 0 && endedRecently(cluster, state))) &&
          (state.restartCount > 0 || state.state.terminated !== null || state.lastState.terminated !== null),
      ),
  );
}

function endedRecently(cluster: Cluster, { state, lastState }: ContainerStatus): boolean {
  const ended = state.terminated ?? lastState.terminated;
  return ended !== null && cluster.ageOf(ended.finishedAt) <= RECENT_MS;
}

function outOfMemory(cluster: Cluster, pod: Pod): Finding[] {
  return statesOf(pod).flatMap(({ container, state }) => {
    const ended = [state.state.terminated, state.lastState.terminated].find(
      (one) => one?.reason === 'OOMKilled',
    );
    if (!ended || !endedRecently(cluster, state)) return [];
    const limit = container?.resources.limits.memory;
    const subject = aboutPod(cluster, pod);
    return {
      ...subject,
      cause: 'oom_killed',
      sentence: `${named(subject.object.slice(4))} was killed at its memory limit${limit === undefined ? '' : ` of ${Math.round(limit / 1_048_576)} MiB`}.`,
      evidence: [`container ${named(state.name)} ended: OOMKilled, ${state.restartCount} restarts`],
      confidence: 0.96,
    };
  });
}

/** A loop, and not one start that went wrong: it waits to be restarted, or has ended again and again until now. */
export function isLooping(
  cluster: Cluster,
  { state, lastState, restartCount, ready }: ContainerStatus,
): boolean {
  if (state.waiting?.reason === 'CrashLoopBackOff') return true;
  if (state.terminated !== null && (state.terminated.exitCode ?? 0) !== 0)
    return restartCount > 0 || ready !== true;
  return (
    ready !== true &&
    restartCount >= 2 &&
    (lastState.terminated?.exitCode ?? 0) !== 0 &&
    cluster.ageOf(lastState.terminated?.finishedAt ?? null) <= RECENT_MS
  );
}

function crashLoop(cluster: Cluster, pod: Pod): Finding[] {
  const looping = statesOf(pod).filter(({ state }) => isLooping(cluster, state));
  return looping.flatMap(({ state, container }) => {
    const ended = state.state.terminated ?? state.lastState.terminated;
    const killed = cluster
      .eventsOn('Pod', pod.metadata)
      .some(({ message }) => message.includes(`Container ${state.name} failed liveness probe`));
    // What a probe or the memory limit ends is no crash.
    if (killed || ended?.reason === 'OOMKilled') return [];
    const workload = cluster.workloadOf(pod);
    const own = workload ? cluster.logsOf(workload) : (cluster.logs.get(pod.metadata.name) ?? []);
    const lines = [...own, ended?.message ?? ''];
    const [complained] = complaintsIn(lines);
    const evidence = [
      `container ${named(state.name)} ended with exit code ${ended?.exitCode ?? 'unknown'}, ${state.restartCount} restarts`,
      ...(complained ? [`its last lines: ${quote(complained.line)}`] : []),
    ];
    const shared = pod.spec.containers.filter(({ name }) => name !== state.name).flatMap(portsIn);
    const isTaken =
      !complained && container !== null && portsIn(container).some((port) => shared.includes(port));
    const why = isTaken
      ? {
          explanation: 'another container of its pod has the same port',
          finding: { cause: 'sidecar_port_conflict', confidence: 0.85 },
        }
      : complained
        ? explained(cluster, pod, workload, complained, lines.join('\n'))
        : unexplained(cluster, workload, ended?.exitCode, lines);
    const subject = aboutPod(cluster, pod);
    return {
      ...subject,
      sentence: `${named(subject.object.slice(4))} keeps crashing: ${why.explanation}.`,
      evidence,
      show: kubectl`logs ${pod.metadata.name} -n ${pod.metadata.namespace} -c ${state.name} --previous`,
      ...why.finding,
    };
  });
}

export function portsIn({ ports }: Container): number[] {
  return ports.flatMap(({ containerPort }) => containerPort ?? []);
}

/** The workloads whose last lines would say why they crash. */
export function loopingApps(
  cluster: Cluster,
): { app: string; kind: string; namespace: string; name: string; pod: string }[] {
  const pods = failing(cluster).filter((pod) => statesOf(pod).some(({ state }) => isLooping(cluster, state)));
  const byWorkload = Map.groupBy(pods, (pod) => cluster.workloadOf(pod));
  return [...byWorkload].flatMap(([workload, some]) =>
    (workload === null ? some : some.slice(0, 1)).map(({ metadata: { namespace, name: pod } }) =>
      workload === null
        ? { app: pod, kind: 'Pod', namespace, name: pod, pod }
        : { app: appOf(workload), kind: workload.kind, namespace, name: workload.metadata.name, pod },
    ),
  );
}

interface Why {
  explanation: string;
  finding: Pick<Finding, 'cause' | 'confidence'> & Partial<Finding>;
}

function explained(
  cluster: Cluster,
  pod: Pod,
  workload: Workload | null,
  { complaint, line }: Complained,
  text: string,
): Why {
  const store =
    storeIn(`${line}\n${text}`) ?? (workload ? storeIn(settingsOf(cluster, workload).join('\n')) : null);
  const what = store ?? 'dependency';
  const why = (explanation: string, cause: string, confidence = 0.9): Why => ({
    explanation,
    finding: { cause, confidence },
  });
  switch (complaint) {
    case 'connections':
    case 'read-only': {
      const server = storeWorkload(cluster, store, text);
      const explanation =
        complaint === 'connections' ? `${what} has no connection left for it` : `${what} is read-only`;
      return {
        explanation,
        finding: {
          cause: complaint === 'connections' ? 'db_connection_exhaustion' : 'db_read_only',
          confidence: server ? 0.9 : 0.7,
          ...(server && {
            ...about(server),
            sentence: storeSentence(appOf(server), complaint),
            explains: [aboutPod(cluster, pod).object],
          }),
        },
      };
    }
    case 'credentials':
      return why(`${what} refuses its credentials`, `${what}_invalid_credentials`, store ? 0.93 : 0.8);
    case 'unknown-host': {
      const host = hostIn(line);
      const exists =
        host !== null && cluster.objects.Service.some(({ metadata }) => metadata.name === host.split('.')[0]);
      if (exists || pod.spec.dnsPolicy === 'None' || host === null)
        return why(
          `it cannot resolve ${named(host ?? 'a host name')}`,
          'service_dns_resolution_failure',
          exists ? 0.9 : 0.75,
        );
      const isSet =
        workload !== null && settingsOf(cluster, workload).some((setting) => setting.includes(host));
      return why(
        `no Service is called ${named(host)}`,
        store === null || isSet ? 'service_env_var_address_mismatch' : `${store}_invalid_host`,
        0.8,
      );
    }
    case 'database':
      return why(`${what} has no such database`, `${what}_invalid_database`, 0.9);
    case 'refused': {
      const server = store ? storeWorkload(cluster, store, text) : null;
      const isUp = server === null || replicasOf(server).ready > 0;
      return isUp
        ? why(`nothing listens where it looks for ${what}`, `${what}_invalid_port`, store ? 0.88 : 0.6)
        : { explanation: `${what} is down`, finding: { cause: `${what}_unavailable`, confidence: 0.5 } };
    }
    case 'port-taken':
      return why(
        'the port that it listens on is taken',
        pod.spec.containers.length > 1 ? 'sidecar_port_conflict' : 'container_port_conflict',
        0.92,
      );
    case 'permission':
      return why(
        'it may not access a file that it needs',
        pod.spec.volumes.length > 0 || pod.spec.containers.some(({ volumeMounts }) => volumeMounts.length > 0)
          ? 'volume_mount_permission_denied'
          : 'container_permission_denied',
        0.88,
      );
    default:
      return why(
        EXPLANATIONS[complaint].explanation,
        EXPLANATIONS[complaint].cause,
        EXPLANATIONS[complaint].confidence,
      );
  }
}

const EXPLANATIONS: Readonly<
  Record<
    Exclude<
      Complaint,
      | 'connections'
      | 'read-only'
      | 'credentials'
      | 'unknown-host'
      | 'refused'
      | 'port-taken'
      | 'permission'
      | 'database'
    >,
    { explanation: string; cause: string; confidence: number }
  >
> = {
  timeout: {
    explanation: 'something that it needs does not answer',
    cause: 'dependency_unavailable',
    confidence: 0.5,
  },
  disk: { explanation: 'its volume is full', cause: 'volume_full', confidence: 0.92 },
  memory: { explanation: 'it runs out of memory by itself', cause: 'out_of_memory', confidence: 0.8 },
  command: {
    explanation: 'its command cannot be run',
    cause: 'incorrect_container_command',
    confidence: 0.88,
  },
  rights: {
    explanation: 'its service account may not do what it needs',
    cause: 'rbac_permission_denied',
    confidence: 0.88,
  },
  configuration: {
    explanation: 'a setting that it needs is missing',
    cause: 'missing_configuration',
    confidence: 0.75,
  },
};

function storeSentence(app: string, complaint: Complaint): string {
  return complaint === 'connections'
    ? `${named(app)} has no connection left for its clients.`
    : `${named(app)} is read-only: its clients cannot write.`;
}

/** So many last lines are quoted where no word in them is known. */
const MOST_LAST = 3;

/** Where its lines say nothing that is known, a crash can only be guessed at, and is said so. */
function unexplained(
  cluster: Cluster,
  workload: Workload | null,
  exitCode: number | undefined,
  lines: readonly string[],
): Why {
  const last = lines.filter((line) => line.trim() !== '').slice(-MOST_LAST);
  const known =
    last.length === 0
      ? 'its lines are not at hand'
      : `why is not known; its last lines are ${last.map((line) => named(line)).join(', ')}`;
  if (exitCode === 126 || exitCode === 127)
    return {
      explanation: 'its command cannot be run',
      finding: { cause: 'incorrect_container_command', confidence: 0.8 },
    };
  if (exitCode === 137)
    return {
      explanation: 'it was killed, probably for its memory',
      finding: { cause: 'oom_killed', confidence: 0.5 },
    };
  const store = workload ? storeIn(settingsOf(cluster, workload).join('\n')) : null;
  return store
    ? {
        explanation: `${known}; it needs ${store}, whose credentials or address may be wrong`,
        finding: { cause: `${store}_invalid_credentials`, confidence: 0.45 },
      }
    : { explanation: known, finding: { cause: 'crash_loop', confidence: 0.4 } };
}

/** The host that a lookup failed for. */
function hostIn(line: string): string | null {
  return (
    /(?:lookup |UnknownHostException: |ENOTFOUND |EAI_AGAIN |resolve host:? ?['"]?|host name ['"])([\w.-]+)/u.exec(
      line,
    )?.[1] ?? null
  );
}

/** What clients that run say of their store. */
function complaints(cluster: Cluster): Finding[] {
  return cluster.workloads.flatMap((workload) => {
    const complained = complaintsOf(cluster, workload).find(
      ({ complaint }) => complaint === 'read-only' || complaint === 'connections',
    );
    const events = cluster
      .podsOf(workload)
      .flatMap((pod) => (isReady(pod) ? [] : cluster.eventsOn('Pod', pod.metadata)))
      .filter(cluster.isRecent);
    const own = complaintsIn(events.map(({ message }) => message)).find(
      ({ complaint }) => complaint === 'connections' || complaint === 'read-only',
    );
    const found = complained ?? own;
    if (!found) return [];
    const lines = cluster.logsOf(workload);
    const store = storeIn(`${found.line} ${lines.join('\n')}`);
    const server = own ? workload : storeWorkload(cluster, store, lines.join('\n'));
    if (!server) return [];
    return {
      ...about(server),
      cause: found.complaint === 'connections' ? 'db_connection_exhaustion' : 'db_read_only',
      sentence: storeSentence(appOf(server), found.complaint),
      evidence: [`${named(appOf(workload))} says: ${quote(found.line)}`],
      confidence: 0.85,
      explains: [`app/${appOf(workload)}`],
    };
  });
}

/** A night in which most is scaled down is meant, and so is what scales to zero by itself. */
function zeroReplicas(cluster: Cluster): Finding[] {
  const byNamespace = Map.groupBy(
    cluster.workloads.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet'),
    ({ metadata }) => metadata.namespace,
  );
  return [...byNamespace.values()].flatMap((all) => {
    const zero = all.filter(({ spec }) => spec.replicas === 0);
    if (zero.length >= 3 && zero.length * 2 >= all.length) return [];
    return zero.flatMap((workload) => {
      const services = cluster.servicesFor(workload);
      const scaled = [
        ...cluster.eventsOn(workload.kind, workload.metadata),
        ...cluster.objects.ReplicaSet.filter(
          ({ metadata }) => cluster.ownerOf('ReplicaSet', metadata.namespace, metadata.name) === workload,
        ).flatMap(({ metadata }) => cluster.eventsOn('ReplicaSet', metadata)),
      ].findLast(
        ({ reason, message }) => reason === 'SuccessfulDelete' || /Scaled down|scaled down/u.test(message),
      );
      const isAutomatic = cluster.objects.HorizontalPodAutoscaler.some(
        ({ metadata, spec }) =>
          metadata.namespace === workload.metadata.namespace &&
          spec.scaleTargetRef.name === workload.metadata.name &&
          spec.minReplicas === 0,
      );
      const isRecent = scaled !== undefined && cluster.isRecent(scaled);
      // Scaled down long ago, and nobody complains: it is meant.
      if (services.length === 0 || isAutomatic || !(isRecent || cluster.alerts.length > 0)) return [];
      const { namespace, name } = workload.metadata;
      return {
        ...about(workload),
        cause: 'deployment_zero_replicas',
        sentence: `${named(appOf(workload))} is scaled to zero replicas, and its Service ${named(services[0]?.metadata.name ?? '')} has no endpoint.`,
        evidence: [`spec.replicas is 0`, ...(scaled ? [`${scaled.reason}: ${quote(scaled.message)}`] : [])],
        mend: kubectl`scale ${workload.kind.toLowerCase()} ${name} -n ${namespace} --replicas=1`,
        confidence: isRecent ? 0.93 : 0.8,
      };
    });
  });
}

/** What is left where nothing else explains why pods are not ready. */
function rollouts(cluster: Cluster): Finding[] {
  return cluster.workloads.flatMap((workload) => {
    const { wanted, ready } = replicasOf(workload);
    const late = workload.status.conditions.find(
      ({ type, reason, status }) =>
        type === 'Progressing' && status === 'False' && reason === 'ProgressDeadlineExceeded',
    );
    const isStuck = cluster
      .podsOf(workload)
      .some((pod) => !isReady(pod) && cluster.ageOf(pod.metadata.creationTimestamp) >= STUCK_MS);
    if (!late && !(ready < wanted && isStuck)) return [];
    const { namespace, name } = workload.metadata;
    const ofIt = `${workload.kind.toLowerCase()} ${name} -n ${namespace}`;
    return {
      ...about(workload),
      cause: late ? 'rollout_stuck' : 'pods_not_ready',
      sentence: `${late ? `The rollout of ${named(appOf(workload))} does not get on: ` : ''}${ready} of ${wanted} replicas ${late ? '' : `of ${named(appOf(workload))} `}are ready.`,
      evidence: late ? [quote(late.message ?? 'ProgressDeadlineExceeded')] : [],
      mend: late ? kubectl`rollout undo ${ofIt}` : null,
      confidence: late ? 0.4 : 0.35,
    };
  });
}

const STUCK_MS = 5 * 60_000;

function evictions(cluster: Cluster): Finding[] {
  const evicted = cluster.pods.flatMap((pod): Finding | [] => {
    const { status, metadata } = pod;
    if (
      status.reason !== 'Evicted' ||
      cluster.ageOf(status.startTime ?? metadata.creationTimestamp) > 60 * 60_000
    )
      return [];
    const workload = cluster.workloadOf(pod);
    if (workload && replicasOf(workload).ready >= replicasOf(workload).wanted) return [];
    const subject = aboutPod(cluster, pod);
    return {
      ...subject,
      cause: 'pod_evicted',
      sentence: `A pod of ${named(subject.object.slice(4))} was evicted from its node.`,
      evidence: [quote(status.message ?? 'Evicted')],
      confidence: 0.7,
    };
  });
  const stuck = cluster.pods.flatMap((pod): Finding | [] => {
    const { deletionTimestamp, finalizers, name, namespace } = pod.metadata;
    if (deletionTimestamp === null || cluster.ageOf(deletionTimestamp) < STUCK_MS) return [];
    const subject = aboutPod(cluster, pod);
    return {
      ...subject,
      cause: 'pod_stuck_terminating',
      isLeftover: true,
      sentence: `A pod of ${named(subject.object.slice(4))} does not end.`,
      evidence: [
        `pod ${named(name)} in ${named(namespace)} was to end ${Math.round(cluster.ageOf(deletionTimestamp) / 60_000)} minutes ago`,
        ...finalizers.map((one) => `finalizer ${named(one)}`),
      ],
      confidence: 0.5,
    };
  });
  const draining = new Set(
    cluster.objects.Node.filter(({ spec }) => spec.unschedulable === true).map(
      ({ metadata }) => metadata.name,
    ),
  );
  const blocked = cluster.objects.PodDisruptionBudget.flatMap(({ metadata, spec, status }): Finding | [] => {
    if (status.disruptionsAllowed !== 0) return [];
    const held = cluster
      .podsIn(metadata.namespace)
      .filter(
        (pod) =>
          draining.has(pod.spec.nodeName ?? '') &&
          matches(pod.metadata.labels, spec.selector) &&
          isReady(pod),
      );
    const refused = held.filter((pod) =>
      cluster.eventsOn('Pod', pod.metadata).some(({ message }) => /disruption budget/u.test(message)),
    );
    const [first] = refused;
    if (!first) return [];
    return {
      ...aboutPod(cluster, first),
      cause: 'pdb_blocks_eviction',
      sentence: `The disruption budget ${named(metadata.name)} lets no pod go, so node ${named(first.spec.nodeName ?? '')} cannot be drained.`,
      evidence: [
        `disruptionsAllowed is 0: ${status.currentHealthy ?? 0} healthy, ${status.desiredHealthy ?? 0} wanted`,
      ],
      ...commandsFor('poddisruptionbudget', metadata),
      confidence: 0.7,
    };
  });
  return [...evicted, ...stuck, ...blocked];
}

function autoscaling(cluster: Cluster): Finding[] {
  return cluster.objects.HorizontalPodAutoscaler.flatMap(({ metadata, spec, status }) => {
    const target = cluster.workloads.find(
      (workload) =>
        keyOf(workload.kind, workload.metadata) ===
        keyOf(spec.scaleTargetRef.kind ?? '', {
          namespace: metadata.namespace,
          name: spec.scaleTargetRef.name ?? '',
        }),
    );
    const blind = status.conditions.find(
      ({ type, status: is, reason }) =>
        (type === 'ScalingActive' || type === 'AbleToScale') &&
        is === 'False' &&
        reason !== 'ScalingDisabled',
    );
    if (
      !target ||
      !blind ||
      replicasOf(target).wanted === 0 ||
      cluster.ageOf(metadata.creationTimestamp) < STUCK_MS
    )
      return [];
    return {
      ...about(target),
      cause: 'hpa_metrics_unavailable',
      sentence: `The autoscaler ${named(metadata.name)} of ${named(appOf(target))} cannot act.`,
      evidence: [`${blind.reason ?? blind.type}: ${quote(blind.message ?? '')}`],
      show: describe('horizontalpodautoscaler', metadata),
      confidence: 0.4,
    };
  });
}

function jobs(cluster: Cluster): Finding[] {
  return cluster.workloads.flatMap((workload) => {
    if (workload.kind !== 'Job') return [];
    const failed = workload.status.conditions.find(
      ({ type, status }) => type === 'Failed' && status === 'True',
    );
    if (!failed || cluster.ageOf(failed.lastTransitionTime) > 60 * 60_000) return [];
    const [complained] = complaintsIn(cluster.logsOf(workload));
    return {
      ...about(workload),
      cause: 'job_failed',
      sentence: `The Job ${named(workload.metadata.name)} has failed${failed.reason ? ` (${quote(failed.reason)})` : ''}.`,
      evidence: [
        quote(failed.message ?? 'Failed'),
        ...(complained ? [`its last lines: ${quote(complained.line)}`] : []),
      ],
      mend: null,
      confidence: 0.55,
    };
  });
}
