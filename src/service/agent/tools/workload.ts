import type { Points, Window } from '../../telemetry/model.ts';
import { isMomentName } from '../catalog/terms.ts';
import type { Facts } from '../types.ts';
import { metricRows, type Reader, type Row, rowsOf } from './series.ts';

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
const STARTED = /(?:start|boot)_?time/u;
const RESTARTS = 'kube_pod_container_status_restarts_total';
const ENDED = 'kube_pod_container_status_last_terminated_reason';

/** How the pods of a service are, where the states of a cluster are exported as metrics; `null` where none of its pods is there. */
export async function workloadOf(
  service: string,
  since: number,
  facts: Reader & { view: Pick<Facts['view'], 'node'> },
): Promise<Workload | null> {
  const name = (facts.view.node(service)?.workload?.name ?? service).replaceAll(/[^\w.-]/gu, '');
  const pods = `pod=~"${name}(-[a-z0-9]+){1,2}"`;
  const read = (metric: string, by: string, where = pods, over?: Window) =>
    metricRows(metric, { by, where }, facts, over);
  const [counts, ready, [available], [wanted], waiting, ended] = await Promise.all([
    read(RESTARTS, 'pod, container', pods, { from: since, to: facts.now + 1 }),
    read('kube_pod_status_ready', 'pod', `${pods},condition="true"`),
    read('kube_deployment_status_replicas_available', '', `deployment="${name}"`),
    read('kube_deployment_spec_replicas', '', `deployment="${name}"`),
    read('kube_pod_container_status_waiting_reason', 'reason'),
    read(ENDED, 'reason'),
  ]);
  const isSet = ({ now }: Row) => (now ?? 0) > 0;
  const reasons = (all: Row[]) => all.filter(isSet).flatMap(({ labels: { reason } }) => reason ?? []);
  const count = new Set([...counts, ...ready].map(({ labels }) => labels.pod)).size;
  if (count === 0 && wanted === undefined) return null;
  const times = counts.flatMap(({ series }) => restartsIn(series.points, since));
  return {
    service,
    pods: count,
    ready:
      wanted !== undefined && available !== undefined
        ? { count: available.now ?? 0, of: wanted.now ?? 0 }
        : ready.length > 0
          ? { count: ready.filter(isSet).length, of: ready.length }
          : null,
    restarts:
      counts.length === 0
        ? null
        : { count: times.length, since, last: times.length === 0 ? null : Math.max(...times) },
    waiting: reasons(waiting),
    ended: reasons(ended),
  };
}

function restartsIn({ times, values }: Points, since: number): number[] {
  return [...times].flatMap((at, i) => {
    const value = values[i] ?? 0;
    // A pod that began meanwhile began with none.
    const before = i > 0 ? (values[i - 1] ?? 0) : at > since + 2 * MINUTE ? 0 : value;
    const more = Math.max(0, value < before ? value : value - before);
    return Array.from({ length: Math.min(more, 1_000) }, () => at);
  });
}

/** The pods of any workload that restarted since then, and why their last containers ended; `null` where restarts are not exported. */
/** What says of itself that it started since then, the newest first; `null` where nothing says so, or it cannot be read. */
export async function startsSince(
  since: number,
  facts: Reader,
): Promise<{ of: string; at: number }[] | null> {
  const names = [...(facts.catalog?.metrics.values() ?? [])].flatMap((one) =>
    STARTED.test(one.name) && isMomentName(one) ? one.name : [],
  );
  if (names.length === 0) return null;
  const times = `max by (pod, instance, exported_job, job) ({__name__=~"${names.join('|')}"})`;
  const rows = await rowsOf(`${times} > ${Math.floor(since / 1000)}`, facts);
  const found = rows?.flatMap(({ labels: { pod, instance, exported_job, job }, now }) => {
    const of = pod ?? instance ?? exported_job ?? job ?? '';
    if (now === null || of === '') return [];
    return [{ of: job === undefined || of === job ? of : `${of} (${job})`, at: now * 1000 }];
  });
  return found?.sort((a, b) => b.at - a.at) ?? null;
}

export async function restartsSince(
  since: number,
  facts: Reader,
): Promise<{ pod: string; count: number; ended: string | null }[] | null> {
  if (facts.catalog?.metrics.has(RESTARTS) !== true) return null;
  const span = `${Math.ceil((facts.now - since) / MINUTE)}m`;
  const [counts, ended] = await Promise.all([
    rowsOf(`sum by (pod) (increase(${RESTARTS}[${span}])) > 0.5`, facts),
    rowsOf(`max by (pod, reason) (${ENDED}) > 0`, facts),
  ]);
  const reasons = new Map(ended?.map(({ labels }) => [labels.pod, labels.reason]));
  if (counts === null) return null;
  return counts.map(({ labels: { pod = '' }, now }) => ({
    pod,
    count: Math.round(now ?? 0),
    ended: reasons.get(pod) ?? null,
  }));
}

export function isUnwell({ ready, waiting }: Workload): boolean {
  return (
    waiting.some((reason) => !/^(?:ContainerCreating|PodInitializing)$/u.test(reason)) ||
    (ready !== null && ready.count < ready.of)
  );
}
