import { plainCallOffers, plainHttpOffers } from './plain-http.ts';
import {
  type Offer,
  type Place,
  type Red,
  reported,
  requestsErrorsLatency,
  SCRAPED,
  type Single,
  scraped,
  single,
  WORKLOAD,
  withWorkload,
} from './promql.ts';

/** A naming convention for metrics: whose they are, and what they measure. */
export interface Convention {
  /** For people: `Istio`. */
  name: string;
  /** What provides it, if it is missing: shown by `npm run doctor`. */
  hint: string;
  /** Its metric names, or prefixes ending in `*`, whether used or not. */
  claims: readonly string[];
  /** What it measures, or how that is found. */
  rows: readonly (Red | Single)[] | ((names: ReadonlySet<string>) => Offer[]);
}

/** The signals of a convention that a server with these metrics has; none if it does not follow the convention. */
export function offersOf({ rows }: Convention, names: ReadonlySet<string>): Offer[] {
  if (typeof rows === 'function') return rows(names);
  return rows.flatMap((row) => ('metric' in row ? single(names, row) : requestsErrorsLatency(names, row)));
}

/** A product's own labels for a service. */
function place(
  labels: readonly string[],
  namespace: readonly string[] = [],
  kind: Place['kind'] = 'service',
): Place {
  return { labels, namespace, kind };
}

/** The calls of the service at `at`, as it sees them. */
function outgoing(at: Place, ...callee: readonly string[]): { edge: NonNullable<Offer['edge']> } {
  return { edge: { caller: at.labels, callee, side: 'caller' } };
}

const ISTIO_CALLEE = place(
  ['destination_workload', 'destination_service_name'],
  ['destination_workload_namespace'],
);
const ISTIO_CALLER = place(['source_workload'], ['source_workload_namespace']);
const ISTIO = {
  counter: ['istio_requests_total'],
  failed: 'response_code=~"5..|0"',
  duration: ['istio_request_duration_milliseconds'],
};

const LINKERD_PLACE = place(['deployment', 'statefulset', 'daemonset', 'app'], ['namespace']);
const LINKERD = {
  place: LINKERD_PLACE,
  counter: ['response_total'],
  failed: 'classification="failure"',
  duration: ['response_latency_ms'],
};

/** OpenTelemetry's stable names have other labels than the older ones. */
const otelStatus = (duration: string) =>
  duration.includes('request') ? 'http_response_status_code=~"5.."' : 'http_status_code=~"5.."';

const GRAPH_ENDS = { caller: ['client'], callee: ['server'] };

const ENVOY = place(['envoy_cluster_name']);
const ENVOY_ALL = 'sum $by (rate(envoy_cluster_upstream_rq_xx[$rate]))';
const ENVOY_FAILED = 'sum $by (rate(envoy_cluster_upstream_rq_xx{envoy_response_code_class="5"}[$rate]))';

const COROOT = place(['app_id', 'container_id']);
const COROOT_PROTOCOLS = [
  'http',
  'postgres',
  'mysql',
  'mongo',
  'redis',
  'kafka',
  'rabbitmq',
  'cassandra',
  'memcached',
];

const RESTARTS = 'kube_pod_container_status_restarts_total';
const REASON = 'kube_pod_container_status_last_terminated_reason';
const RECENT_RESTARTS = reported(`increase(${RESTARTS}[$rate])`);
const OOM_KILLED = reported(`${REASON}{reason="OOMKilled"}`);

const CONTAINERS = '{container!="",container!="POD"}';
const ofContainers = (metric: string) => `sum $by (${withWorkload(`rate(${metric}${CONTAINERS}[$rate])`)})`;
const LIMITS = 'kube_pod_container_resource_limits';
const containerLimit = (resource: string) => ({
  metric: LIMITS,
  promql: `sum $by (${withWorkload(reported(`${LIMITS}{resource="${resource}"}`))})`,
});

const NODE = { place: place(['nodename', 'node', 'instance'], [], 'unknown'), unit: '1' };
const PROBE = place(['target', 'instance'], [], 'external');
const DATABASE = scraped('database');
const CACHE = scraped('cache');
const KAFKA_GROUP = place(['consumergroup', 'consumer_group', 'group'], [], 'queue');
const RABBITMQ_QUEUE = place(['queue'], [], 'queue');

/** The convention whose services are volumes. */
export const VOLUMES = 'kubelet volumes';

/** A volume, by its claim. */
export const PVC = place(['persistentvolumeclaim'], ['namespace'], 'unknown');

/** In order of trust: if two measure the same thing for a service, the earlier one wins. */
export const CONVENTIONS: readonly Convention[] = [
  {
    name: 'Istio',
    hint: 'Istio’s telemetry, scraped from its proxies',
    claims: ['istio_*'],
    rows: [
      { ...ISTIO, place: ISTIO_CALLEE, matchers: 'reporter="destination"' },
      {
        ...ISTIO,
        place: ISTIO_CALLER,
        what: 'outgoing',
        matchers: 'reporter="source"',
        ...outgoing(ISTIO_CALLER, ...ISTIO_CALLEE.labels),
      },
    ],
  },
  {
    name: 'Linkerd',
    hint: 'Linkerd’s proxies, scraped by your own Prometheus',
    claims: ['response_total', 'response_latency_ms*', 'request_total', 'tcp_*'],
    rows: (names) =>
      names.has('response_latency_ms_bucket')
        ? [
            ...requestsErrorsLatency(names, { ...LINKERD, matchers: 'direction="inbound"' }),
            ...requestsErrorsLatency(names, {
              ...LINKERD,
              what: 'outgoing',
              matchers: 'direction="outbound"',
              ...outgoing(LINKERD_PLACE, 'dst_deployment', 'dst_statefulset', 'dst_service'),
            }),
          ]
        : [],
  },
  {
    // Of Tempo's generator, and of both generations of the collector's connector.
    name: 'span metrics',
    hint: 'the metrics-generator of Tempo with `span-metrics`, or the `spanmetrics` connector of the OpenTelemetry Collector',
    claims: [
      'traces_spanmetrics_*',
      'traces_span_metrics_*',
      'calls_total',
      'duration_milliseconds*',
      'duration_seconds*',
    ],
    rows: (names) => {
      const counter = [
        'traces_spanmetrics_calls_total',
        'traces_span_metrics_calls_total',
        'calls_total',
      ].filter((name) => names.has(name));
      return counter.length === 0
        ? []
        : requestsErrorsLatency(names, {
            place: place(['service_name', 'service', 'exported_service'], ['service_namespace', 'namespace']),
            counter,
            matchers: 'span_kind=~"SPAN_KIND_SERVER|SPAN_KIND_CONSUMER"',
            failed: 'status_code="STATUS_CODE_ERROR"',
            duration: [
              'traces_spanmetrics_latency',
              'traces_span_metrics_duration_seconds',
              'traces_span_metrics_duration_milliseconds',
              'duration_milliseconds',
              'duration_seconds',
              'latency',
            ],
            // Tempo's older name does not contain the unit; its documentation gives it.
            latencyUnit: 's',
          });
    },
  },
  {
    name: 'OpenTelemetry HTTP',
    hint: 'OpenTelemetry’s HTTP instrumentation',
    claims: ['http_server_*', 'http_client_*'],
    rows: [
      {
        place: SCRAPED,
        duration: [
          'http_server_request_duration_seconds',
          'http_server_duration_milliseconds',
          'http_server_duration',
        ],
        failed: otelStatus,
      },
      {
        place: SCRAPED,
        what: 'outgoing',
        duration: [
          'http_client_request_duration_seconds',
          'http_client_duration_milliseconds',
          'http_client_duration',
        ],
        failed: otelStatus,
        ...outgoing(SCRAPED, 'server_address', 'net_peer_name', 'peer_service'),
      },
    ],
  },
  {
    name: 'OpenTelemetry RPC',
    hint: 'OpenTelemetry’s gRPC instrumentation',
    claims: ['rpc_server_*', 'rpc_client_*'],
    rows: [
      {
        place: SCRAPED,
        duration: [
          'rpc_server_call_duration_seconds',
          'rpc_server_duration_milliseconds',
          'rpc_server_duration',
        ],
        // The codes that are the server's fault.
        failed: 'rpc_grpc_status_code=~"2|4|8|12|13|14|15"',
      },
    ],
  },
  {
    name: 'Spring',
    hint: 'Spring Boot’s actuator with `micrometer-registry-prometheus`',
    claims: ['http_server_requests_seconds*', 'http_client_requests_seconds*'],
    rows: [
      { place: SCRAPED, duration: ['http_server_requests_seconds'], failed: 'status=~"5.."' },
      {
        place: SCRAPED,
        what: 'outgoing',
        duration: ['http_client_requests_seconds'],
        failed: 'status=~"5..|CLIENT_ERROR|IO_ERROR"',
        ...outgoing(SCRAPED, 'client_name', 'clientName'),
      },
    ],
  },
  {
    name: 'gRPC',
    hint: 'go-grpc-prometheus, or the interceptors of another language',
    claims: ['grpc_server_*', 'grpc_client_*'],
    rows: [
      {
        place: SCRAPED,
        counter: ['grpc_server_handled_total'],
        failed:
          'grpc_code=~"Unknown|DeadlineExceeded|ResourceExhausted|Unimplemented|Internal|Unavailable|DataLoss"',
        duration: ['grpc_server_handling_seconds'],
      },
    ],
  },
  {
    name: 'plain HTTP',
    hint: 'a counter `http_requests_total` with a label `code`, and a histogram `http_request_duration_seconds`',
    claims: ['http_requests_total', 'http_request_duration_seconds*'],
    rows: plainHttpOffers,
  },
  {
    name: 'plain calls',
    hint: 'a counter `http_client_requests_total` with labels `target` and `code`',
    claims: ['http_client_requests_total'],
    rows: plainCallOffers,
  },
  {
    name: 'Envoy',
    hint: 'Envoy’s `/stats/prometheus`',
    claims: ['envoy_*'],
    rows: [
      {
        place: ENVOY,
        counter: ['envoy_cluster_upstream_rq_total'],
        duration: ['envoy_cluster_upstream_rq_time'],
        latencyUnit: 'ms',
      },
      {
        metric: 'envoy_cluster_upstream_rq_xx',
        label: 'error rate',
        measure: 'errors',
        unit: '1',
        place: ENVOY,
        promql: `(${ENVOY_FAILED} or 0 * ${ENVOY_ALL}) / (${ENVOY_ALL} > 0)`,
      },
    ],
  },
  {
    name: 'nginx ingress',
    hint: 'ingress-nginx with `controller.metrics.enabled`',
    claims: ['nginx_ingress_*'],
    rows: [
      {
        place: place(['exported_service', 'service', 'ingress'], ['exported_namespace', 'namespace']),
        what: 'ingress',
        counter: ['nginx_ingress_controller_requests'],
        failed: 'status=~"5.."',
        duration: ['nginx_ingress_controller_request_duration_seconds'],
      },
    ],
  },
  {
    // Its label contains the provider and the port: `default-cart-80@kubernetes`.
    name: 'Traefik',
    hint: 'Traefik with `--metrics.prometheus`',
    claims: ['traefik_*'],
    rows: [
      {
        place: place(['exported_service', 'service']),
        what: 'ingress',
        counter: ['traefik_service_requests_total'],
        failed: 'code=~"5.."',
        duration: ['traefik_service_request_duration_seconds'],
      },
    ],
  },
  {
    name: 'service graph',
    hint: 'the metrics-generator of Tempo with `service-graphs`, or the `servicegraph` connector of the OpenTelemetry Collector',
    claims: ['traces_service_graph_*'],
    rows: [
      {
        place: place(['server'], ['server_service_namespace'], 'unknown'),
        what: 'edge',
        counter: ['traces_service_graph_request_total'],
        failedCounter: 'traces_service_graph_request_failed_total',
        duration: [
          'traces_service_graph_request_server_seconds',
          'traces_service_graph_request_server_seconds_total',
        ],
        edge: { ...GRAPH_ENDS, side: 'callee' },
      },
      {
        place: place(['client'], ['server_service_namespace'], 'unknown'),
        what: 'outgoing',
        duration: [
          'traces_service_graph_request_client_seconds',
          'traces_service_graph_request_client_seconds_total',
        ],
        only: 'latency',
        edge: { ...GRAPH_ENDS, side: 'caller' },
      },
    ],
  },
  {
    name: 'OpenTelemetry database',
    hint: 'OpenTelemetry’s instrumentation of database clients',
    claims: ['db_client_*'],
    rows: [
      {
        place: SCRAPED,
        what: 'query',
        duration: ['db_client_operation_duration_seconds'],
        failed: 'error_type!=""',
        ...outgoing(SCRAPED, 'server_address', 'db_namespace', 'db_system_name'),
      },
      {
        metric: 'db_client_connection_count',
        label: 'connections in use',
        measure: 'connections',
        unit: '{connection}',
        place: SCRAPED,
        promql: 'sum $by (db_client_connection_count{state="used"})',
        limit: { metric: 'db_client_connection_max', promql: 'sum $by (db_client_connection_max)' },
      },
      {
        metric: 'db_client_connection_pending_requests',
        label: 'requests waiting for a connection',
        measure: 'waiting',
        unit: '{request}',
        place: SCRAPED,
        promql: 'sum $by (db_client_connection_pending_requests)',
      },
    ],
  },
  {
    name: 'OpenTelemetry messaging',
    hint: 'OpenTelemetry’s instrumentation of messaging clients',
    claims: ['messaging_*'],
    rows: [
      {
        place: SCRAPED,
        what: 'message',
        duration: ['messaging_process_duration_seconds'],
        failed: 'error_type!=""',
      },
      {
        place: SCRAPED,
        what: 'messaging',
        duration: ['messaging_client_operation_duration_seconds'],
        failed: 'error_type!=""',
        ...outgoing(SCRAPED, 'messaging_destination_name', 'server_address'),
      },
    ],
  },
  {
    // Containers' connections, without instrumentation.
    name: 'Coroot agent',
    hint: 'coroot-node-agent on every node',
    claims: COROOT_PROTOCOLS.flatMap((name) => [
      `container_${name}_requests_*`,
      `container_${name}_queries_*`,
    ]),
    rows: (names) =>
      COROOT_PROTOCOLS.flatMap((protocol) => {
        const noun = names.has(`container_${protocol}_queries_total`) ? 'queries' : 'requests';
        return requestsErrorsLatency(names, {
          place: COROOT,
          what: protocol === 'http' ? 'outgoing' : protocol,
          counter: [`container_${protocol}_${noun}_total`],
          failed: 'status=~"5..|failed"',
          duration: [`container_${protocol}_${noun}_duration_seconds_total`],
          ...outgoing(COROOT, 'actual_destination', 'destination'),
        });
      }),
  },
  {
    // Also used for rollouts: see `rollouts.ts`.
    name: 'kube-state-metrics',
    hint: 'kube-state-metrics',
    claims: ['kube_*'],
    rows: [
      {
        metric: RESTARTS,
        label: 'restarts',
        measure: 'restarts',
        unit: '{restart}',
        metricType: 'sum',
        place: WORKLOAD,
        promql: `sum $by (${withWorkload(RECENT_RESTARTS)})`,
      },
      {
        metric: REASON,
        needs: [RESTARTS],
        label: 'OOM kills',
        measure: 'oom-kills',
        unit: '{kill}',
        metricType: 'sum',
        place: WORKLOAD,
        promql: `sum $by (${withWorkload(`(${RECENT_RESTARTS} > 0) * on (namespace, pod, container) group_left () (${OOM_KILLED} == 1)`)}) or 0 * sum $by (${withWorkload(reported(RESTARTS))})`,
      },
      {
        metric: 'kube_pod_status_ready',
        label: 'pods ready',
        measure: 'up',
        unit: '{pod}',
        bad: 'low',
        place: WORKLOAD,
        promql: `sum $by (${withWorkload(reported('kube_pod_status_ready{condition="true"}'))})`,
      },
    ],
  },
  {
    name: 'cAdvisor',
    hint: 'the kubelet’s `/metrics/cadvisor`',
    claims: [
      'container_cpu_*',
      'container_memory_*',
      'container_network_*',
      'container_fs_*',
      'container_spec_*',
      'machine_*',
    ],
    rows: [
      {
        metric: 'container_cpu_usage_seconds_total',
        label: 'CPU usage',
        measure: 'cpu',
        unit: '{core}',
        place: WORKLOAD,
        promql: ofContainers('container_cpu_usage_seconds_total'),
        limit: containerLimit('cpu'),
      },
      {
        metric: 'container_memory_working_set_bytes',
        label: 'memory working set',
        measure: 'memory',
        unit: 'By',
        place: WORKLOAD,
        promql: `sum $by (${withWorkload(`container_memory_working_set_bytes${CONTAINERS}`)})`,
        limit: containerLimit('memory'),
      },
      {
        metric: 'container_cpu_cfs_throttled_periods_total',
        needs: ['container_cpu_cfs_periods_total'],
        label: 'CPU throttling',
        measure: 'throttling',
        unit: '1',
        place: WORKLOAD,
        promql: `${ofContainers('container_cpu_cfs_throttled_periods_total')} / (${ofContainers('container_cpu_cfs_periods_total')} > 0)`,
      },
    ],
  },
  {
    name: VOLUMES,
    hint: 'the kubelet’s `/metrics`',
    claims: ['kubelet_*'],
    rows: [
      {
        metric: 'kubelet_volume_stats_available_bytes',
        needs: ['kubelet_volume_stats_capacity_bytes'],
        label: 'disk usage',
        measure: 'disk',
        unit: '1',
        place: PVC,
        promql: 'max $by (1 - kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes)',
      },
    ],
  },
  {
    // CPU and memory are shared by everything running there; a full disk is a problem in itself.
    name: 'node exporter',
    hint: 'node_exporter on every machine',
    claims: ['node_*'],
    rows: [
      {
        ...NODE,
        metric: 'node_cpu_seconds_total',
        label: 'node CPU usage',
        measure: 'cpu',
        shared: true,
        promql: '1 - avg $by (rate(node_cpu_seconds_total{mode="idle"}[$rate]))',
      },
      {
        ...NODE,
        metric: 'node_memory_MemAvailable_bytes',
        needs: ['node_memory_MemTotal_bytes'],
        label: 'node memory usage',
        measure: 'memory',
        shared: true,
        promql: 'max $by (1 - node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes)',
      },
      {
        ...NODE,
        metric: 'node_filesystem_avail_bytes',
        needs: ['node_filesystem_size_bytes'],
        label: 'node disk usage',
        measure: 'disk',
        shared: false,
        promql:
          'max $by (1 - node_filesystem_avail_bytes{fstype!~"tmpfs|overlay|squashfs"} / node_filesystem_size_bytes)',
      },
    ],
  },
  {
    name: 'blackbox exporter',
    hint: 'blackbox_exporter',
    claims: ['probe_*'],
    rows: [
      {
        metric: 'probe_success',
        label: 'successful probes',
        measure: 'success',
        unit: '1',
        bad: 'low',
        place: PROBE,
        promql: 'min $by (probe_success)',
      },
      {
        metric: 'probe_duration_seconds',
        label: 'probe duration',
        measure: 'latency',
        unit: 's',
        place: PROBE,
        promql: 'max $by (probe_duration_seconds)',
      },
      {
        metric: 'probe_ssl_earliest_cert_expiry',
        label: 'time to certificate expiry',
        measure: 'certificate',
        unit: 's',
        bad: 'low',
        place: PROBE,
        promql: 'min $by (probe_ssl_earliest_cert_expiry - time())',
      },
    ],
  },
  {
    name: 'PostgreSQL',
    hint: 'postgres_exporter',
    claims: ['pg_*'],
    rows: [
      {
        metric: 'pg_stat_activity_count',
        label: 'connections in use',
        measure: 'connections',
        unit: '{connection}',
        place: DATABASE,
        promql: 'sum $by (pg_stat_activity_count)',
        limit: { metric: 'pg_settings_max_connections', promql: 'max $by (pg_settings_max_connections)' },
      },
      {
        metric: 'pg_stat_database_xact_commit',
        label: 'transactions',
        measure: 'requests',
        unit: '{transaction}/s',
        bad: 'low',
        place: DATABASE,
        promql: 'sum $by (rate(pg_stat_database_xact_commit[$rate]))',
      },
      {
        metric: 'pg_stat_activity_max_tx_duration',
        label: 'longest transaction',
        measure: 'latency',
        unit: 's',
        place: DATABASE,
        promql: 'max $by (pg_stat_activity_max_tx_duration)',
      },
      {
        metric: 'pg_up',
        label: 'up',
        measure: 'up',
        unit: '{instance}',
        bad: 'low',
        place: DATABASE,
        promql: 'sum $by (pg_up)',
      },
    ],
  },
  {
    name: 'Redis',
    hint: 'redis_exporter',
    claims: ['redis_*'],
    rows: [
      {
        metric: 'redis_commands_processed_total',
        label: 'throughput',
        measure: 'requests',
        unit: '{command}/s',
        bad: 'low',
        place: CACHE,
        promql: 'sum $by (rate(redis_commands_processed_total[$rate]))',
      },
      {
        metric: 'redis_memory_used_bytes',
        label: 'memory usage',
        measure: 'memory',
        unit: 'By',
        place: CACHE,
        promql: 'sum $by (redis_memory_used_bytes)',
        limit: { metric: 'redis_memory_max_bytes', promql: 'sum $by (redis_memory_max_bytes > 0)' },
      },
      {
        metric: 'redis_connected_clients',
        label: 'connections in use',
        measure: 'connections',
        unit: '{connection}',
        place: CACHE,
        promql: 'sum $by (redis_connected_clients)',
        limit: { metric: 'redis_config_maxclients', promql: 'sum $by (redis_config_maxclients)' },
      },
      {
        metric: 'redis_keyspace_hits_total',
        needs: ['redis_keyspace_misses_total'],
        label: 'cache hit ratio',
        measure: 'cache-hits',
        unit: '1',
        bad: 'low',
        place: CACHE,
        promql:
          'sum $by (rate(redis_keyspace_hits_total[$rate])) / (sum $by (rate(redis_keyspace_hits_total[$rate])) + sum $by (rate(redis_keyspace_misses_total[$rate])) > 0)',
      },
      {
        metric: 'redis_up',
        label: 'up',
        measure: 'up',
        unit: '{instance}',
        bad: 'low',
        place: CACHE,
        promql: 'sum $by (redis_up)',
      },
    ],
  },
  {
    name: 'Kafka',
    hint: 'kafka_exporter',
    claims: ['kafka_*'],
    rows: [
      {
        metric: 'kafka_consumergroup_lag',
        label: 'consumer lag',
        measure: 'queue',
        unit: '{message}',
        place: KAFKA_GROUP,
        promql: 'sum $by (kafka_consumergroup_lag)',
      },
      {
        metric: 'kafka_consumergroup_current_offset',
        label: 'messages consumed',
        measure: 'requests',
        unit: '{message}/s',
        bad: 'low',
        place: KAFKA_GROUP,
        promql: 'sum $by (rate(kafka_consumergroup_current_offset[$rate]))',
      },
    ],
  },
  {
    name: 'RabbitMQ',
    hint: 'RabbitMQ’s `rabbitmq_prometheus` plugin, with per-object metrics',
    claims: ['rabbitmq_*'],
    rows: [
      {
        metric: 'rabbitmq_queue_messages_ready',
        label: 'queue depth',
        measure: 'queue',
        unit: '{message}',
        place: RABBITMQ_QUEUE,
        promql: 'sum $by (rabbitmq_queue_messages_ready{queue!=""})',
      },
      {
        metric: 'rabbitmq_queue_consumers',
        label: 'consumers',
        // A queue without consumers is not an outage of the queue: it fills up.
        measure: 'other',
        unit: '{consumer}',
        bad: 'low',
        place: RABBITMQ_QUEUE,
        promql: 'sum $by (rabbitmq_queue_consumers{queue!=""})',
      },
    ],
  },
  {
    name: 'HikariCP',
    hint: 'HikariCP with Micrometer',
    claims: ['hikaricp_*'],
    rows: [
      {
        metric: 'hikaricp_connections_active',
        label: 'connections in use',
        measure: 'connections',
        unit: '{connection}',
        place: SCRAPED,
        promql: 'sum $by (hikaricp_connections_active)',
        limit: { metric: 'hikaricp_connections_max', promql: 'sum $by (hikaricp_connections_max)' },
      },
      {
        metric: 'hikaricp_connections_pending',
        label: 'requests waiting for a connection',
        measure: 'waiting',
        unit: '{request}',
        place: SCRAPED,
        promql: 'sum $by (hikaricp_connections_pending)',
      },
    ],
  },
  {
    // Prometheus repeats the last sample of a vanished service for five minutes, unless the newest one is asked for.
    name: 'process metrics',
    hint: 'the default metrics of a Prometheus client library',
    claims: [
      'process_*',
      'up',
      'go_*',
      'jvm_*',
      'nodejs_*',
      'python_*',
      'promhttp_*',
      'scrape_*',
      'prometheus_*',
      'target_info',
      'ALERTS*',
    ],
    rows: [
      {
        metric: 'up',
        label: 'instances up',
        measure: 'up',
        unit: '{instance}',
        bad: 'low',
        place: SCRAPED,
        promql: 'sum $by (last_over_time(up[$rate]))',
      },
      {
        metric: 'process_start_time_seconds',
        label: 'restarts',
        measure: 'restarts',
        unit: '{restart}',
        place: SCRAPED,
        promql: 'sum $by (changes(process_start_time_seconds[$rate]))',
      },
      {
        metric: 'process_cpu_seconds_total',
        label: 'CPU usage',
        measure: 'cpu',
        unit: '{core}',
        place: SCRAPED,
        promql: 'sum $by (rate(process_cpu_seconds_total[$rate]))',
      },
      {
        metric: 'process_resident_memory_bytes',
        label: 'resident memory',
        measure: 'memory',
        unit: 'By',
        place: SCRAPED,
        promql: 'max $by (last_over_time(process_resident_memory_bytes[$rate]))',
      },
      {
        metric: 'process_open_fds',
        label: 'open files',
        measure: 'other',
        unit: '{file}',
        place: SCRAPED,
        promql: 'max $by (last_over_time(process_open_fds[$rate]))',
        limit: { metric: 'process_max_fds', promql: 'max $by (process_max_fds)' },
      },
    ],
  },
];
