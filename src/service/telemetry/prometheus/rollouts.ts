import type { Budget } from '../budget.ts';
import type { Change, Edge, VersionRun, Window } from '../model.ts';
import { writtenFor } from './among.ts';
import { LISTING, type PrometheusClient, type Sampled } from './client.ts';
import { type Naming, scrapedIdentity, withoutPodSuffix } from './naming.ts';
import {
  grouping,
  INSTANCE_LABELS,
  instanceIn,
  lately,
  reported,
  SCRAPED,
  type ServiceLabels,
  WORKLOAD,
  withWorkload,
} from './promql.ts';
import { PVC } from './signs.ts';

interface Question {
  client: Pick<PrometheusClient, 'query' | 'queryRange'>;
  names: ReadonlySet<string>;
  /** Of a large server, all its labels: it is first asked what ran in several versions, and only that is read. */
  labels?: ReadonlySet<string>;
  naming: Naming;
  window: Window;
  stepMs: number;
  budget: Budget;
}

/** Rollouts according to Kubernetes' state and version metrics, oldest first, with the reasons for failed queries. */
export async function rolloutsIn(question: Question): Promise<{ changes: Change[]; reasons: string[] }> {
  const { window } = question;
  // Versions overlap while they are rolled out: what ran before the window shows what came in it.
  const earlier = { ...question, window: { from: window.from - LEAD, to: window.to } };
  const answers = await Promise.all([replicaSets(question), images(earlier), versions(earlier)]);
  const changes = answers.flatMap((answer) => answer.changes).filter(({ at }) => within(at, window));
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
const LEAD = 15 * 60_000;

async function replicaSets({ client, names, naming, window, budget }: Question): Promise<Found> {
  const created = 'kube_replicaset_created';
  if (!names.has(created)) return { changes: [] };
  const running = names.has('kube_replicaset_spec_replicas')
    ? ` and on (namespace, replicaset) (${reported(lately('kube_replicaset_spec_replicas'))} > 0)`
    : '';
  const since = `${reported(lately(created))} >= ${Math.floor(window.from / 1000)}`;
  const reading = await client.query(`${since}${running}`, window.to - 1, budget);
  if (!reading.known) return { changes: [], reason: reading.reason };
  return {
    changes: reading.value.flatMap(({ labels, points }) => {
      const at = (points.values[0] ?? 0) * 1000;
      const deployment = (labels.replicaset ?? '').replace(/-[0-9a-z]+$/u, '');
      const service = serviceOf(naming, deployment, labels.namespace ?? '');
      return within(at, window) && deployment !== ''
        ? [changeOf(at, service, `Rollout of ${deployment} (ReplicaSet ${labels.replicaset})`, null)]
        : [];
    }),
  };
}

async function images(question: Question): Promise<Found> {
  if (!question.names.has('kube_pod_container_info')) return { changes: [] };
  return arriving(question, {
    expression: `count by (namespace, pod, container, image) (${reported('kube_pod_container_info')})`,
    place: WORKLOAD,
    rows: (within) => withWorkload(reported(`last_over_time(kube_pod_container_info[${within}])`)),
    group: ['namespace', 'container', 'workload'],
    values: ['image'],
    read: ({ namespace, pod, container, image }) => ({
      group: `${namespace}/${withoutPodSuffix(pod ?? '')}/${container}`,
      value: image ?? '',
      instance: pod ?? null,
      service: serviceOf(question.naming, withoutPodSuffix(pod ?? ''), namespace ?? ''),
    }),
    versionOf: (image) => /:([\w.-]+)$/u.exec(image)?.[1] ?? image,
  });
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

async function versions(question: Question): Promise<Found> {
  const { names, naming } = question;
  const infos = [...names].filter((name) => INFO.test(name)).slice(0, MOST_INFOS);
  if (infos.length === 0) return { changes: [] };
  const read = `{__name__=~"${infos.join('|')}"}`;
  return arriving(question, {
    expression: `count ${grouping(SCRAPED, ...VERSION, ...INSTANCE_LABELS)} (${read})`,
    place: SCRAPED,
    rows: (within) => `last_over_time(${read}[${within}])`,
    group: [...SCRAPED.labels, ...SCRAPED.namespace],
    values: VERSION,
    read: (labels) => {
      const identity = scrapedIdentity(labels);
      const service = identity === null ? null : naming.service(labels, SCRAPED);
      return { group: service ?? '', value: versionIn(labels), instance: instanceIn(labels), service };
    },
    versionOf: (version) => version,
  });
}

const MOST_INFOS = 40;

interface Arriving {
  expression: string;
  place: ServiceLabels;
  rows: (within: string) => string;
  group: readonly string[];
  values: readonly string[];
  read: Parameters<typeof arrivals>[3];
  versionOf: (value: string) => string;
}

/** The values that arrived of what had several in the window, as only that can have been rolled out. */
async function arriving(question: Question, asked: Arriving): Promise<Found> {
  const { client, labels: known, window, stepMs, budget } = question;
  const { place, rows, group, values, read, versionOf } = asked;
  let { expression } = asked;
  if (known !== undefined) {
    const seconds = Math.ceil((window.to - window.from) / 1000);
    const by = (labels: readonly string[]) => `count by (${labels.join(', ')})`;
    const several = `${by(group)} (${by([...group, ...values])} (${rows(`${seconds}s`)})) > 1`;
    const reading = await client.query(several, window.to - 1, budget, LISTING);
    const found = reading.known ? reading.value.map(({ labels }) => labels) : null;
    if (found?.length === 0) return { changes: [] };
    if (found !== null) expression = writtenFor(found, expression, { place }, known);
  }
  const reading = await client.queryRange(expression, window, stepMs, budget);
  if (!reading.known) return { changes: [], reason: reading.reason };
  return {
    changes: arrivals(reading.value, window, stepMs, read).map((seen) => deployOf(seen, versionOf)),
  };
}

function versionIn(labels: Labels): string {
  return VERSION.map((label) => labels[label]).find((value) => value !== undefined && value !== '') ?? '';
}

/** A value of a group that came, or came back after another one had taken its place. */
interface Arrival {
  at: number;
  service: string | null;
  value: string;
  /** The value that was seen last by then. */
  before: string | null;
  isBack: boolean;
  instances: VersionRun[];
}

/**
 * Values of a group that were absent at the start of the window, with the time they were first seen; and those that
 * return, as in a rollback, after a time in which only others were seen, which end with that.
 */
function arrivals(
  series: readonly Sampled[],
  window: Window,
  stepMs: number,
  read: (labels: Readonly<Record<string, string>>) => {
    group: string;
    value: string;
    instance: string | null;
    service: string | null;
  },
): Arrival[] {
  const groups = new Map<string, { service: string | null; times: Map<string, Set<number>>; runs: Run[] }>();
  for (const { labels, points } of series) {
    const { group, value, instance, service } = read(labels);
    if (group === '' || value === '') continue;
    const known = groups.get(group) ?? { service, times: new Map<string, Set<number>>(), runs: [] };
    groups.set(group, known);
    if (instance !== null)
      known.runs.push({
        instance,
        value,
        from: points.times[0] ?? window.to,
        to: points.times.at(-1) ?? window.to,
      });
    const times = known.times.get(value) ?? new Set<number>();
    known.times.set(value, times);
    for (const at of points.times.length === 0 ? [window.to] : points.times) times.add(at);
  }
  return [...groups.values()].flatMap(({ service, times, runs }) => {
    const seen = [...times].map(([value, at]) => ({ value, at: [...at].sort((a, b) => a - b) }));
    const begin = Math.min(...seen.map(({ at }) => at[0] ?? window.to));
    return seen.flatMap(({ value, at: [first = window.to, ...later] }): Arrival[] => {
      const others = seen.filter((one) => one.value !== value);
      const cameBack = (time: number, left: number) =>
        // Another one came, and had its place; else it was just not scraped, or crashes beside the one that stays.
        others.some(({ at }) => {
          const own = [first, ...later].filter((one) => one <= left && !at.includes(one));
          // It came after this one, or came back when this one had its place.
          const isNew =
            ((at[0] ?? begin) > begin + stepMs && (at[0] ?? time) < time) || own.length >= LEAST_ABSENT;
          const soon = time + LEAST_ABSENT * stepMs;
          const isGone = !at.some((one) => one >= soon && one < soon + LEAST_ABSENT * stepMs);
          return isNew && isGone && at.filter((one) => one > left && one < time).length >= LEAST_ABSENT;
        });
      // What ran in between was older: it is no rollback.
      const isAgain = (time: number) =>
        others.every(({ at }) => (at[0] ?? begin) >= time || (at[0] ?? begin) < first);
      const arrival = (at: number, isBack: boolean) => ({
        at,
        service,
        value,
        before: lastBefore(at, others),
        isBack,
        instances: runs
          .filter((run) => run.to >= at)
          .map(({ instance, from, to, value: ran }) => ({ instance, isNew: ran === value, from, to })),
      });
      return [
        // A single value, whenever it was first scraped, is not a rollout.
        ...(first > begin + stepMs ? [arrival(first, false)] : []),
        ...later
          .filter((time, i) => cameBack(time, later[i - 1] ?? first))
          .map((time) => arrival(time, !isAgain(time))),
      ];
    });
  });
}

/** An instance with a value, from its first sample to its last. */
type Run = Omit<VersionRun, 'isNew'> & { value: string };

/** Samples of another value in a place that count. */
const LEAST_ABSENT = 3;

function lastBefore(
  time: number,
  others: readonly { value: string; at: readonly number[] }[],
): string | null {
  const last = ({ at }: { at: readonly number[] }) => at.findLast((one) => one < time) ?? 0;
  const earlier = others.filter((one) => last(one) > 0);
  const [newest] = earlier.toSorted((a, b) => last(b) - last(a) || (b.at[0] ?? 0) - (a.at[0] ?? 0));
  return newest?.value ?? null;
}

function deployOf(
  { at, service, value, before, isBack, instances }: Arrival,
  versionOf: Arriving['versionOf'],
): Change {
  const version = versionOf(value);
  const title = isBack ? `Rolled ${service} back to ${version}` : `Deploy ${service} ${version}`;
  return {
    ...changeOf(at, service, title, version),
    before: before === null ? null : versionOf(before),
    instances,
  };
}

function serviceOf(naming: Naming, name: string, namespace: string): string | null {
  return naming.service({ workload: name, namespace }, WORKLOAD);
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
      const caller = naming.service({ workload, namespace }, WORKLOAD);
      if (caller !== null && caller !== volume) edges.push({ caller, callee: volume });
    }
  }
  return edges;
}
