import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SourceAddress } from '../http.ts';

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
export async function connectionTo(where: string): Promise<SourceAddress> {
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
