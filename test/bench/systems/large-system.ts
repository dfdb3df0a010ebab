import { OpenMetricsFile, type Times } from './open-metrics.ts';

export interface LargeSystem {
  /** What the alert names. */
  symptom: string;
  /** What is broken, three calls below. */
  cause: string;
  /** What was rolled out there. */
  version: string;
  series: number;
  samples: number;
}

interface Member {
  name: string;
  namespace: string;
  /** Indexes of what it calls. */
  calls: number[];
  /** Requests per second of one instance. */
  rate: number;
  /** Seconds. */
  latency: number;
  /** How much of the fault reaches it, 0 to 1. */
  felt: number;
  pods: Pod[];
}

interface Pod {
  pod: string;
  instance: string;
  seed: number;
}

const MINUTE = 60_000;
const LAYERS = 8;
const CALLS = 3;
const HOPS = 3;
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3];
const FIRST = 'amber birch cedar delta ember flint grove heron iris jade kelp larch maple north ochre'.split(
  ' ',
);
const MIDDLE =
  'apex base crag dale edge fern glen hill isle knot lake mesa nook opal peak quay reef sand tarn vale wood yard zinc'.split(
    ' ',
  );
const SECOND =
  'broker courier dialer encoder fetcher grader hasher joiner keeper lister mixer packer reader sorter'.split(
    ' ',
  );

/**
 * Writes the history of a system in the conventions of plain HTTP metrics, a service graph, kube-state-metrics and
 * cAdvisor. Ten minutes before the end one service gets a new image; it fails and slows down from then on, and so do, less
 * and less, those that call it.
 */
export function writeLargeSystem(
  path: string,
  { services, instances, times }: { services: number; instances: number; times: Times },
): LargeSystem {
  const onset = times.to - 10 * MINUTE;
  const { members, cause, symptom } = membersOf(services, instances);
  const file = new OpenMetricsFile(path, times);
  const pods = members.flatMap((member) => member.pods.map((pod) => ({ ...pod, member })));
  const felt =
    ({ felt: share }: Member, most: number) =>
    (at: number) =>
      at >= onset ? share * most : 0;
  const rate = (member: Member, seed: number) => (at: number) => member.rate * wave(seed, at);
  const failing = (member: Member) => (at: number) => 0.002 + felt(member, 0.2)(at);
  const latency = (member: Member, seed: number) => (at: number) =>
    member.latency * wave(seed + 7_000, at) + felt(member, 0.6)(at);
  const scraped = ({ member, pod, instance }: (typeof pods)[number]) => ({
    job: member.name,
    namespace: member.namespace,
    pod,
    instance,
  });
  const container = ({ member, pod }: (typeof pods)[number]) => ({
    namespace: member.namespace,
    pod,
    container: 'app',
  });

  for (const one of pods)
    for (const code of ['200', '500'])
      file.counter('http_requests_total', { ...scraped(one), code }, (at) => {
        const failed = failing(one.member)(at);
        return rate(one.member, one.seed)(at) * (code === '500' ? failed : 1 - failed);
      });
  file.histogram(
    'http_request_duration_seconds',
    BUCKETS,
    pods.map((one) => ({
      labels: scraped(one),
      perSecond: rate(one.member, one.seed),
      typical: latency(one.member, one.seed),
    })),
  );
  for (const one of pods) file.gauge('up', scraped(one), () => 1);
  for (const one of pods)
    file.gauge('process_resident_memory_bytes', scraped(one), (at) => 2e8 * wave(one.seed, at));
  for (const one of pods)
    file.counter('process_cpu_seconds_total', scraped(one), (at) => 0.2 * wave(one.seed, at));
  for (const one of pods)
    file.gauge('process_start_time_seconds', scraped(one), () => times.from / 1000 - 86_400);

  for (const one of pods) {
    const isCause = one.member === cause;
    const image = (tag: string) => ({
      ...container(one),
      image: `registry.example.com/${one.member.name}:${tag}`,
    });
    const rollout = isCause ? onset - MINUTE : times.to + 1;
    file.gauge('kube_pod_container_info', image('1.0.0'), () => 1, { from: times.from, to: rollout });
    if (isCause)
      file.gauge('kube_pod_container_info', image('1.1.0'), () => 1, { from: rollout, to: times.to + 1 });
  }
  for (const one of pods)
    for (const [resource, limit] of Object.entries({ cpu: 1, memory: 5e8 }))
      file.gauge('kube_pod_container_resource_limits', { ...container(one), resource }, () => limit);
  for (const one of pods) file.gauge('kube_pod_container_status_restarts_total', container(one), () => 0);
  for (const { member, pod } of pods)
    file.gauge('kube_pod_status_ready', { namespace: member.namespace, pod, condition: 'true' }, () => 1);
  for (const { namespace, name } of members)
    file.gauge('kube_deployment_spec_replicas', { namespace, deployment: name }, () => instances);
  for (const one of pods)
    file.counter('container_cpu_usage_seconds_total', container(one), (at) => 0.2 * wave(one.seed, at));
  for (const one of pods)
    file.gauge('container_memory_working_set_bytes', container(one), (at) => 2e8 * wave(one.seed, at));
  for (const one of pods) file.counter('container_cpu_cfs_periods_total', container(one), () => 10);
  for (const one of pods)
    file.counter('container_cpu_cfs_throttled_periods_total', container(one), () => 0.1);

  const edges = members.flatMap((client, i) =>
    client.calls.flatMap((callee, j) => {
      const server = members[callee];
      const labels = { client: client.name, server: server?.name ?? '', connection_type: '' };
      return server === undefined ? [] : [{ client, server, labels, seed: 9_000 + i * CALLS + j }];
    }),
  );
  for (const { client, labels, seed } of edges)
    file.counter('traces_service_graph_request_total', labels, rate(client, seed));
  for (const { client, server, labels, seed } of edges)
    file.counter(
      'traces_service_graph_request_failed_total',
      labels,
      (at) => rate(client, seed)(at) * failing(server)(at),
    );
  file.histogram(
    'traces_service_graph_request_server_seconds',
    BUCKETS,
    edges.map(({ client, server, labels, seed }) => ({
      labels,
      perSecond: rate(client, seed),
      typical: latency(server, seed),
    })),
  );
  const { series, samples } = file.close();
  return { symptom: symptom.name, cause: cause.name, version: '1.1.0', series, samples };
}

/** Layers that call the next one, and what is felt of a fault in the middle. */
function membersOf(
  services: number,
  instances: number,
): { members: Member[]; cause: Member; symptom: Member } {
  const width = Math.ceil(services / LAYERS);
  const members = Array.from({ length: services }, (_, i): Member => {
    const layer = Math.floor(i / width);
    const name = nameOf(i);
    const next = (j: number) => (layer + 1) * width + (((i % width) * 2 + j * 7) % width);
    return {
      name,
      namespace: `team-${i % 5}`,
      calls: [...new Set([0, 1, 2].map(next))].filter((callee) => callee < services && layer < LAYERS - 1),
      rate: 5 + (i % 7),
      latency: 0.02 + 0.03 * (LAYERS - layer),
      felt: 0,
      pods: Array.from({ length: instances }, (__, j) => ({
        pod: `${name}-6b7f9d8c4${i % 10}-${'bcdfg'[j % 5]}x2kz`,
        instance: `10.${Math.floor(i / 250)}.${i % 250}.${j + 1}:8080`,
        seed: 1 + i * instances + j,
      })),
    };
  });
  const cause = members[Math.min(services - 1, 5 * width + 3)];
  if (cause === undefined) throw new Error('A system has at least one service.');
  cause.felt = 1;
  let symptom = cause;
  let reached = [cause];
  for (let hop = 1; reached.length > 0; hop++) {
    reached = members.filter(({ calls }) => calls.some((i) => reached.some((one) => one === members[i])));
    for (const caller of reached) caller.felt = 0.7 ** hop;
    if (hop === HOPS) symptom = reached[0] ?? symptom;
  }
  return { members, cause, symptom };
}

/** Another one for each of some thousands. */
function nameOf(i: number): string {
  const pairs = FIRST.length * SECOND.length;
  const middle = i < pairs ? [] : [MIDDLE[(Math.floor(i / pairs) - 1) % MIDDLE.length]];
  return [FIRST[i % FIRST.length], ...middle, SECOND[Math.floor(i / FIRST.length) % SECOND.length]].join('-');
}

/** A level with some noise, the same each time. */
function wave(seed: number, at: number): number {
  const x = Math.sin(seed * 12.9898 + (at / 1000) * 78.233) * 43758.5453;
  return 1 + 0.05 * (2 * (x - Math.floor(x)) - 1);
}
