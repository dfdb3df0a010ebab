import type { Instance, World } from './world.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MILLISECONDS = SECONDS.map((seconds) => seconds * 1000);

export type Labels = Readonly<Record<string, string>>;
type LabelsOf = (instance: Instance, world: World) => Labels;

/** `job` and `instance` alone: static targets. */
export const staticLabels: LabelsOf = ({ part, address }) => ({ job: part.name, instance: address });
/** As the operator's ServiceMonitors label. */
export const operatorLabels: LabelsOf = ({ part, address, pod }, { namespace }) => ({
  job: part.name,
  service: part.name,
  namespace,
  pod,
  container: 'main',
  endpoint: 'http',
  instance: address,
});
/** One job for all pods, and nothing that names the service but the pod. */
export const podLabels: LabelsOf = ({ address, pod }, { namespace }) => ({
  job: 'kubernetes-pods',
  namespace,
  pod,
  instance: address,
});
/** As OpenTelemetry's collector writes them. */
export const otelLabels: LabelsOf = ({ part, seed }, { namespace }) => ({
  job: `${namespace}/${part.name}`,
  instance: `5e0d7c1a-0000-4000-8000-${String(seed).padStart(12, '0')}`,
});

/** Prometheus' plain names, with the status in a label of this name. */
export function plain(world: World, labelsOf: LabelsOf, status = 'code'): World {
  return world.each((history, one) => {
    const labels = labelsOf(one, world);
    history
      .gauge('up', labels, () => 1)
      .counter(
        'http_requests_total',
        { ...labels, method: 'GET', [status]: '200' },
        (at) => one.rate(at) * (1 - one.errors(at)),
      )
      .counter(
        'http_requests_total',
        { ...labels, method: 'GET', [status]: '503' },
        (at) => one.rate(at) * one.errors(at),
      )
      .histogram('http_request_duration_seconds', labels, one.rate, one.latency, SECONDS)
      .gauge('process_resident_memory_bytes', labels, world.level(one.seed + 30_000, 2e8))
      .gauge('process_start_time_seconds', labels, () => world.from / 1000 - 86_400)
      .counter('process_cpu_seconds_total', labels, world.level(one.seed + 40_000, 0.2));
  });
}

/** OpenTelemetry's stable HTTP metrics, and the service graph that Tempo makes of traces. */
export function openTelemetry(world: World, { graph = true } = {}): World {
  world.each((history, one) => {
    const labels = otelLabels(one, world);
    const request = { ...labels, http_request_method: 'POST', http_route: '/v1/do', url_scheme: 'http' };
    history
      .gauge('target_info', { ...labels, service_name: one.part.name, telemetry_sdk_language: 'go' }, () => 1)
      .histogram(
        'http_server_request_duration_seconds',
        { ...request, http_response_status_code: '200' },
        (at) => one.rate(at) * (1 - one.errors(at)),
        one.latency,
        SECONDS,
      )
      .histogram(
        'http_server_request_duration_seconds',
        { ...request, http_response_status_code: '500', error_type: '500' },
        (at) => one.rate(at) * one.errors(at),
        one.latency,
        SECONDS,
      );
  });
  return graph ? serviceGraph(world) : world;
}

export function serviceGraph(world: World): World {
  for (const part of world.parts) {
    for (const client of [
      'user',
      ...world.parts.filter(({ calls }) => calls.includes(part.name)).map(({ name }) => name),
    ]) {
      if (client === 'user' && world.parts.some(({ calls }) => calls.includes(part.name))) continue;
      const [one] = world.instances.filter((instance) => instance.part === part);
      if (one === undefined) continue;
      const labels = { client, server: part.name, connection_type: '' };
      const rate = (at: number) => one.rate(at) * 2;
      world.history
        .counter('traces_service_graph_request_total', labels, rate)
        .counter('traces_service_graph_request_failed_total', labels, (at) => rate(at) * one.errors(at))
        .histogram('traces_service_graph_request_server_seconds', labels, rate, one.latency, SECONDS)
        .histogram(
          'traces_service_graph_request_client_seconds',
          labels,
          rate,
          (at) => one.latency(at) + 0.002,
          SECONDS,
        );
    }
  }
  return world;
}

/** Istio's proxies, from both ends; the first ones are called by the gateway. */
export function istio(world: World): World {
  const { namespace } = world;
  return world.each((history, one) => {
    const { part } = one;
    const callers = world.parts.filter(({ calls }) => calls.includes(part.name)).map(({ name }) => name);
    const from = callers.length === 0 ? ['istio-ingressgateway'] : callers;
    for (const caller of from) {
      for (const reporter of ['source', 'destination']) {
        const labels = {
          job: 'envoy-stats',
          namespace,
          pod: reporter === 'destination' ? one.pod : `${caller}-7d9f8b6c5d-x2x4z`,
          reporter,
          source_workload: caller,
          source_workload_namespace: callers.length === 0 ? 'istio-system' : namespace,
          destination_workload: part.name,
          destination_workload_namespace: namespace,
          destination_service: `${part.name}.${namespace}.svc.cluster.local`,
          destination_service_name: part.name,
          destination_service_namespace: namespace,
          response_flags: '-',
          request_protocol: 'http',
        };
        const id = reporter === 'source' ? { upstream: one.pod } : {};
        const rate = (at: number) => one.rate(at) / from.length;
        for (const code of ['200', '503'])
          history.counter(
            'istio_requests_total',
            { ...labels, ...id, response_code: code },
            (at) => rate(at) * (code === '503' ? one.errors(at) : 1 - one.errors(at)),
          );
        history.histogram(
          'istio_request_duration_milliseconds',
          { ...labels, ...id, response_code: '200' },
          rate,
          (at) => one.latency(at) * 1000,
          MILLISECONDS,
        );
      }
    }
  });
}

/** Linkerd's proxies, inbound and outbound. */
export function linkerd(world: World): void {
  for (const one of world.instances) {
    const base = {
      namespace: world.namespace,
      pod: one.pod,
      deployment: one.part.name,
      job: 'linkerd-proxy',
      instance: one.address,
    };
    const labels = { ...base, direction: 'inbound' };
    world.history
      .counter(
        'response_total',
        { ...labels, classification: 'success', status_code: '200' },
        (at) => one.rate(at) * (1 - one.errors(at)),
      )
      .counter(
        'response_total',
        { ...labels, classification: 'failure', status_code: '500' },
        (at) => one.rate(at) * one.errors(at),
      )
      .histogram('response_latency_ms', labels, one.rate, (at) => one.latency(at) * 1000, MILLISECONDS);
    for (const callee of one.part.calls) {
      const to = world.instances.find(({ part }) => part.name === callee);
      if (!to) continue;
      const out = {
        ...base,
        direction: 'outbound',
        dst_deployment: callee,
        dst_namespace: world.namespace,
        dst_service: callee,
      };
      world.history
        .counter('response_total', { ...out, classification: 'success', status_code: '200' }, one.rate)
        .histogram('response_latency_ms', out, one.rate, (at) => to.latency(at) * 1000, MILLISECONDS);
    }
  }
}

/** Spring Boot: a timer without buckets, as it comes. */
export function spring(world: World, labelsOf: LabelsOf): World {
  return world.each((history, one) => {
    const labels = labelsOf(one, world);
    history.gauge('up', labels, () => 1);
    for (const [status, outcome, share] of [
      ['200', 'SUCCESS', (at: number) => 1 - one.errors(at)],
      ['500', 'SERVER_ERROR', one.errors],
    ] as const) {
      const request = { ...labels, uri: '/api/{id}', method: 'GET', status, outcome, exception: 'none' };
      const rate = (at: number) => one.rate(at) * share(at);
      history
        .counter('http_server_requests_seconds_count', request, rate)
        .counter('http_server_requests_seconds_sum', request, (at) => rate(at) * one.latency(at))
        .gauge('http_server_requests_seconds_max', request, (at) => one.latency(at) * 3);
    }
    history
      .gauge('jvm_memory_used_bytes', { ...labels, area: 'heap' }, world.level(one.seed + 50_000, 3e8))
      .gauge('process_start_time_seconds', labels, () => world.from / 1000 - 86_400);
  });
}

/** What kube-state-metrics tells about, by the labels that it has where its scrape job does not honor them. */
function labelsOf(world: World, labels: Record<string, string>): Record<string, string> {
  if (world.honoursLabels) return labels;
  const own = {
    namespace: 'monitoring',
    pod: 'kube-state-metrics-5b6c7d8e9f-k2m4p',
    container: 'kube-state-metrics',
  };
  const renamed = Object.entries(labels).map(([key, value]) => [
    ['namespace', 'pod', 'container'].includes(key) ? `exported_${key}` : key,
    value,
  ]);
  return { ...Object.fromEntries(renamed), ...own };
}

/** kube-state-metrics and cAdvisor: pods by namespace and name, as they label them. */
export function kubernetes(world: World): World {
  const { namespace } = world;
  const exporter = { job: 'kube-state-metrics', instance: '10.0.99.1:8080' };
  for (const part of world.parts)
    world.history.gauge(
      'kube_deployment_spec_replicas',
      labelsOf(world, { ...exporter, namespace, deployment: part.name }),
      () => part.instances ?? 2,
    );
  return world.each((history, one) => {
    const pod = { namespace, pod: one.pod };
    const container = { ...pod, container: 'main' };
    const kubelet = {
      job: 'kubelet',
      node: `node-${one.index}`,
      image: `registry.example.org/${one.part.name}:1.4.2`,
    };
    history
      .gauge(
        'kube_pod_info',
        labelsOf(world, {
          ...exporter,
          ...pod,
          node: `node-${one.index}`,
          created_by_kind: 'ReplicaSet',
          created_by_name: `${one.part.name}-7d9f8b6c5d`,
        }),
        () => 1,
      )
      .gauge('kube_pod_status_ready', labelsOf(world, { ...exporter, ...pod, condition: 'true' }), () => 1)
      .gauge(
        'kube_pod_container_resource_limits',
        labelsOf(world, { ...exporter, ...container, resource: 'cpu', unit: 'core' }),
        () => 1,
      )
      .gauge(
        'kube_pod_container_resource_limits',
        labelsOf(world, { ...exporter, ...container, resource: 'memory', unit: 'byte' }),
        () => 512e6,
      )
      .counter('container_cpu_cfs_periods_total', { ...kubelet, ...container }, () => 10);
  });
}

/** What a part's containers use, which may change at the onset. */
export function containers(
  world: World,
  usage: (instance: Instance) => {
    cpu?: readonly [number, number];
    throttled?: readonly [number, number];
    memory?: (at: number) => number;
    restarts?: (at: number) => number;
  } = () => ({}),
): World {
  const { namespace } = world;
  return world.each((history, one) => {
    const container = { namespace, pod: one.pod, container: 'main' };
    const kubelet = { job: 'kubelet', node: `node-${one.index}`, ...container };
    const {
      cpu = [0.2, 0.2],
      throttled = [0.05, 0.05],
      memory = world.level(one.seed + 60_000, 2e8),
      restarts = () => 0,
    } = usage(one);
    history
      .counter('container_cpu_usage_seconds_total', kubelet, world.level(one.seed + 70_000, ...cpu))
      .counter(
        'container_cpu_cfs_throttled_periods_total',
        kubelet,
        world.level(one.seed + 80_000, ...throttled),
      )
      .gauge('container_memory_working_set_bytes', kubelet, memory)
      .gauge(
        'kube_pod_container_status_restarts_total',
        labelsOf(world, { job: 'kube-state-metrics', ...container }),
        restarts,
      );
  });
}

/** The image of every part, and another one of one part from a moment on. */
export function images(world: World, rollout: { of: string; at: number; tag: string } | null = null): World {
  const { namespace, from, triggeredAt } = world;
  for (const one of world.instances) {
    const isNew = rollout?.of === one.part.name;
    const info = (tag: string, pod = one.pod) =>
      labelsOf(world, {
        job: 'kube-state-metrics',
        namespace,
        pod,
        container: 'main',
        image: `registry.example.org/${one.part.name}:${tag}`,
      });
    world.during(from, isNew ? rollout.at : triggeredAt, (history) =>
      history.gauge('kube_pod_container_info', info('1.4.2'), () => 1),
    );
    if (!isNew) continue;
    // New pods of another ReplicaSet.
    const next = info(rollout.tag, one.pod.replace('7d9f8b6c5d', '5c8d7f9b4b'));
    world.during(rollout.at, triggeredAt, (history) =>
      history.gauge('kube_pod_container_info', next, () => 1),
    );
  }
  return world;
}
