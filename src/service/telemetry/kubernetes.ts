import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import { partialSource } from './combined.ts';
import { askJson, createSourceClient, type SourceAddress, type SourceClient } from './http.ts';
import {
  type Answer,
  type Change,
  known,
  type LogLine,
  type Service,
  unknown,
  type Window,
  type Workload,
} from './model.ts';
import { oncePerBudget, type TelemetrySource } from './source.ts';

const NAME = 'kubernetes';
const PAGE = '500';
const MOST_PAGES = 10;

/**
 * A Kubernetes cluster, read only: workloads, deploys and rollbacks from their ReplicaSets, and warnings and killed
 * containers as log lines. Lists ReplicaSets, Pods and Events of all namespaces, nothing else.
 */
export function createKubernetesSource(
  where: string,
  { clock }: { clock: Clock },
): TelemetrySource & { close(): Promise<void> } {
  let connection: Connection | null = null;

  /** Connects when first needed, and retries after a failure. */
  async function connect(): Promise<Connection> {
    if (connection) return connection;
    const address = await connectionTo(where);
    connection ??= { address, http: createSourceClient(address) };
    return connection;
  }

  async function list<T>(path: string, item: z.ZodType<T>, budget: Budget): Promise<Answer<T[]>> {
    let source: Connection;
    try {
      source = await connect();
    } catch (error) {
      return unknown(error instanceof Error ? error.message : String(error));
    }
    const items: T[] = [];
    let next = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const parameters = [['limit', PAGE], ...(next === '' ? [] : [['continue', next] as const])] as const;
      const answer = await askJson(source, { path, parameters }, listOf(item), budget);
      if (!answer.known) return items.length === 0 ? answer : known(items, [answer.reason]);
      items.push(...answer.value.items);
      next = answer.value.metadata?.continue ?? '';
      if (next === '') return known(items);
    }
    return known(items, [
      `Kubernetes has more than ${items.length} objects at ${path}: the rest was not read.`,
    ]);
  }

  const reading = oncePerBudget(async (_key, budget): Promise<Answer<Cluster>> => {
    const [replicaSets, pods, events] = await Promise.all([
      list('/apis/apps/v1/replicasets', ReplicaSet, budget),
      list('/api/v1/pods', Pod, budget),
      list('/api/v1/events', Event, budget),
    ]);
    if (!replicaSets.known && !pods.known) return replicaSets;
    const answers = [replicaSets, pods, events];
    const sets = replicaSets.known ? replicaSets.value : [];
    const running = pods.known ? pods.value : [];
    return known(
      {
        replicaSets: sets,
        pods: running,
        events: events.known ? events.value : [],
        workloads: workloadsOf(sets, running),
      },
      answers.flatMap((answer) => (answer.known ? answer.caveats : [answer.reason])),
    );
  });
  const read = (budget: Budget) => reading('', budget);

  return {
    ...partialSource({
      name: NAME,
      services: async (_window, budget) => {
        const answer = await read(budget);
        return answer.known ? known([...answer.value.workloads.services], answer.caveats) : answer;
      },
      logs: async (service, window, budget) => {
        const answer = await read(budget);
        if (!answer.known) return answer;
        return known(
          [...warningsIn(answer.value), ...killedIn(answer.value)]
            .filter((line) => service === null || line.service === service)
            .filter(({ at }) => at >= window.from && at < window.to)
            .sort((a, b) => a.at - b.at),
          answer.caveats,
        );
      },
      changes: async (window, budget) => {
        const answer = await read(budget);
        if (!answer.known) return answer;
        const { replicaSets, events, workloads } = answer.value;
        return known(changesIn(replicaSets, events, workloads, window), answer.caveats);
      },
      check: async (budget) => {
        const answer = await read(budget);
        if (!answer.known) return { name: NAME, ok: false, summary: answer.reason, details: [] };
        const { pods, workloads, replicaSets, events } = answer.value;
        const recent = { from: clock.now() - 24 * 3_600_000, to: clock.now() };
        const changes = changesIn(replicaSets, events, workloads, recent);
        return {
          name: NAME,
          ok: true,
          summary: `Kubernetes answers: ${workloads.services.length} workloads, ${pods.length} pods, ${changes.length} deploys within a day.`,
          details: answer.caveats,
        };
      },
    }),
    close: async () => {
      await connection?.http.close();
    },
  };
}

interface Connection {
  address: SourceAddress;
  http: SourceClient;
}

interface Cluster {
  replicaSets: ReplicaSet[];
  pods: Pod[];
  events: Event[];
  workloads: Workloads;
}

function warningsIn({ events, workloads }: Cluster): LogLine[] {
  return events.flatMap((event) => {
    const { kind, namespace, name } = event.involvedObject;
    const service = workloads.serviceOf(kind, namespace, name);
    if (event.type !== 'Warning' || service === null) return [];
    return [
      {
        at: seenAt(event),
        service,
        instance: kind === 'Pod' ? name : null,
        level: 'warn',
        message: `${event.reason ?? 'Warning'}: ${event.message ?? ''}`,
        traceId: null,
      },
    ];
  });
}

function killedIn({ pods, workloads }: Cluster): LogLine[] {
  return pods.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? []).flatMap(({ name, restartCount, lastState }) => {
      const ended = lastState?.terminated;
      const service = workloads.serviceOf('Pod', metadata.namespace, metadata.name);
      const at = Date.parse(ended?.finishedAt ?? '');
      if (!ended || ended.exitCode === 0 || service === null || Number.isNaN(at)) return [];
      return [
        {
          at,
          service,
          instance: metadata.name,
          level: 'error',
          message: `Container ${name} terminated: ${ended.reason ?? 'Error'} (exit code ${ended.exitCode ?? 'unknown'}), restarted ${restartCount} times`,
          traceId: null,
        },
      ];
    }),
  );
}

/** The mounted files a pod needs to reach its cluster's API server. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const IN_CLUSTER = 'https://kubernetes.default.svc';

const Kubeconfig = z.looseObject({
  'current-context': z.string().optional(),
  contexts: z.array(
    z.looseObject({ name: z.string(), context: z.looseObject({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.looseObject({
      name: z.string(),
      cluster: z.looseObject({
        server: z.url(),
        'certificate-authority': z.string().optional(),
        'certificate-authority-data': z.string().optional(),
      }),
    }),
  ),
  users: z.array(
    z.looseObject({
      name: z.string(),
      user: z.looseObject({
        token: z.string().optional(),
        tokenFile: z.string().optional(),
        'client-certificate': z.string().optional(),
        'client-certificate-data': z.string().optional(),
        'client-key': z.string().optional(),
        'client-key-data': z.string().optional(),
        exec: z.unknown().optional(),
      }),
    }),
  ),
});

/**
 * How to reach the API server: `in-cluster`, or by the current context of a kubeconfig. Rejects with a sentence if that
 * is unreadable.
 */
async function connectionTo(where: string): Promise<SourceAddress> {
  return where === 'in-cluster' ? inCluster() : fromKubeconfig(where);
}

const NAMES = {
  title: 'Kubernetes',
  variable: 'KUBERNETES',
  location: 'KUBERNETES',
  credentials: 'that the account may list replicasets, pods and events in all namespaces',
};

async function inCluster(): Promise<SourceAddress> {
  const ca = await readFile(`${ACCOUNT}/ca.crt`, 'utf8').catch(() => {
    throw new Error(
      `KUBERNETES=in-cluster needs a pod with a service account, and there is none (${ACCOUNT}): set KUBERNETES to the path of a kubeconfig elsewhere.`,
    );
  });
  return {
    ...NAMES,
    url: IN_CLUSTER,
    // Kubernetes rotates it.
    readToken: async () => (await readFile(`${ACCOUNT}/token`, 'utf8')).trim(),
    tls: { ca },
  };
}

async function fromKubeconfig(path: string): Promise<SourceAddress> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`The kubeconfig that KUBERNETES names cannot be read (${path}).`);
  });
  const parsed = Kubeconfig.safeParse(yamlIn(text));
  if (!parsed.success) throw new Error(`The file that KUBERNETES names is no kubeconfig (${path}).`);
  const { contexts, clusters, users, 'current-context': current } = parsed.data;
  const context = contexts.find(({ name }) => name === current) ?? contexts[0];
  const cluster = clusters.find(({ name }) => name === context?.context.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.context.user)?.user;
  if (!cluster || !user)
    throw new Error(`The current context of the kubeconfig has no cluster or no user (${path}).`);
  const inFile = async (data: string | undefined, file: string | undefined) =>
    data !== undefined
      ? Buffer.from(data, 'base64').toString('utf8')
      : file === undefined
        ? undefined
        : readFile(resolve(dirname(path), file), 'utf8').catch(() => {
            throw new Error(`A file that the kubeconfig names cannot be read (${file}).`);
          });
  const ca = await inFile(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const cert = await inFile(user['client-certificate-data'], user['client-certificate']);
  const key = await inFile(user['client-key-data'], user['client-key']);
  const { token, tokenFile } = user;
  if (token === undefined && tokenFile === undefined && cert === undefined && user.exec !== undefined)
    throw new Error(
      `The kubeconfig logs in with a command, which is not run (${path}): use the token of a service account.`,
    );
  return {
    ...NAMES,
    url: cluster.server,
    token,
    ...(token === undefined &&
      tokenFile !== undefined && {
        readToken: async () => (await readFile(resolve(dirname(path), tokenFile), 'utf8')).trim(),
      }),
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
  };
}

function yamlIn(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The parts that are read of the API server's answers. */
const Owners = z.array(
  z.looseObject({ kind: z.string(), name: z.string(), controller: z.boolean().optional() }),
);
const Texts = z.record(z.string(), z.string());

const Metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().default('default'),
  creationTimestamp: z.string().nullish(),
  labels: Texts.nullish(),
  annotations: Texts.nullish(),
  ownerReferences: Owners.nullish(),
});
const Page = z.looseObject({ continue: z.string().nullish() });

const PodSpec = z.looseObject({
  containers: z.array(z.looseObject({ name: z.string(), image: z.string().optional() })),
});

const ReplicaSet = z.looseObject({
  metadata: Metadata,
  spec: z.looseObject({ template: z.looseObject({ spec: PodSpec }) }),
});

const Pod = z.looseObject({
  metadata: Metadata,
  status: z
    .looseObject({
      containerStatuses: z
        .array(
          z.looseObject({
            name: z.string(),
            restartCount: z.number().default(0),
            lastState: z
              .looseObject({
                terminated: z
                  .looseObject({
                    reason: z.string().nullish(),
                    exitCode: z.number().nullish(),
                    finishedAt: z.string().nullish(),
                  })
                  .nullish(),
              })
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

const Event = z.looseObject({
  metadata: Metadata,
  involvedObject: z.looseObject({
    kind: z.string(),
    name: z.string(),
    namespace: z.string().default('default'),
  }),
  type: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  count: z.number().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
});

function listOf<T>(item: z.ZodType<T>) {
  return z.looseObject({ metadata: Page.nullish(), items: z.array(item) });
}

type ReplicaSet = z.infer<typeof ReplicaSet>;
type Pod = z.infer<typeof Pod>;
type Event = z.infer<typeof Event>;

const NAME_LABELS = ['app.kubernetes.io/name', 'app', 'k8s-app', 'service', 'app.kubernetes.io/instance'];

/** Maps cluster objects to their workloads. */
interface Workloads {
  services: readonly Service[];
  /** The service of a pod, a ReplicaSet or a workload, by kind, namespace and name. */
  serviceOf(kind: string, namespace: string, name: string): string | null;
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
      add({ namespace, kind: workload.kind, name: workload.name }, labels ?? {}),
    );
  }
  for (const { metadata } of pods) {
    const { namespace, name, labels } = metadata;
    const owner = controllerOf(metadata);
    if (owner === null) continue;
    const service =
      byObject.get(keyOf(owner.kind, namespace, owner.name)) ??
      add({ namespace, kind: owner.kind, name: owner.name }, labels ?? {});
    byObject.set(keyOf('Pod', namespace, name), service);
  }
  return {
    services: [...services.values()],
    serviceOf: (kind, namespace, name) => byObject.get(keyOf(kind, namespace, name)) ?? null,
  };
}

/** The controller that owns an object. */
function controllerOf({ ownerReferences }: Pod['metadata']): { kind: string; name: string } | null {
  return ownerReferences?.find(({ controller }) => controller !== false) ?? null;
}

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace} ${name}`;
}

const REVISION = 'deployment.kubernetes.io/revision';

/** Deploys, recognised by new ReplicaSets of a Deployment, and rollbacks, which scale an old one up again. */
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
      const deploy = before === undefined ? [] : [deployOf(set, before, workloads)];
      return [...deploy, ...rollbacksTo(set, family, events, workloads)];
    });
  });
  return changes.filter(({ at }) => at >= window.from && at < window.to).sort((a, b) => a.at - b.at);
}

/** When an event was last seen. */
function seenAt({ lastTimestamp, eventTime, metadata }: Event): number {
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
