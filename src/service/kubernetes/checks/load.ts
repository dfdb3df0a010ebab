import { median } from '../../../lib/statistics.ts';
import { appOf, type Cluster } from '../cluster.ts';
import { about, type Check, type Finding, kubectl, named } from '../finding.ts';
import { callsIn } from './routing.ts';

/**
 * What the metrics that were recorded with a cluster say of its apps and nodes. Of a live cluster the investigation
 * ranks its metrics itself.
 */
export const LOAD: readonly Check[] = [
  (cluster) => overloaded(cluster, changesOf(cluster)),
  (cluster) => slow(cluster, changesOf(cluster)),
  rejectedWrites,
];

/** A metric of an app or a node before the problem and during it. */
interface Change {
  before: number;
  during: number;
}
type Changes = ReadonlyMap<string, ReadonlyMap<string, Change>>;

const computed = new WeakMap<Cluster, Changes>();

/** By the samples, with the alerts' time to tell before from during; where there are none, by the alerts' own figures. */
function changesOf(cluster: Cluster): Changes {
  const changes = computed.get(cluster) ?? compute(cluster);
  computed.set(cluster, changes);
  return changes;
}

function compute({ metrics, alerts }: Cluster): Changes {
  const timed = alerts.find((alert) => alert.kind !== 'request' && alert.from !== null && alert.to !== null);
  if (!metrics) return changesInAlerts(alerts);
  const { times, series } = metrics;
  const first = times[0] ?? 0;
  const middle = first + ((times.at(-1) ?? first) - first) / 2;
  const from = timed?.kind !== 'request' ? (timed?.from ?? middle) : middle;
  const to = timed?.kind !== 'request' ? (timed?.to ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  return new Map(
    [...series].map(([subject, all]) => [
      subject,
      new Map(
        Object.entries(all).map(([metric, values]) => [
          metric,
          {
            before: median(known(values, (i) => (times[i] ?? 0) < from)),
            during: median(known(values, (i) => (times[i] ?? 0) >= from && (times[i] ?? 0) <= to)),
          },
        ]),
      ),
    ]),
  );
}

function changesInAlerts(alerts: Cluster['alerts']): Changes {
  const changes = new Map<string, Map<string, Change>>();
  for (const alert of alerts) {
    if (alert.kind === 'request') continue;
    const mine = changes.get(alert.name) ?? new Map<string, Change>();
    changes.set(alert.name, mine);
    const pattern =
      /(?:[\w-]*-)?(p\d+latency|TCP Retransmission|cpu core|cpu_cfs|RPS)\b[^=|]*?\|?[^=|]*?(?:Normal=([\d.]+)\D*?)?(?:->\s*Cur(?:rent)?=|Val: )([\d.]+)/gu;
    for (const [, metric = '', before, during] of alert.evidence.matchAll(pattern))
      mine.set({ 'TCP Retransmission': 'tcp_retans', 'cpu core': 'cpu', RPS: 'rps' }[metric] ?? metric, {
        before: Number(before ?? 0),
        during: Number(during),
      });
  }
  return changes;
}

function known(values: readonly (number | null)[], isMeant: (i: number) => boolean): number[] {
  return values.flatMap((value, i) => (value === null || !isMeant(i) ? [] : value));
}

function workloadNamed(cluster: Cluster, app: string) {
  return (
    cluster.workloads.find((workload) => appOf(workload) === app || workload.metadata.name === app) ?? null
  );
}

function overloaded(cluster: Cluster, changes: Changes): Finding[] {
  return [...changes].flatMap(([app, metrics]) => {
    const [cpu, throttled, rps] = ['cpu', 'cpu_cfs', 'rps'].map((metric) => metrics.get(metric));
    const workload = workloadNamed(cluster, app);
    if (!workload || !cpu || !throttled) return [];
    const isMore = rps !== undefined && rps.before > 0 && rps.during > 2 * rps.before;
    if (
      throttled.during < 0.15 ||
      throttled.during < 4 * throttled.before ||
      cpu.during < 2.5 * cpu.before ||
      isMore
    )
      return [];
    return {
      ...about(workload),
      cause: 'pod_cpu_overload',
      sentence: `${named(app)} uses all the CPU that it may, without more requests than before.`,
      evidence: [
        `CPU rose from ${cpu.before} to ${cpu.during} cores`,
        `it is throttled for ${throttled.during} s each second`,
      ],
      confidence: 0.9,
    };
  });
}

const LATENCY = /^p\d+latency$/u;

function isSlower(change: Change | undefined, base = change?.before ?? 0): boolean {
  return change !== undefined && change.during >= 2 * base && change.during - base >= 20;
}

/** How many times as slow an app has become, by the quantile that shows it best; 0 if it has not. */
function slowdownOf(metrics: ReadonlyMap<string, Change>, usual: number): number {
  const ratios = [...metrics].flatMap(([metric, change]) => {
    const base = change.before > 0 ? change.before : usual;
    return LATENCY.test(metric) && isSlower(change, base) ? [change.during / base] : [];
  });
  return Math.max(0, ...ratios);
}

/** How many more packets a request takes than before: what is delayed is sent again. */
function resent(metrics: ReadonlyMap<string, Change>): number {
  const [received, rps] = [metrics.get('network_receive'), metrics.get('rps')];
  if (!received || !rps || !(received.before > 0)) return 1;
  // Requests that never end are not counted, though their packets are.
  const more = rps.before > 0 ? Math.max(0.05, rps.during / rps.before) : 1;
  return Math.min(10, Math.max(0.1, received.during / received.before / more));
}

const LOST = 4;

function slow(cluster: Cluster, changes: Changes): Finding | Finding[] {
  const nodes = new Set(cluster.objects.Node.map(({ metadata }) => metadata.name));
  const losing = [...changes]
    .filter(([name, metrics]) => nodes.has(name) && (metrics.get('tcp_retans')?.during ?? 0) >= LOST)
    .toSorted((a, b) => (b[1].get('tcp_retans')?.during ?? 0) - (a[1].get('tcp_retans')?.during ?? 0))[0];
  if (losing) {
    const { before, during } = losing[1].get('tcp_retans') ?? { before: 0, during: 0 };
    return ofNode(
      losing[0],
      'node_network_packet_loss',
      'loses packets',
      `TCP retransmissions rose from ${before} to ${during} per second`,
      0.88,
    );
  }
  // Monitoring that calls a node's retransmissions unusual blames the node, and not one of its pods.
  const reported = cluster.alerts.find((alert) => alert.kind === 'node' && /retrans/iu.test(alert.evidence));
  if (reported?.kind === 'node')
    return ofNode(reported.name, 'node_network_delay', 'is slow', reported.evidence.slice(0, 200), 0.75);
  // What is short of CPU is slow for that reason, and so is who calls it.
  const busy = new Set(overloaded(cluster, changes).map(({ object }) => object));
  if (busy.size > 0) return [];
  const apps = [...changes].filter(([name]) => !nodes.has(name));
  const usual = Math.max(
    5,
    median(apps.flatMap(([, metrics]) => metrics.get('p50latency')?.before || [])) || 5,
  );
  const slowed = new Map(
    apps.map(([app, metrics]) => [app, slowdownOf(metrics, usual)] as const).filter(([, by]) => by > 0),
  );
  if (slowed.size === 0) return stalled(cluster, apps);
  const calls = callsIn(cluster).filter(({ caller, callee }) => changes.has(caller) && changes.has(callee));
  return calls.length >= 3 && slowed.size > 1
    ? byGraph(cluster, calls, changes, slowed)
    : bySlowdown(cluster, changes, slowed);
}

function ofNode(
  node: string,
  cause: string,
  explanation: string,
  evidence: string,
  confidence: number,
): Finding {
  return {
    object: `node/${node}`,
    namespace: null,
    cause,
    sentence: `The network of node ${named(node)} ${explanation}.`,
    evidence: [evidence],
    show: kubectl`describe node ${node}`,
    mend: null,
    confidence,
  };
}

function ofApp(cluster: Cluster, app: string, evidence: string[], confidence: number): Finding | [] {
  const workload = workloadNamed(cluster, app);
  return workload
    ? {
        ...about(workload),
        cause: 'pod_network_delay',
        sentence: `The network of ${named(app)} is slow: who calls it waits, and it does not use more CPU.`,
        evidence,
        mend: kubectl`rollout restart ${workload.kind.toLowerCase()} ${workload.metadata.name} -n ${workload.metadata.namespace}`,
        confidence,
      }
    : [];
}

/** Without a graph of calls: who has become the most times as slow, since callers were slower to begin with. */
function bySlowdown(cluster: Cluster, changes: Changes, slowed: ReadonlyMap<string, number>): Finding[] {
  // Where the median of some has risen, others are slow in the tail because of them.
  const medians = [...slowed].filter(([app]) => isSlower(changes.get(app)?.get('p50latency')));
  const ranked = (medians.length > 0 ? medians : [...slowed])
    .map(([app, by]) => ({
      app,
      by,
      score: Math.log(by) + 2 * Math.log(resent(changes.get(app) ?? new Map())),
    }))
    .toSorted((a, b) => b.score - a.score);
  const [first, second] = ranked;
  const margin = first && second ? first.score - second.score : 2;
  return ranked
    .slice(0, 3)
    .flatMap(({ app, by }, i) =>
      ofApp(
        cluster,
        app,
        [`its latency rose ${Math.round(by)} times`],
        i === 0 ? Math.min(0.9, 0.6 + margin / 5) : 0.3 / i,
      ),
    );
}

/** Nothing answers in time, so no latency is measured: where most requests are missing, they are held up. */
function stalled(
  cluster: Cluster,
  apps: readonly (readonly [string, ReadonlyMap<string, Change>])[],
): Finding | [] {
  const missing = apps
    .map(([app, metrics]) => ({ app, rps: metrics.get('rps') }))
    .map(({ app, rps }) => ({
      app,
      lost: rps ? rps.before - rps.during : 0,
      share: rps && rps.before > 0 ? rps.during / rps.before : 1,
    }))
    .filter(({ share, lost }) => share < 0.5 && lost > 0.5)
    .toSorted((a, b) => b.lost * (1 - b.share) - a.lost * (1 - a.share));
  const [first] = missing;
  return first && missing.length >= 3
    ? ofApp(
        cluster,
        first.app,
        [
          `${Math.round((1 - first.share) * 100)}% of its requests are missing, and ${missing.length - 1} others miss some too`,
        ],
        0.6,
      )
    : [];
}

type Call = ReturnType<typeof callsIn>[number];

/**
 * The app, or the node, whose slow network would make slow who is slow, and nobody else. Who calls across it waits for
 * each answer, so its median rises; who is called across it is slow in the tail only.
 */
function byGraph(
  cluster: Cluster,
  calls: readonly Call[],
  changes: Changes,
  slowed: ReadonlyMap<string, number>,
): Finding[] {
  const measured = new Set(
    [...changes]
      .filter(([, metrics]) => [...metrics.keys()].some((metric) => LATENCY.test(metric)))
      .map(([app]) => app),
  );
  const waiting = new Set([...slowed.keys()].filter((app) => isSlower(changes.get(app)?.get('p50latency'))));
  const nodeOf = new Map(
    cluster.pods.map((pod) => {
      const workload = cluster.workloadOf(pod);
      return [workload ? appOf(workload) : pod.metadata.name, pod.spec.nodeName ?? ''] as const;
    }),
  );
  const hypotheses = [
    ...[...measured]
      .filter((app) => slowed.has(app))
      .map((app) => ({
        app,
        node: '',
        isSlow: ({ caller, callee }: Call) => caller === app || callee === app,
      })),
    ...[...new Set(nodeOf.values())].map((node) => ({
      app: null,
      node,
      isSlow: ({ caller, callee }: Call) => (nodeOf.get(caller) === node) !== (nodeOf.get(callee) === node),
    })),
  ];
  const ranked = hypotheses
    .map(({ app, node, isSlow }) => {
      const across = calls.filter(isSlow);
      const callers = new Set(across.map(({ caller }) => caller));
      const all = withCallers(
        calls,
        new Set([...callers, ...across.map(({ callee }) => callee), ...(app === null ? [] : [app])]),
      );
      // Of two that expect the same, the one that has slowed down most.
      const own =
        app === null
          ? Math.log(1 + (changes.get(node)?.get('tcp_retans')?.during ?? 0)) / 1000
          : Math.log(1 + (slowed.get(app) ?? 0)) / 1000;
      const fit =
        (fitOf(all, new Set(slowed.keys()), measured) +
          (waiting.size === 0 ? 1 : fitOf(callers, waiting, measured))) /
        2;
      return { app, node, fit: fit + own };
    })
    .toSorted((a, b) => b.fit - a.fit);
  return ranked.slice(0, 3).flatMap(({ app, node, fit }, i) => {
    const evidence = `${slowed.size} apps have slowed down: ${[...slowed].map(([name, by]) => `${named(name)} ${Math.round(by)} times`).join(', ')}`;
    const confidence = i === 0 ? Math.min(0.85, fit * 0.8) : Math.min(0.45, fit * 0.4);
    return app !== null
      ? ofApp(cluster, app, [evidence], confidence)
      : node === ''
        ? []
        : ofNode(node, 'node_network_delay', 'is slow', evidence, confidence);
  });
}

/** With everyone who waits for one of them. */
function withCallers(calls: readonly Call[], some: Set<string>): Set<string> {
  const all = new Set(some);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { caller, callee } of calls)
      if (all.has(callee) && all.has(caller) === false && !some.has(callee)) all.add(caller);
    for (const { caller, callee } of calls)
      if (some.has(callee) && calls.some((call) => call.caller === callee && some.has(call.callee)))
        all.add(caller);
  }
  return all;
}

/** How well what was expected and what was seen agree, 0 to 1. */
function fitOf(
  expected: ReadonlySet<string>,
  seen: ReadonlySet<string>,
  measured: ReadonlySet<string>,
): number {
  const known = [...expected].filter((app) => measured.has(app));
  return (2 * known.filter((app) => seen.has(app)).length) / Math.max(1, known.length + seen.size);
}

/** Reading works and writing fails, and nothing else is wrong: the store that they share refuses writes. */
function rejectedWrites(cluster: Cluster): Finding | [] {
  const failing = cluster.alerts.filter((alert) => alert.kind === 'request');
  if (
    failing.length === 0 ||
    failing.some(({ method, error }) => method === 'GET' || !/\b50[03]\b/u.test(error))
  )
    return [];
  const store = storesIn(cluster)[0];
  return store
    ? {
        ...about(store),
        cause: 'db_read_only',
        sentence: `Only requests that write fail, and everything runs: ${named(appOf(store))} may be read-only.`,
        evidence: failing.map(
          ({ method, url, error, count }) =>
            `${named(`${method} ${url}`)} failed ${count} times: ${error.slice(0, 100)}`,
        ),
        confidence: 0.35,
      }
    : [];
}

/** Databases, the last changed first. */
function storesIn(cluster: Cluster) {
  return cluster.workloads
    .filter(
      ({ kind, metadata, spec }) =>
        kind === 'StatefulSet' &&
        /sql|maria|percona|postgres|mongo/iu.test(
          `${metadata.name} ${spec.template.spec.containers.map(({ image }) => image).join(' ')}`,
        ),
    )
    .toSorted((a, b) => (b.metadata.creationTimestamp ?? 0) - (a.metadata.creationTimestamp ?? 0));
}
