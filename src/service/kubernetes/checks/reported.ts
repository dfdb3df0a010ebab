import { type Cluster, keyOf, statesOf } from '../cluster.ts';
import { about, aboutPod, type Check, commandsFor, type Finding, named, quote } from '../finding.ts';
import type { Event, Pod, Workload } from '../model.ts';
import { shortRevision } from '../releases.ts';

/** What Kubernetes itself says in words, also where no check knows it; and runs that only a sidecar keeps from ending. */
export const REPORTED: readonly Check[] = [heldOpen, ingressClasses, fluxFailures, helmFailures];

const MINUTE = 60_000;
/** So long a sidecar may take to end by itself. */
const ENDING_MS = 5 * MINUTE;

function heldOpen(cluster: Cluster): Finding[] {
  return cluster.pods.flatMap((pod): Finding | [] => {
    const job = cluster.workloadOf(pod) ?? ownerJob(cluster, pod);
    if (job?.kind !== 'Job') return [];
    const states = pod.status.containerStatuses;
    const done = states.filter(({ state }) => state.terminated?.exitCode === 0);
    const goesOn = states.filter(({ state }) => state.running !== null);
    const [first] = done;
    if (first === undefined || goesOn.length === 0 || done.length + goesOn.length < states.length) return [];
    if (cluster.ageOf(first.state.terminated?.finishedAt ?? null) < ENDING_MS) return [];
    return {
      ...about(job),
      cause: 'job_held_open',
      sentence: `The Job ${named(job.metadata.name)} does not end: ${done.map(({ name }) => named(name)).join(', ')} is done, and ${goesOn.map(({ name }) => named(name)).join(', ')} goes on.`,
      evidence: [
        `${named(first.name)} completed with exit code 0`,
        `${named(goesOn[0]?.name ?? '')} still runs in pod ${named(pod.metadata.name)}`,
      ],
      mend: null,
      confidence: 0.8,
    };
  });
}

/** A run that a later one has superseded is still there while it goes on. */
function ownerJob(cluster: Cluster, { metadata }: Pod): Workload | null {
  const owner = metadata.ownerReferences.find(({ kind }) => kind === 'Job');
  const key = keyOf('Job', { namespace: metadata.namespace, name: owner?.name ?? '' });
  const job = cluster.objects.Job.find((one) => keyOf('Job', one.metadata) === key);
  return job === undefined ? null : { ...job, kind: 'Job' };
}

/** A reconciliation that takes this long is no longer under way. */
const UNDER_WAY_MS = 10 * MINUTE;

function fluxFailures(cluster: Cluster): Finding[] {
  return (['HelmRelease', 'Kustomization'] as const).flatMap((kind) =>
    cluster.objects[kind].flatMap(({ metadata, spec, status }): Finding | [] => {
      const ready = status.conditions.find(({ type }) => type === 'Ready');
      if (ready?.status !== 'False' || spec.suspend === true) return [];
      const { reason = '', message = '' } = ready;
      // What it waits for says by itself what is wrong with it.
      const isFollowing = reason === 'DependencyNotReady';
      const isUnderWay =
        reason.startsWith('Progressing') && cluster.ageOf(ready.lastTransitionTime) < UNDER_WAY_MS;
      if (isFollowing || isUnderWay) return [];
      return {
        object: `${kind.toLowerCase()}/${metadata.name}`,
        namespace: metadata.namespace,
        cause: 'release_failed',
        sentence: `Flux does not apply the ${kind} ${named(metadata.name)}, so the cluster is not as git says: ${quote(message)} (${quote(reason)}).`,
        evidence: [
          'lastAttemptedRevision' in status && status.lastAttemptedRevision !== undefined
            ? `attempted ${named(shortRevision(status.lastAttemptedRevision))}, applied ${named(shortRevision(status.lastAppliedRevision ?? 'none'))}`
            : `its condition Ready is False: ${quote(reason)}`,
        ],
        ...commandsFor(kind, metadata),
        mend: null,
        confidence: 0.5,
      };
    }),
  );
}

/** By the labels of the Secrets in which Helm keeps its revisions. */
function helmFailures(cluster: Cluster): Finding[] {
  const revisions = cluster.objects.Secret.filter(({ metadata }) => metadata.labels.owner === 'helm');
  const releases = Map.groupBy(revisions, ({ metadata }) => `${metadata.namespace} ${metadata.labels.name}`);
  return [...releases.values()].flatMap((some): Finding | [] => {
    const [newest] = some.toSorted((a, b) => revisionOf(b) - revisionOf(a));
    if (newest === undefined) return [];
    const { metadata } = newest;
    const { name = '', status = '', version = '' } = metadata.labels;
    const hangs = status.startsWith('pending') && cluster.ageOf(metadata.creationTimestamp) >= UNDER_WAY_MS;
    if (status !== 'failed' && !hangs) return [];
    return {
      object: `release/${name}`,
      namespace: metadata.namespace,
      cause: 'release_failed',
      sentence: `Revision ${quote(version)} of the Helm release ${named(name)} ${hangs ? `hangs (${quote(status)}), and no other can be made before that is over` : 'failed'}.`,
      evidence: [`its status is ${quote(status)}`],
      show: null,
      mend: null,
      confidence: 0.5,
    };
  });
}

function revisionOf({ metadata }: { metadata: { labels: Readonly<Record<string, string>> } }): number {
  return Number(metadata.labels.version ?? 0);
}

function ingressClasses(cluster: Cluster): Finding[] {
  return cluster.objects.Ingress.flatMap(({ metadata, spec }): Finding | [] => {
    const wanted = spec.ingressClassName ?? metadata.annotations['kubernetes.io/ingress.class'];
    if (wanted === undefined || !cluster.isMissing('IngressClass', '', wanted)) return [];
    const there = cluster.objects.IngressClass.map((one) => named(one.metadata.name));
    return {
      object: `ingress/${metadata.name}`,
      namespace: metadata.namespace,
      cause: 'ingress_class_missing',
      sentence: `No controller serves the Ingress ${named(metadata.name)}: its class ${named(wanted)} does not exist.`,
      evidence: [`there ${there.length === 1 ? 'is' : 'are'} ${there.join(', ') || 'no IngressClass'}`],
      ...commandsFor('Ingress', metadata),
      explains: spec.rules.flatMap(({ http }) =>
        (http?.paths ?? [])
          .flatMap(({ backend }) => backend?.service?.name ?? [])
          .map((name) => `app/${name}`),
      ),
      confidence: 0.8,
    };
  });
}

/** Fewer times may be a start that settled. */
const OFTEN = 3;
const LATELY_MS = 10 * MINUTE;
/** From this confidence on a check knows what is wrong with an object. */
const KNOWS = 0.5;

/** Warnings that repeat until now, about what no check explains, as Kubernetes words them. */
export function reportedIn(cluster: Cluster, found: readonly Finding[]): Finding[] {
  const known = new Set(
    found
      .filter(({ confidence }) => confidence >= KNOWS)
      .flatMap(({ namespace, object, explains = [] }) =>
        [object, ...explains].map((one) => `${namespace} ${one}`),
      ),
  );
  // Where a check knows something, other words may follow from it.
  const confidence = known.size === 0 ? 0.6 : 0.4;
  const crashing = new Set(found.map(({ namespace, object }) => `${namespace} ${object}`));
  const warnings = cluster.events.filter(
    (event) =>
      event.type === 'Warning' &&
      event.count >= OFTEN &&
      event.message !== '' &&
      cluster.ageOf(event.last) <= LATELY_MS,
  );
  const about = [...Map.groupBy(warnings, ({ on }) => `${on.kind} ${on.namespace} ${on.name}`).values()];
  return about.flatMap((some): Finding | [] => {
    const [newest] = some.toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0) || b.count - a.count);
    const subject = newest && subjectOf(cluster, newest);
    if (newest === undefined || !subject) return [];
    const key = `${subject.namespace} ${subject.object}`;
    // That it is started again and again is what the finding of its crash says, with its last lines.
    if (known.has(key) || (newest.reason === 'BackOff' && crashing.has(key))) return [];
    const { kind, name } = newest.on;
    return {
      ...subject,
      cause: 'reported',
      sentence: `Kubernetes reports of ${quote(kind)} ${named(name)}, ${newest.count} times: ${quote(newest.message)} (${quote(newest.reason)}).`,
      evidence: some
        .filter((one) => one !== newest)
        .slice(-2)
        .map((one) => `${quote(one.reason)}: ${quote(one.message)}`),
      confidence,
    };
  });
}

type Subject = Pick<Finding, 'object' | 'namespace' | 'workload' | 'show' | 'mend'>;

/** What a warning is about; `null` if it is gone, or well by now. */
function subjectOf(cluster: Cluster, { on }: Event): Subject | null {
  if (on.kind === 'Pod') {
    const pod = cluster.podNamed(on.namespace, on.name);
    return pod === null || isWell(pod) ? null : aboutPod(cluster, pod);
  }
  const workload = cluster.ownerOf(on.kind, on.namespace, on.name);
  if (workload !== null) return about(workload);
  const target = cluster.objects.HorizontalPodAutoscaler.find(
    ({ metadata }) =>
      on.kind === 'HorizontalPodAutoscaler' &&
      metadata.name === on.name &&
      metadata.namespace === on.namespace,
  )?.spec.scaleTargetRef;
  const scaled = target?.kind && cluster.ownerOf(target.kind, on.namespace, target.name ?? '');
  if (scaled) return about(scaled);
  return {
    object: `${on.kind.toLowerCase()}/${on.name}`,
    namespace: on.namespace,
    ...commandsFor(on.kind, on),
    mend: null,
  };
}

function isWell(pod: Pod): boolean {
  return statesOf(pod).every(({ state }) => state.ready === true || state.state.terminated?.exitCode === 0);
}
