import type { Edge } from '../model.ts';
import type { Sampled } from './client.ts';
import { PVC } from './conventions.ts';
import { type Naming, withoutPodSuffix } from './naming.ts';
import { lately } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/** Which pods use which volumes, from kube-state-metrics. */
export const CLAIMS = 'kube_pod_spec_volumes_persistentvolumeclaims_info';
export const CLAIMS_QUERY = `count by (namespace, pod, persistentvolumeclaim) (${lately(CLAIMS)})`;

/**
 * Users of a volume depend on it. If no metric names them, the claim's name may: a StatefulSet calls it
 * `data-ledger-0`.
 */
export function volumeEdges(
  volumes: readonly Labels[],
  claims: readonly Sampled[],
  services: ReadonlySet<string>,
  naming: Naming,
): Edge[] {
  const edges: Edge[] = [];
  for (const labels of volumes) {
    const { namespace = '', persistentvolumeclaim: claim = '' } = labels;
    const volume = naming.service(labels, PVC);
    if (volume === null) continue;
    const users = claims
      .filter(
        ({ labels: { namespace: of, persistentvolumeclaim: name } }) => of === namespace && name === claim,
      )
      .map(({ labels: { pod = '' } }) => withoutPodSuffix(pod));
    const guessed = [...services].filter((name) => withoutPodSuffix(claim).endsWith(`-${name}`));
    const longest = guessed.sort((a, b) => b.length - a.length).slice(0, 1);
    for (const workload of new Set(users.length > 0 ? users : longest)) {
      const caller = naming.service({ workload, namespace }, USER);
      if (caller !== null && caller !== volume) edges.push({ caller, callee: volume });
    }
  }
  return edges;
}

const USER = { labels: ['workload'], namespace: ['namespace'], kind: 'service' } as const;
