import type { Clock } from '../../lib/clock.ts';
import { loopingApps } from '../kubernetes/checks/running.ts';
import { createKubernetesClient, LIVE_KINDS } from '../kubernetes/client.ts';
import { append, clusterOf, noObjects } from '../kubernetes/cluster.ts';
import { explain } from '../kubernetes/explain.ts';
import { inventoryOf } from '../kubernetes/inventory.ts';
import type { Event, Kind, ObjectOf, Pod } from '../kubernetes/model.ts';
import { releasesIn } from '../kubernetes/releases.ts';
import type { Budget } from './budget.ts';
import { partialSource } from './combined.ts';
import {
  type Change,
  known,
  type LogLine,
  mapped,
  type Reading,
  type Service,
  type StateFinding,
  type Window,
  type Workload,
} from './model.ts';
import { healthBy, oncePerBudget, type TelemetrySource } from './source.ts';
import { isName, rolloutUndo } from './undo.ts';

type ReplicaSet = ObjectOf<'ReplicaSet'>;

const NAME = 'kubernetes';
/** As many workloads that keep crashing have their last lines read. */
const MOST_LOOPING = 8;

/**
 * A Kubernetes cluster, read only: workloads, deploys and rollbacks from their ReplicaSets, warnings and killed
 * containers as log lines, and what is wrong with its own state.
 */
export function createKubernetesSource(
  where: string,
  { clock }: { clock: Clock },
): TelemetrySource & { close(): Promise<void> } {
  const client = createKubernetesClient(where);

  const readOnce = oncePerBudget(async (_key, budget): Promise<Reading<Read>> => {
    const [replicaSets, pods, events] = await Promise.all([
      client.list('ReplicaSet', budget),
      client.list('Pod', budget),
      client.list('Event', budget),
    ]);
    if (!replicaSets.known && !pods.known) return replicaSets;
    const sets = replicaSets.known ? replicaSets.value : [];
    const running = pods.known ? pods.value : [];
    return known(
      {
        replicaSets: sets,
        pods: running,
        events: events.known ? events.value : [],
        workloads: workloadsOf(sets, running),
        complete: { ReplicaSet: isComplete(replicaSets), Pod: isComplete(pods), Event: isComplete(events) },
      },
      [replicaSets, pods, events].flatMap((reading) => (reading.known ? reading.caveats : [reading.reason])),
    );
  });
  const read = (budget: Budget) => readOnce('', budget);

  /** Everything else that the checks look at; what may not be read, they do without. */
  const judging = oncePerBudget(async (_key, budget): Promise<Reading<Judged>> => {
    const reading = await read(budget);
    if (!reading.known) return reading;
    const { replicaSets, pods, events, complete } = reading.value;
    const objects = { ...noObjects(), ReplicaSet: replicaSets, Pod: pods, Event: events };
    const complained = [...reading.caveats];
    const all = new Set<Kind>((['ReplicaSet', 'Pod', 'Event'] as const).filter((kind) => complete[kind]));
    const fill = async <K extends Kind>(kind: K) => {
      const listed = await client.list(kind, budget);
      if (listed.known) append(objects, kind, listed.value);
      if (isComplete(listed)) all.add(kind);
      complained.push(...(listed.known ? listed.caveats : [listed.reason]));
    };
    await Promise.all(LIVE_KINDS.filter((kind) => !(kind in complete)).map(fill));
    return known({ objects, read: all, workloads: reading.value.workloads }, complained);
  });

  async function stateOf(
    _window: Window,
    budget: Budget,
    linesOf: (service: string) => Promise<readonly string[]>,
  ): Promise<Reading<StateFinding[]>> {
    const reading = await judging('', budget);
    if (!reading.known) return reading;
    const { objects, read: complete, workloads } = reading.value;
    const snapshot = {
      at: clock.now(),
      objects,
      read: complete,
      metrics: null,
      alerts: [],
    };
    const looping = loopingApps(clusterOf({ ...snapshot, logs: new Map() })).slice(0, MOST_LOOPING);
    // What the cluster says of a program are not its own last words.
    const said = { events: objects.Event, pods: objects.Pod, workloads };
    const own = new Set([...warningsIn(said), ...killedIn(said)].map(({ message }) => message));
    const logs = await Promise.all(
      looping.map(async ({ app, kind, namespace, name, pod }) => {
        const of = async (service: string) => (await linesOf(service)).filter((line) => !own.has(line));
        const lines = await of(workloads.serviceOf(kind, namespace, name) ?? name);
        // Some stores file them under the pod.
        return [app, lines.length > 0 || pod === name ? lines : await of(pod)] as const;
      }),
    );
    return known(explain({ ...snapshot, logs: new Map(logs) }), reading.caveats);
  }

  return {
    ...partialSource({
      name: NAME,
      services: async (_window, budget) => {
        return mapped(await read(budget), ({ workloads }) => [...workloads.services]);
      },
      logs: async (service, window, budget) => {
        return mapped(await read(budget), (cluster) =>
          [...warningsIn(cluster), ...killedIn(cluster)]
            .filter((line) => service === null || line.service === service)
            .filter(({ at }) => at >= window.from && at < window.to)
            .sort((a, b) => a.at - b.at),
        );
      },
      changes: async (window, budget) => {
        const reading = await read(budget);
        if (!reading.known) return reading;
        const { replicaSets, events, workloads } = reading.value;
        const [secrets, helm, applied] = await Promise.all([
          client.list('Secret', budget),
          client.list('HelmRelease', budget),
          client.list('Kustomization', budget),
        ]);
        // What may not be listed is said with the cluster's state.
        const released = releasesIn(
          {
            Secret: secrets.known ? secrets.value : [],
            HelmRelease: helm.known ? helm.value : [],
            Kustomization: applied.known ? applied.value : [],
          },
          { ofRelease: workloads.serviceOfRelease, ofWorkload: workloads.serviceOf },
        ).filter(({ at }) => at >= window.from && at < window.to);
        const deploys = changesIn(replicaSets, events, workloads, window);
        return known(withReleases(deploys, released), reading.caveats);
      },
      state: stateOf,
      objects: async (_window, budget) => {
        return mapped(await judging('', budget), ({ objects }) => inventoryOf(objects));
      },
      check: async (budget) => {
        const reading = await read(budget);
        return healthBy(NAME, reading, ({ pods, workloads, replicaSets, events }) => {
          const recent = { from: clock.now() - 24 * 3_600_000, to: clock.now() };
          const changes = changesIn(replicaSets, events, workloads, recent);
          return {
            summary: `Kubernetes answers: ${workloads.services.length} workloads, ${pods.length} pods, ${changes.length} deploys within a day.`,
            ...(reading.known && { details: reading.caveats }),
          };
        });
      },
    }),
    close: () => client.close(),
  };
}

/** A rollout begins so soon after its release, which is the same change then. */
const SAME_MS = 5 * 60_000;

/** What is released and rolls out is one change; what no ReplicaSet shows (a StatefulSet, a ConfigMap) is one of its own. */
function withReleases(deploys: readonly Change[], released: readonly Change[]): Change[] {
  const isSeen = (release: Change) =>
    deploys.some(({ service, at }) => service === release.service && Math.abs(at - release.at) <= SAME_MS);
  return [...deploys, ...released.filter((release) => !isSeen(release))].sort((a, b) => a.at - b.at);
}

interface Read {
  replicaSets: ReplicaSet[];
  pods: Pod[];
  events: Event[];
  workloads: Workloads;
  complete: { ReplicaSet: boolean; Pod: boolean; Event: boolean };
}

interface Judged {
  objects: ReturnType<typeof noObjects>;
  read: ReadonlySet<Kind>;
  workloads: Workloads;
}

function isComplete(reading: Reading<unknown>): boolean {
  return reading.known && reading.caveats.length === 0;
}

function warningsIn({ events, workloads }: Pick<Read, 'events' | 'workloads'>): LogLine[] {
  return events.flatMap((event) => {
    const { kind, namespace, name } = event.on;
    const service = workloads.serviceOf(kind, namespace, name);
    if (event.type !== 'Warning' || service === null || event.last === null) return [];
    return [
      {
        at: event.last,
        service,
        instance: kind === 'Pod' ? name : null,
        level: 'warn',
        message: `${event.reason || 'Warning'}: ${event.message}`,
        traceId: null,
        reporter: NAME,
      },
    ];
  });
}

function killedIn({ pods, workloads }: Pick<Read, 'pods' | 'workloads'>): LogLine[] {
  return pods.flatMap(({ metadata, status }) =>
    status.containerStatuses.flatMap(({ name, restartCount, lastState }) => {
      const ended = lastState.terminated;
      const service = workloads.serviceOf('Pod', metadata.namespace, metadata.name);
      const at = ended?.finishedAt ?? null;
      if (!ended || ended.exitCode === 0 || service === null || at === null) return [];
      return [
        {
          at,
          service,
          instance: metadata.name,
          level: 'error',
          message: `Container ${name} terminated: ${ended.reason ?? 'Error'} (exit code ${ended.exitCode ?? 'unknown'}), restarted ${restartCount} times`,
          traceId: null,
          reporter: NAME,
        },
      ];
    }),
  );
}

const NAME_LABELS = ['app.kubernetes.io/name', 'app', 'k8s-app', 'service', 'app.kubernetes.io/instance'];

interface Workloads {
  services: readonly Service[];
  /** The service of a pod, a ReplicaSet or a workload, by kind, namespace and name. */
  serviceOf(kind: string, namespace: string, name: string): string | null;
  /** The one service that Helm released so; `null` where there are several. */
  serviceOfRelease(namespace: string, release: string): string | null;
}

function workloadsOf(replicaSets: readonly ReplicaSet[], pods: readonly Pod[]): Workloads {
  const services = new Map<string, Service>();
  const byObject = new Map<string, string>();

  const add = (workload: Workload, labels: Readonly<Record<string, string>>): string => {
    const taken = services.get(workload.name);
    const isTaken = taken !== undefined && taken.workload?.namespace !== workload.namespace;
    // Workloads in two namespaces may have the same name.
    const name = isTaken ? `${workload.namespace}/${workload.name}` : workload.name;
    const before = services.get(name);
    const aliases = NAME_LABELS.flatMap((label) => labels[label] ?? []);
    services.set(name, {
      name,
      kind: before?.kind ?? 'unknown',
      aliases: [...new Set([...(before?.aliases ?? []), ...aliases])].filter((alias) => alias !== name),
      workload,
    });
    byObject.set(keyOf(workload.kind, workload.namespace, workload.name), name);
    return name;
  };

  for (const { metadata } of replicaSets) {
    const { namespace, name, labels } = metadata;
    const owner = controllerOf(metadata);
    const workload = owner ?? { kind: 'ReplicaSet', name };
    byObject.set(
      keyOf('ReplicaSet', namespace, name),
      add({ namespace, kind: workload.kind, name: workload.name }, labels),
    );
  }
  for (const { metadata } of pods) {
    const { namespace, name, labels } = metadata;
    const owner = controllerOf(metadata);
    if (owner === null) continue;
    const service =
      byObject.get(keyOf(owner.kind, namespace, owner.name)) ??
      add({ namespace, kind: owner.kind, name: owner.name }, labels);
    byObject.set(keyOf('Pod', namespace, name), service);
  }
  return {
    services: [...services.values()],
    serviceOf: (kind, namespace, name) => byObject.get(keyOf(kind, namespace, name)) ?? null,
    serviceOfRelease: (namespace, release) => {
      const named = [...services.values()].filter(
        ({ name, aliases = [], workload }) =>
          workload?.namespace === namespace && (name === release || aliases.includes(release)),
      );
      return named.length === 1 ? (named[0]?.name ?? null) : null;
    },
  };
}

function controllerOf({ ownerReferences }: Pod['metadata']): { kind: string; name: string } | null {
  return ownerReferences.find(({ controller }) => controller !== false) ?? null;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace} ${name}`;
}

const REVISION = 'deployment.kubernetes.io/revision';

/** Deploys, recognized by new ReplicaSets of a Deployment, and rollbacks, which scale an old one up again. */
function changesIn(
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
      const deploy =
        before === undefined ? [] : [{ ...deployOf(set, before, workloads), ...undoOfDeploy(set, family) }];
      return [...deploy, ...rollbacksTo(set, family, events, workloads)];
    });
  });
  return changes.filter(({ at }) => at >= window.from && at < window.to).sort((a, b) => a.at - b.at);
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
        ({ reason, message, on }) =>
          reason === 'ScalingReplicaSet' &&
          on.namespace === namespace &&
          on.name === deployment &&
          isFirstScaleUp(message, name),
      )
      .flatMap(({ last }) => last ?? [])
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

/** A revision that was replaced within this time may never have run. */
const SETTLED_MS = 10 * 60_000;

/** The revision that ran before the newest, and the command that goes back to it. */
function undoOfDeploy(set: ReplicaSet, family: readonly ReplicaSet[]): Pick<Change, 'before' | 'undo'> {
  const [newest, ran] = family
    .filter((one) => revisionOf(one) !== null)
    .toSorted((a, b) => (revisionOf(b) ?? 0) - (revisionOf(a) ?? 0));
  const revision = ran === undefined ? null : revisionOf(ran);
  // Older changes have been replaced or taken back since.
  if (newest !== set || ran === undefined || revision === null) return {};
  if (createdAt(set) - createdAt(ran) < SETTLED_MS) return {};
  const { namespace } = set.metadata;
  const name = controllerOf(set.metadata)?.name ?? '';
  const undo = rolloutUndo({ namespace, kind: 'Deployment', name }, revision);
  const note = managerOf(set);
  return {
    before: versionIn([...imagesOf(ran).values()][0] ?? ''),
    undo: undo && note !== null ? { ...undo, note } : undo,
  };
}

function revisionOf({ metadata }: ReplicaSet): number | null {
  const revision = metadata.annotations[REVISION] ?? '';
  return /^[1-9]\d{0,8}$/u.test(revision) ? Number(revision) : null;
}

/** Who deploys it, according to the Deployment's annotations, which its ReplicaSets have too. */
function managerOf({ metadata: { annotations, namespace } }: ReplicaSet): string | null {
  if (annotations['argocd.argoproj.io/tracking-id'] !== undefined)
    return 'Argo CD deploys it, and syncs the new version again while automatic sync is on.';
  const release = annotations['meta.helm.sh/release-name'] ?? '';
  const where = annotations['meta.helm.sh/release-namespace'] ?? namespace;
  if (!isName(release) || !isName(where)) return null;
  return `Helm deploys it: roll the release back as well (\`helm -n ${where} history ${release}\` lists what ran).`;
}

/** Kubernetes says `to 3 from 0` or `from 0 to 3`, depending on its version. */
function isFirstScaleUp(message: string, set: string): boolean {
  const match = /^Scaled up replica set (\S+) (?:from 0 to \d+|to \d+ from 0)$/u.exec(message);
  return match?.[1] === set;
}

function common({ metadata }: ReplicaSet, workloads: Workloads) {
  const revision = metadata.annotations[REVISION];
  return {
    service: workloads.serviceOf('ReplicaSet', metadata.namespace, metadata.name),
    ref: revision === undefined ? metadata.name : `revision ${revision}`,
    url: null,
  };
}

function createdAt({ metadata }: ReplicaSet): number {
  return metadata.creationTimestamp ?? Number.NaN;
}

function imagesOf({ spec }: ReplicaSet): Map<string, string> {
  return new Map(spec.template.spec.containers.map(({ name, image }) => [name, image ?? '']));
}

/** The tag of an image, without its digest. */
function versionIn(image: string): string | null {
  return /:([\w][\w.-]*)(?:@|$)/u.exec(image.slice(image.lastIndexOf('/') + 1))?.[1] ?? null;
}
