import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Budget } from '../telemetry/budget.ts';
import { askJson, createSourceClient, type SourceAddress, type SourceClient } from '../telemetry/http.ts';
import { known, type Reading, unknown } from '../telemetry/model.ts';
import { addObject, noObjects, type Objects } from './cluster.ts';
import type { Kind, ObjectOf } from './model.ts';

/** Where the objects of each kind are listed, of all namespaces. */
const PATHS: Readonly<Record<Kind, string>> = {
  Pod: '/api/v1/pods',
  Event: '/api/v1/events',
  Service: '/api/v1/services',
  Node: '/api/v1/nodes',
  PersistentVolume: '/api/v1/persistentvolumes',
  PersistentVolumeClaim: '/api/v1/persistentvolumeclaims',
  ResourceQuota: '/api/v1/resourcequotas',
  ServiceAccount: '/api/v1/serviceaccounts',
  ConfigMap: '/api/v1/configmaps',
  Secret: '/api/v1/secrets',
  Endpoints: '/api/v1/endpoints',
  Deployment: '/apis/apps/v1/deployments',
  StatefulSet: '/apis/apps/v1/statefulsets',
  DaemonSet: '/apis/apps/v1/daemonsets',
  ReplicaSet: '/apis/apps/v1/replicasets',
  Job: '/apis/batch/v1/jobs',
  CronJob: '/apis/batch/v1/cronjobs',
  EndpointSlice: '/apis/discovery.k8s.io/v1/endpointslices',
  Ingress: '/apis/networking.k8s.io/v1/ingresses',
  IngressClass: '/apis/networking.k8s.io/v1/ingressclasses',
  NetworkPolicy: '/apis/networking.k8s.io/v1/networkpolicies',
  StorageClass: '/apis/storage.k8s.io/v1/storageclasses',
  HorizontalPodAutoscaler: '/apis/autoscaling/v2/horizontalpodautoscalers',
  PodDisruptionBudget: '/apis/policy/v1/poddisruptionbudgets',
  HelmRelease: '/apis/helm.toolkit.fluxcd.io/v2/helmreleases',
  Kustomization: '/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations',
};

/** The kinds that are read of a live cluster. Endpoints are what EndpointSlices were before. */
export const LIVE_KINDS = Object.keys(PATHS).filter((kind): kind is Kind => kind !== 'Endpoints');

/** Kinds that a cluster has only where something installs them. */
const INSTALLED: ReadonlySet<Kind> = new Set(['HelmRelease', 'Kustomization']);

/**
 * Of these the API server sends names and labels only, so that no value of a Secret or ConfigMap ever reaches this
 * process. What a missing key does is said by the kubelet.
 */
const METADATA_ONLY: ReadonlySet<Kind> = new Set(['Secret', 'ConfigMap']);
const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

const PAGE = '250';
/** 25,000 objects of a kind. */
const MOST_PAGES = 100;

const Page = z.looseObject({
  metadata: z.looseObject({ continue: z.string().nullish() }).nullish(),
  items: z.array(z.unknown()),
});

/**
 * The API server, by plain requests: the official client library brings 40 packages and a client for every API, and
 * what is needed here is a list.
 */
export interface KubernetesClient {
  /** All objects of a kind. What may not be listed is unknown, what was read only in part has a caveat. */
  list<K extends Kind>(kind: K, budget: Budget): Promise<Reading<ObjectOf<K>[]>>;
  close(): Promise<void>;
}

export function createKubernetesClient(where: string): KubernetesClient {
  let connection: { address: SourceAddress; http: SourceClient } | null = null;

  /** Connects when first needed, and retries after a failure. */
  async function connect() {
    if (connection) return connection;
    const address = await connectionTo(where);
    connection ??= { address, http: createSourceClient(address) };
    return connection;
  }

  return {
    list: async (kind, budget) => {
      try {
        return await readAll(await connect(), kind, budget);
      } catch (error) {
        return unknown(error instanceof Error ? error.message : String(error));
      }
    },
    close: async () => {
      await connection?.http.close();
    },
  };
}

/** The first page may come from the server's cache, which spares its database and may ignore the limit. */
const CACHED = [['resourceVersion', '0']] as const;

async function readAll<K extends Kind>(
  source: { address: SourceAddress; http: SourceClient },
  kind: K,
  budget: Budget,
): Promise<Reading<ObjectOf<K>[]>> {
  let objects: Objects = noObjects();
  let next = '';
  let cached = true;
  let restarted = false;
  const all = (): ObjectOf<K>[] => objects[kind];
  const headers = METADATA_ONLY.has(kind) ? { accept: METADATA } : {};
  for (let page = 0; page < MOST_PAGES; page++) {
    const place = next === '' ? (cached ? CACHED : []) : [['continue', next] as const];
    const parameters = [['limit', PAGE] as const, ...place];
    const reading = await askJson(source, { path: PATHS[kind], parameters, headers }, Page, budget);
    const message = reading.known ? reading.caveats.join(' ') : reading.reason;
    // All at once was too much: page by page it is not.
    if (cached && next === '' && /more than \d+ MiB/u.test(message)) {
      cached = false;
      continue;
    }
    // The list has changed too much since its first page: once more from the start.
    if (!reading.known && next !== '' && /\(?\b410\b/u.test(message) && !restarted) {
      restarted = true;
      objects = noObjects();
      next = '';
      continue;
    }
    if (!reading.known && INSTALLED.has(kind) && message.includes('404')) return known([]);
    if (!reading.known) {
      const reason = /\(403\)/u.test(message) ? notAllowed(kind) : message;
      return all().length === 0 ? unknown(reason) : known(all(), [reason]);
    }
    // As soon as they are here they are cut down to what the checks look at.
    for (const item of reading.value.items) addObject(objects, kind, item);
    next = reading.value.metadata?.continue ?? '';
    if (next === '') return known(all());
  }
  return known(all(), [
    `Kubernetes has more than ${all().length} objects at ${PATHS[kind]}: the rest was not read.`,
  ]);
}

function notAllowed(kind: Kind): string {
  const resource = PATHS[kind].slice(PATHS[kind].lastIndexOf('/') + 1);
  return `Kubernetes does not allow to list ${resource} (403): grant \`list\` on ${resource} in all namespaces to the account of KUBERNETES, or do without what they would show.`;
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
