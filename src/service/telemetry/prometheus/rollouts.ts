import type { Budget } from '../budget.ts';
import type { Change, Edge, Window } from '../model.ts';
import type { PrometheusClient, Sampled } from './client.ts';
import { PVC } from './conventions.ts';
import { type Naming, scrapedIdentity, withoutPodSuffix } from './naming.ts';
import { grouping, lately, reported, SCRAPED } from './promql.ts';

interface Question {
  client: Pick<PrometheusClient, 'query' | 'queryRange'>;
  names: ReadonlySet<string>;
  naming: Naming;
  window: Window;
  stepMs: number;
  budget: Budget;
}

/** Rollouts according to Kubernetes' state and version metrics, oldest first, with the reasons for failed queries. */
export async function rolloutsIn(question: Question): Promise<{ changes: Change[]; reasons: string[] }> {
  const answers = await Promise.all([replicaSets(question), images(question), versions(question)]);
  const changes = answers.flatMap((answer) => answer.changes);
  return {
    // A rollout shows as a new ReplicaSet and as a new image within a few minutes: report it once.
    changes: changes
      .sort((a, b) => a.at - b.at)
      .filter((one, i, all) => {
        const twin = all.find(
          (other, j) =>
            j !== i && other.service === one.service && Math.abs(other.at - one.at) <= SAME_ROLLOUT,
        );
        return twin === undefined || one.version !== null || (twin.version === null && all.indexOf(twin) > i);
      }),
    reasons: answers.flatMap(({ reason }) => reason ?? []),
  };
}

interface Found {
  changes: Change[];
  reason?: string;
}

const SAME_ROLLOUT = 5 * 60_000;

async function replicaSets({ client, names, naming, window, budget }: Question): Promise<Found> {
  const created = 'kube_replicaset_created';
  if (!names.has(created)) return { changes: [] };
  const running = names.has('kube_replicaset_spec_replicas')
    ? ` and on (namespace, replicaset) (${reported(lately('kube_replicaset_spec_replicas'))} > 0)`
    : '';
  const answer = await client.query(`${reported(lately(created))}${running}`, window.to - 1, budget);
  if (!answer.known) return { changes: [], reason: answer.reason };
  return {
    changes: answer.value.flatMap(({ labels, points }) => {
      const at = (points.values[0] ?? 0) * 1000;
      const deployment = (labels.replicaset ?? '').replace(/-[0-9a-z]+$/u, '');
      const service = serviceOf(naming, deployment, labels.namespace ?? '');
      return within(at, window) && deployment !== ''
        ? [changeOf(at, service, `Rollout of ${deployment} (ReplicaSet ${labels.replicaset})`, null)]
        : [];
    }),
  };
}

async function images({ client, names, naming, window, stepMs, budget }: Question): Promise<Found> {
  if (!names.has('kube_pod_container_info')) return { changes: [] };
  const expression = `count by (namespace, pod, container, image) (${reported('kube_pod_container_info')})`;
  const answer = await client.queryRange(expression, window, stepMs, budget);
  if (!answer.known) return { changes: [], reason: answer.reason };
  return {
    changes: firstSeen(answer.value, window, stepMs, ({ namespace, pod, container, image }) => ({
      group: `${namespace}/${withoutPodSuffix(pod ?? '')}/${container}`,
      value: image ?? '',
      service: serviceOf(naming, withoutPodSuffix(pod ?? ''), namespace ?? ''),
    })).map(({ at, service, value, before }) => {
      const [tag, ran] = [value, before].map((image) => /:([\w.-]+)$/u.exec(image)?.[1] ?? image);
      return { ...changeOf(at, service, `Deploy ${service} ${tag}`, tag ?? null), before: ran ?? null };
    }),
  };
}

/** `ledger_build_info`, `app_info`, and OpenTelemetry's `target_info`. */
export const INFO = /(?:^|_)(?:build|app|application|service|version|target)_info$/u;
/** Labels with a version; the first that is set counts. */
const VERSION = [
  'version',
  'app_version',
  'service_version',
  'revision',
  'tag',
  'commit',
  'git_commit',
] as const;

async function versions({ client, names, naming, window, stepMs, budget }: Question): Promise<Found> {
  const infos = [...names].filter((name) => INFO.test(name)).slice(0, MOST_INFOS);
  if (infos.length === 0) return { changes: [] };
  const by = grouping(SCRAPED, ...VERSION);
  const expression = `count ${by} ({__name__=~"${infos.join('|')}"})`;
  const answer = await client.queryRange(expression, window, stepMs, budget);
  if (!answer.known) return { changes: [], reason: answer.reason };
  return {
    changes: firstSeen(answer.value, window, stepMs, (labels) => {
      const identity = scrapedIdentity(labels);
      const service = identity === null ? null : naming.service(labels, SCRAPED);
      return { group: service ?? '', value: versionIn(labels), service };
    }).map(({ at, service, value, before }) => ({
      ...changeOf(at, service, `Deploy ${service} ${value}`, value),
      before,
    })),
  };
}

const MOST_INFOS = 40;

function versionIn(labels: Labels): string {
  return VERSION.map((label) => labels[label]).find((value) => value !== undefined && value !== '') ?? '';
}

/**
 * Values of a group that were absent at the start of the window, with the time they were first seen, and the value that
 * had been seen last by then.
 */
function firstSeen(
  series: readonly Sampled[],
  window: Window,
  stepMs: number,
  read: (labels: Readonly<Record<string, string>>) => {
    group: string;
    value: string;
    service: string | null;
  },
): { at: number; service: string | null; value: string; before: string }[] {
  const runs = series.flatMap(({ labels, points: { times } }) => {
    const one = { ...read(labels), at: times[0] ?? window.to, times };
    return one.group === '' || one.value === '' ? [] : [one];
  });
  return [...Map.groupBy(runs, ({ group }) => group).values()].flatMap((group) => {
    const begin = Math.min(...group.map(({ at }) => at));
    const values = [...Map.groupBy(group, ({ value }) => value).values()];
    return values.flatMap((same) => {
      const [first] = same.toSorted((a, b) => a.at - b.at);
      // A single value, whenever it was first scraped, is not a rollout.
      if (first === undefined || first.at <= begin + stepMs) return [];
      const { at, service, value } = first;
      const lastSeen = (one: (typeof runs)[number]) => one.times.findLast((time) => time < at) ?? 0;
      const others = group.filter((one) => one.value !== value && one.at < at);
      const [before] = others.toSorted((a, b) => lastSeen(b) - lastSeen(a) || b.at - a.at);
      return before === undefined ? [] : [{ at, service, value, before: before.value }];
    });
  });
}

function serviceOf(naming: Naming, name: string, namespace: string): string | null {
  return naming.service(
    { workload: name, namespace },
    { labels: ['workload'], namespace: ['namespace'], kind: 'service' },
  );
}

function changeOf(at: number, service: string | null, title: string, version: string | null): Change {
  return { at, service, kind: 'deploy', title, version, ref: null, url: null, details: null };
}

function within(at: number, { from, to }: Window): boolean {
  return at >= from && at < to;
}

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
    const guessed = [...services].filter(
      (name) => withoutPodSuffix(claim).endsWith(`-${name}`) || claim.startsWith(`${name}-`),
    );
    const longest = guessed.sort((a, b) => b.length - a.length).slice(0, 1);
    for (const workload of new Set(users.length > 0 ? users : longest)) {
      const caller = naming.service({ workload, namespace }, USER);
      if (caller !== null && caller !== volume) edges.push({ caller, callee: volume });
    }
  }
  return edges;
}

const USER = { labels: ['workload'], namespace: ['namespace'], kind: 'service' } as const;
