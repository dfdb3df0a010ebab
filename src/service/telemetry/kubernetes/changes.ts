import type { Change, Window } from '../model.ts';
import type { Event, ReplicaSet } from './schema.ts';
import { controllerOf, type Workloads } from './workloads.ts';

const REVISION = 'deployment.kubernetes.io/revision';

/** Deploys, recognised by new ReplicaSets of a Deployment, and rollbacks, which scale an old one up again. */
export function changesIn(
  replicaSets: readonly ReplicaSet[],
  events: readonly Event[],
  workloads: Workloads,
  window: Window,
): Change[] {
  const families = Map.groupBy(
    replicaSets.filter(({ metadata }) => controllerOf(metadata)?.kind === 'Deployment'),
    ({ metadata }) => `${metadata.namespace}/${controllerOf(metadata)?.name}`,
  );
  const changes = [...families.values()].flatMap((family) => {
    const ordered = family.toSorted((a, b) => createdAt(a) - createdAt(b));
    return ordered.flatMap((set, i) => {
      const before = ordered[i - 1];
      const deploy = before === undefined ? [] : [deployOf(set, before, workloads)];
      return [...deploy, ...rollbacksTo(set, family, events, workloads)];
    });
  });
  return changes.filter(({ at }) => at >= window.from && at < window.to).sort((a, b) => a.at - b.at);
}

/** When an event was last seen. */
export function seenAt({ lastTimestamp, eventTime, metadata }: Event): number {
  return Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}

function deployOf(set: ReplicaSet, before: ReplicaSet, workloads: Workloads): Change {
  const [now, then] = [imagesOf(set), imagesOf(before)];
  const images = [...now].filter(([name, image]) => then.get(name) !== image);
  const what = images.map(([name, image]) => `${name}: ${then.get(name) ?? 'none'} → ${image}`);
  const version = versionIn(images[0]?.[1] ?? '');
  const name = controllerOf(set.metadata)?.name ?? set.metadata.name;
  return {
    ...common(set, workloads),
    at: createdAt(set),
    // The template changed but no image did: an environment variable, a limit, a configuration's checksum.
    kind: images.length > 0 ? 'deploy' : 'config',
    title:
      images.length > 0
        ? `Deployed ${name}${version === null ? '' : ` ${version}`}`
        : `Changed the pod template of ${name}`,
    version,
    details: what.length > 0 ? what.join('\n') : null,
  };
}

function rollbacksTo(
  set: ReplicaSet,
  family: readonly ReplicaSet[],
  events: readonly Event[],
  workloads: Workloads,
): Change[] {
  const { namespace, name } = set.metadata;
  const deployment = controllerOf(set.metadata)?.name ?? name;
  return (
    events
      .filter(
        ({ reason, message, involvedObject }) =>
          reason === 'ScalingReplicaSet' &&
          involvedObject.namespace === namespace &&
          involvedObject.name === deployment &&
          isFirstScaleUp(message ?? '', name),
      )
      .map(seenAt)
      // If the newest one is scaled up, it had only been scaled to zero.
      .filter((at) => family.some((other) => createdAt(other) > createdAt(set) && createdAt(other) < at))
      .map((at) => {
        const version = versionIn([...imagesOf(set).values()][0] ?? '');
        return {
          ...common(set, workloads),
          at,
          kind: 'deploy',
          title: `Rolled ${deployment} back${version === null ? '' : ` to ${version}`}`,
          version,
          details: null,
        };
      })
  );
}

/** Kubernetes says `to 3 from 0` or `from 0 to 3`, depending on its version. */
function isFirstScaleUp(message: string, set: string): boolean {
  const said = /^Scaled up replica set (\S+) (?:from 0 to \d+|to \d+ from 0)$/u.exec(message);
  return said?.[1] === set;
}

function common({ metadata }: ReplicaSet, workloads: Workloads) {
  const revision = metadata.annotations?.[REVISION];
  return {
    service: workloads.serviceOf('ReplicaSet', metadata.namespace, metadata.name),
    ref: revision === undefined ? metadata.name : `revision ${revision}`,
    url: null,
  };
}

function createdAt({ metadata }: ReplicaSet): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}

function imagesOf({ spec }: ReplicaSet): Map<string, string> {
  return new Map(spec.template.spec.containers.map(({ name, image }) => [name, image ?? '']));
}

/** The tag of an image, without its digest. */
function versionIn(image: string): string | null {
  return /:([\w][\w.-]*)(?:@|$)/u.exec(image.slice(image.lastIndexOf('/') + 1))?.[1] ?? null;
}
