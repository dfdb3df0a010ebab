import type { Facts } from '../types.ts';

/** What exporters of a cluster's state say of the pods of a workload. */
export interface Workload {
  service: string;
  pods: number;
  /** How many are ready, and of how many; `null` where it is not exported. */
  ready: { count: number; of: number } | null;
  /** Counted from `since` on; `null` where they are not exported. */
  restarts: { count: number; since: number; last: number | null } | null;
  /** Why containers wait now, and why the last ones ended: `CrashLoopBackOff`, `OOMKilled`. */
  waiting: string[];
  ended: string[];
}

const MINUTE = 60_000;
const RESTARTS = 'kube_pod_container_status_restarts_total';
const READY = 'kube_pod_status_ready';
const AVAILABLE = 'kube_deployment_status_replicas_available';
const REPLICAS = 'kube_deployment_spec_replicas';
const WAITING = 'kube_pod_container_status_waiting_reason';
const ENDED = 'kube_pod_container_status_last_terminated_reason';

/** How the pods of a service are, where the states of a cluster are exported as metrics; `null` where none of its pods is there. */
export async function workloadOf(service: string, since: number, facts: Facts): Promise<Workload | null> {
  const { catalog, now, system, view } = facts;
  const name = (view.node(service)?.workload?.name ?? service).replaceAll(/[^\w.-]/gu, '');
  const read = async (
    metric: string,
    by: string,
    label: string,
    window = { from: now - MINUTE, to: now + 1 },
  ) => {
    const known = catalog?.metrics.get(metric);
    if (known === undefined) return [];
    const own = Object.entries(system).filter(([one]) => one in known.labels);
    const where = [
      label === 'pod' ? `pod=~"${name}(-[a-z0-9]+){1,2}"` : `${label}="${name}"`,
      ...own.map(([one, value]) => `${one}=${JSON.stringify(value)}`),
      ...(metric === READY ? ['condition="true"'] : []),
    ];
    const reading = await facts.evaluate(`max by (${by}) (${metric}{${where.join(',')}})`, window);
    return reading.known ? reading.value : [];
  };
  const newest = (values: Float64Array) => values.at(-1) ?? 0;
  const [counts, ready, available, replicas, waiting, ended] = await Promise.all([
    read(RESTARTS, 'pod, container', 'pod', { from: since, to: now + 1 }),
    read(READY, 'pod', 'pod'),
    read(AVAILABLE, 'deployment', 'deployment'),
    read(REPLICAS, 'deployment', 'deployment'),
    read(WAITING, 'reason', 'pod'),
    read(ENDED, 'reason', 'pod'),
  ]);
  const reasons = (all: typeof waiting) =>
    all.flatMap(({ labels: { reason }, points }) =>
      reason !== undefined && newest(points.values) > 0 ? [reason] : [],
    );
  const pods = new Set([...counts, ...ready].map(({ labels }) => labels.pod)).size;
  const [wanted] = replicas;
  if (pods === 0 && wanted === undefined) return null;
  const times = counts.flatMap(({ points: { times: at, values } }) =>
    [...values].flatMap((value, i): number[] => {
      // A pod that began meanwhile began with none.
      const before = i > 0 ? (values[i - 1] ?? 0) : (at[0] ?? since) > since + 2 * MINUTE ? 0 : value;
      const more = Math.max(0, value < before ? value : value - before);
      return Array.from({ length: Math.min(more, 1_000) }, () => at[i] ?? now);
    }),
  );
  const readyNow = ready.filter(({ points }) => newest(points.values) > 0).length;
  return {
    service,
    pods,
    ready:
      wanted !== undefined && available.length > 0
        ? {
            count: newest(available[0]?.points.values ?? new Float64Array()),
            of: newest(wanted.points.values),
          }
        : ready.length > 0
          ? { count: readyNow, of: ready.length }
          : null,
    restarts:
      counts.length === 0
        ? null
        : { count: times.length, since, last: times.length === 0 ? null : Math.max(...times) },
    waiting: reasons(waiting),
    ended: reasons(ended),
  };
}

/** The pods of any workload that restarted since then, and why their last containers ended; `null` where restarts are not exported. */
export async function restartsSince(
  since: number,
  { catalog, now, system, evaluate }: Facts,
): Promise<{ pod: string; count: number; ended: string | null }[] | null> {
  const labels = catalog?.metrics.get(RESTARTS)?.labels;
  if (labels === undefined) return null;
  const own = Object.entries(system).filter(([label]) => label in labels);
  const where = own.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
  const window = { from: now - MINUTE, to: now + 1 };
  const span = `${Math.ceil((now - since) / MINUTE)}m`;
  const [counts, ended] = await Promise.all([
    evaluate(`sum by (pod) (increase(${RESTARTS}{${where}}[${span}])) > 0.5`, window),
    evaluate(`max by (pod, reason) (${ENDED}{${where}}) > 0`, window),
  ]);
  if (!counts.known) return null;
  const reasons = new Map((ended.known ? ended.value : []).map((one) => [one.labels.pod, one.labels.reason]));
  return counts.value.map(({ labels: { pod = '' }, points }) => ({
    pod,
    count: Math.round(points.values.at(-1) ?? 0),
    ended: reasons.get(pod) ?? null,
  }));
}

export function isUnwell({ ready, waiting }: Workload): boolean {
  return (
    waiting.some((reason) => !/^(?:ContainerCreating|PodInitializing)$/u.test(reason)) ||
    (ready !== null && ready.count < ready.of)
  );
}
