import type { Measure } from '../model.ts';
import { type Place, reported, SCRAPED, type Single, scraped, WORKLOAD, withWorkload } from './promql.ts';

/** A product's own labels for a service. */
export function place(
  labels: readonly string[],
  namespace: readonly string[] = [],
  kind: Place['kind'] = 'service',
): Place {
  return { labels, namespace, kind };
}

/** A volume, by its claim. */
export const PVC = place(['persistentvolumeclaim'], ['namespace'], 'unknown');

const DATABASE = scraped('database');
const CACHE = scraped('cache');
const PROBE = place(['target', 'instance'], [], 'external');
const MACHINE = place(['nodename', 'node', 'instance'], [], 'unknown');
const queue = (...labels: string[]) => place(labels, [], 'queue');
/** Containers without Kubernetes, by the labels that their orchestrator gives them. */
const CONTAINER = place([
  'container_label_com_docker_compose_service',
  'container_label_com_docker_swarm_service_name',
  'container_label_com_hashicorp_nomad_task_name',
]);

const inPods = (metric: string) => withWorkload(`${metric}{container!="",container!="POD"}`);
const perPod = (metric: string) =>
  `sum $by (${withWorkload(`rate(${metric}{container!="",container!="POD"}[$rate])`)})`;
const LIMITS = 'kube_pod_container_resource_limits';
const podLimit = (resource: string, combine: 'sum' | 'max') => ({
  metric: LIMITS,
  promql: `${combine} $by (${withWorkload(reported(`${LIMITS}{resource="${resource}"}`))})`,
});
const RESTARTS = 'kube_pod_container_status_restarts_total';
const REASON = 'kube_pod_container_status_last_terminated_reason';
const RECENT_RESTARTS = reported(`increase(${RESTARTS}[$events])`);
const OOM_KILLED = reported(`${REASON}{reason="OOMKilled"}`);

/** The mean of what a histogram or a summary counts. */
const meanOf = (base: string) =>
  `sum $by (rate(${base}_sum[$rate])) / (sum $by (rate(${base}_count[$rate])) > 0)`;
/** Hits as a share of hits and misses. */
const ratio = (hits: string, misses: string) =>
  `sum $by (rate(${hits}[$rate])) / (sum $by (rate(${hits}[$rate])) + sum $by (rate(${misses}[$rate])) > 0)`;
/** A certificate's name without what says that it is one. */
const nameOfCertificate = (metric: string) =>
  `label_replace(${metric}, "name", "$1", "name", "(.+?)(?:-(?:tls|cert|certificate))?")`;

/** What is usual for a measure; a row may differ. */
const USUAL: Readonly<
  Partial<Record<Measure, Pick<Single, 'label' | 'unit'> & Partial<Pick<Single, 'bad' | 'metricType'>>>>
> = {
  memory: { label: 'memory usage', unit: 'By' },
  'oom-kills': { label: 'OOM kills', unit: '{kill}', metricType: 'sum' },
  restarts: { label: 'restarts', unit: '{restart}', metricType: 'sum' },
  cpu: { label: 'CPU usage', unit: '{core}' },
  throttling: { label: 'CPU throttling', unit: '1' },
  connections: { label: 'connections in use', unit: '{connection}' },
  waiting: { label: 'requests waiting for a connection', unit: '{request}' },
  queries: { label: 'mean query time', unit: 's' },
  latency: { label: 'longest transaction', unit: 's' },
  requests: { label: 'throughput', unit: '{request}/s', bad: 'low' },
  disk: { label: 'disk usage', unit: '1' },
  certificate: { label: 'time to certificate expiry', unit: 's', bad: 'low' },
  'cache-hits': { label: 'cache hit ratio', unit: '1', bad: 'low' },
  up: { label: 'up', unit: '{instance}', bad: 'low' },
  success: { label: 'successful probes', unit: '1', bad: 'low' },
  queue: { label: 'queue depth', unit: '{message}' },
  lag: { label: 'age of the oldest message', unit: 's' },
};

type Row = Omit<Single, 'measure' | 'label' | 'unit' | 'promql' | 'limit'> &
  Partial<Pick<Single, 'label' | 'unit'>> & {
    /** The convention. */
    of: string;
    /** By default the largest value of the metric. */
    promql?: string;
    /** The metric of its upper limit, or how that is computed. */
    limit?: string | NonNullable<Single['limit']>;
  };

/**
 * What shows that something runs out, waits, is gone or is slow below a service, by measure: the same sign under the
 * names of each convention. The fault kinds read measures only.
 */
const SIGNS: readonly (readonly [Measure, readonly Row[]])[] = [
  [
    'memory',
    [
      // Of one pod, not of all: twice as many run during a rollout, and one of them may leak alone.
      {
        of: 'cAdvisor',
        place: WORKLOAD,
        metric: 'container_memory_working_set_bytes',
        label: 'memory working set',
        promql: `max $by (${inPods('container_memory_working_set_bytes')})`,
        limit: podLimit('memory', 'max'),
      },
      {
        of: 'containers',
        place: CONTAINER,
        metric: 'container_memory_working_set_bytes',
        label: 'memory working set',
        limit: {
          metric: 'container_spec_memory_limit_bytes',
          promql: 'max $by (container_spec_memory_limit_bytes > 0)',
        },
      },
      {
        of: 'process metrics',
        place: SCRAPED,
        metric: 'process_resident_memory_bytes',
        label: 'resident memory',
        promql: 'max $by (last_over_time(process_resident_memory_bytes[$rate]))',
      },
      {
        of: 'JVM',
        place: SCRAPED,
        metric: 'jvm_memory_used_bytes',
        label: 'old generation',
        promql: 'max $by (jvm_memory_used_bytes{area="heap",id=~".*(?:Old|Tenured).*"})',
        limit: {
          metric: 'jvm_memory_max_bytes',
          promql: 'max $by (jvm_memory_max_bytes{area="heap",id=~".*(?:Old|Tenured).*"} > 0)',
        },
      },
      {
        of: 'Redis',
        place: CACHE,
        metric: 'redis_memory_used_bytes',
        promql: 'sum $by (redis_memory_used_bytes)',
        limit: { metric: 'redis_memory_max_bytes', promql: 'sum $by (redis_memory_max_bytes > 0)' },
      },
      {
        of: 'node exporter',
        place: MACHINE,
        shared: true,
        metric: 'node_memory_MemAvailable_bytes',
        needs: ['node_memory_MemTotal_bytes'],
        label: 'node memory usage',
        unit: '1',
        promql: 'max $by (1 - node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes)',
      },
    ],
  ],
  [
    'oom-kills',
    [
      {
        of: 'kube-state-metrics',
        place: WORKLOAD,
        metric: REASON,
        needs: [RESTARTS],
        promql: `sum $by (${withWorkload(`(${RECENT_RESTARTS} > 0) * on (namespace, pod, container) group_left () (${OOM_KILLED} == 1)`)}) or 0 * sum $by (${withWorkload(reported(RESTARTS))})`,
      },
      {
        of: 'containers',
        place: CONTAINER,
        metric: 'container_oom_events_total',
        promql: 'sum $by (increase(container_oom_events_total[$events]))',
      },
    ],
  ],
  [
    'restarts',
    [
      {
        of: 'kube-state-metrics',
        place: WORKLOAD,
        metric: RESTARTS,
        promql: `sum $by (${withWorkload(RECENT_RESTARTS)})`,
      },
      {
        of: 'containers',
        place: CONTAINER,
        metric: 'container_start_time_seconds',
        promql: 'sum $by (changes(container_start_time_seconds[$events]))',
      },
      {
        of: 'process metrics',
        place: SCRAPED,
        metric: 'process_start_time_seconds',
        promql: 'sum $by (changes(process_start_time_seconds[$events]))',
      },
    ],
  ],
  [
    'cpu',
    [
      {
        of: 'cAdvisor',
        place: WORKLOAD,
        metric: 'container_cpu_usage_seconds_total',
        promql: perPod('container_cpu_usage_seconds_total'),
        limit: podLimit('cpu', 'sum'),
      },
      {
        of: 'containers',
        place: CONTAINER,
        metric: 'container_cpu_usage_seconds_total',
        promql: 'sum $by (rate(container_cpu_usage_seconds_total[$rate]))',
      },
      {
        of: 'process metrics',
        place: SCRAPED,
        metric: 'process_cpu_seconds_total',
        promql: 'sum $by (rate(process_cpu_seconds_total[$rate]))',
      },
      { of: 'JVM', place: SCRAPED, metric: 'process_cpu_usage', unit: '1' },
      // CPU and memory of a machine are shared by everything running there; a full disk is a problem in itself.
      {
        of: 'node exporter',
        place: MACHINE,
        shared: true,
        metric: 'node_cpu_seconds_total',
        label: 'node CPU usage',
        unit: '1',
        promql: '1 - avg $by (rate(node_cpu_seconds_total{mode="idle"}[$rate]))',
      },
    ],
  ],
  [
    'throttling',
    [
      {
        of: 'cAdvisor',
        place: WORKLOAD,
        metric: 'container_cpu_cfs_throttled_periods_total',
        needs: ['container_cpu_cfs_periods_total'],
        promql: `${perPod('container_cpu_cfs_throttled_periods_total')} / (${perPod('container_cpu_cfs_periods_total')} > 0)`,
      },
      {
        of: 'containers',
        place: CONTAINER,
        metric: 'container_cpu_cfs_throttled_periods_total',
        needs: ['container_cpu_cfs_periods_total'],
        promql:
          'sum $by (rate(container_cpu_cfs_throttled_periods_total[$rate])) / (sum $by (rate(container_cpu_cfs_periods_total[$rate])) > 0)',
      },
    ],
  ],
  [
    'connections',
    [
      // Of the fullest pool, not of all: twice as many exist during a rollout.
      {
        of: 'HikariCP',
        place: SCRAPED,
        metric: 'hikaricp_connections_active',
        limit: 'hikaricp_connections_max',
      },
      {
        of: 'OpenTelemetry database',
        place: SCRAPED,
        metric: 'db_client_connection_count',
        promql:
          'max $by (db_client_connection_count{db_client_connection_state="used"} or db_client_connection_count{state="used"})',
        limit: 'db_client_connection_max',
      },
      {
        of: 'OpenTelemetry database',
        place: SCRAPED,
        metric: 'db_client_connections_usage',
        promql: 'max $by (db_client_connections_usage{state="used"})',
        limit: 'db_client_connections_max',
      },
      {
        of: 'Go database/sql',
        place: SCRAPED,
        metric: 'go_sql_in_use_connections',
        limit: { metric: 'go_sql_max_open_connections', promql: 'max $by (go_sql_max_open_connections > 0)' },
      },
      {
        of: 'Go database/sql',
        place: SCRAPED,
        metric: 'go_sql_stats_connections_in_use',
        limit: {
          metric: 'go_sql_stats_connections_max_open',
          promql: 'max $by (go_sql_stats_connections_max_open > 0)',
        },
      },
      {
        of: 'Tomcat',
        place: SCRAPED,
        metric: 'tomcat_threads_busy_threads',
        label: 'busy threads of the pool',
        unit: '{thread}',
        limit: 'tomcat_threads_config_max_threads',
      },
      {
        of: 'PgBouncer',
        place: DATABASE,
        metric: 'pgbouncer_pools_server_active_connections',
        limit: 'pgbouncer_databases_pool_size',
      },
      {
        of: 'PostgreSQL',
        place: DATABASE,
        metric: 'pg_stat_activity_count',
        promql: 'sum $by (pg_stat_activity_count)',
        limit: 'pg_settings_max_connections',
      },
      {
        of: 'MySQL',
        place: DATABASE,
        metric: 'mysql_global_status_threads_connected',
        limit: 'mysql_global_variables_max_connections',
      },
      {
        of: 'MongoDB',
        place: DATABASE,
        metric: 'mongodb_ss_connections',
        promql: 'max $by (mongodb_ss_connections{conn_type="current"})',
      },
      {
        of: 'Redis',
        place: CACHE,
        metric: 'redis_connected_clients',
        promql: 'sum $by (redis_connected_clients)',
        limit: { metric: 'redis_config_maxclients', promql: 'sum $by (redis_config_maxclients)' },
      },
    ],
  ],
  [
    'waiting',
    [
      {
        of: 'HikariCP',
        place: SCRAPED,
        metric: 'hikaricp_connections_pending',
        promql: 'sum $by (hikaricp_connections_pending)',
      },
      {
        of: 'OpenTelemetry database',
        place: SCRAPED,
        metric: 'db_client_connection_pending_requests',
        promql: 'sum $by (db_client_connection_pending_requests)',
      },
      {
        of: 'OpenTelemetry database',
        place: SCRAPED,
        metric: 'db_client_connections_pending_requests',
        promql: 'sum $by (db_client_connections_pending_requests)',
      },
      {
        of: 'Go database/sql',
        place: SCRAPED,
        metric: 'go_sql_wait_count_total',
        label: 'waits for a connection',
        unit: '{request}/s',
        promql: 'sum $by (rate(go_sql_wait_count_total[$rate]))',
      },
      {
        of: 'Go database/sql',
        place: SCRAPED,
        metric: 'go_sql_stats_connections_waited_for',
        label: 'waits for a connection',
        unit: '{request}/s',
        promql: 'sum $by (rate(go_sql_stats_connections_waited_for[$rate]))',
      },
      {
        of: 'PgBouncer',
        place: DATABASE,
        metric: 'pgbouncer_pools_client_waiting_connections',
        promql: 'sum $by (pgbouncer_pools_client_waiting_connections)',
      },
      {
        of: 'Puma',
        place: SCRAPED,
        metric: 'puma_backlog',
        label: 'requests waiting for a thread',
        promql: 'sum $by (puma_backlog)',
      },
      {
        of: 'PHP-FPM',
        place: SCRAPED,
        metric: 'phpfpm_listen_queue',
        label: 'requests waiting for a process',
        promql: 'sum $by (phpfpm_listen_queue)',
      },
    ],
  ],
  [
    'queries',
    [
      {
        of: 'Spring Data',
        place: SCRAPED,
        metric: 'spring_data_repository_invocations_seconds_count',
        needs: ['spring_data_repository_invocations_seconds_sum'],
        promql: meanOf('spring_data_repository_invocations_seconds'),
      },
      {
        of: 'HikariCP',
        place: SCRAPED,
        metric: 'hikaricp_connections_usage_seconds_count',
        needs: ['hikaricp_connections_usage_seconds_sum'],
        label: 'time that a query holds a connection',
        promql: meanOf('hikaricp_connections_usage_seconds'),
      },
    ],
  ],
  [
    'latency',
    [
      { of: 'PostgreSQL', place: DATABASE, metric: 'pg_stat_activity_max_tx_duration' },
      {
        of: 'PostgreSQL',
        place: DATABASE,
        metric: 'pg_stat_statements_seconds_total',
        needs: ['pg_stat_statements_calls_total'],
        label: 'mean query time',
        promql:
          'sum $by (rate(pg_stat_statements_seconds_total[$rate])) / (sum $by (rate(pg_stat_statements_calls_total[$rate])) > 0)',
      },
      { of: 'blackbox exporter', place: PROBE, metric: 'probe_duration_seconds', label: 'probe duration' },
    ],
  ],
  [
    'requests',
    [
      {
        of: 'PostgreSQL',
        place: DATABASE,
        metric: 'pg_stat_database_xact_commit',
        label: 'transactions',
        unit: '{transaction}/s',
        promql: 'sum $by (rate(pg_stat_database_xact_commit[$rate]))',
      },
      {
        of: 'MySQL',
        place: DATABASE,
        metric: 'mysql_global_status_queries',
        label: 'queries',
        unit: '{query}/s',
        promql: 'sum $by (rate(mysql_global_status_queries[$rate]))',
      },
      {
        of: 'Redis',
        place: CACHE,
        metric: 'redis_commands_processed_total',
        unit: '{command}/s',
        promql: 'sum $by (rate(redis_commands_processed_total[$rate]))',
      },
      {
        of: 'Kafka',
        place: queue('consumergroup', 'consumer_group', 'group'),
        metric: 'kafka_consumergroup_current_offset',
        label: 'messages consumed',
        unit: '{message}/s',
        promql: 'sum $by (rate(kafka_consumergroup_current_offset[$rate]))',
      },
    ],
  ],
  [
    'disk',
    [
      {
        of: 'kubelet volumes',
        place: PVC,
        metric: 'kubelet_volume_stats_available_bytes',
        needs: ['kubelet_volume_stats_capacity_bytes'],
        promql: 'max $by (1 - kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes)',
      },
      {
        of: 'node exporter',
        place: MACHINE,
        shared: false,
        metric: 'node_filesystem_avail_bytes',
        needs: ['node_filesystem_size_bytes'],
        label: 'node disk usage',
        promql:
          'max $by (1 - node_filesystem_avail_bytes{fstype!~"tmpfs|overlay|squashfs"} / node_filesystem_size_bytes)',
      },
      {
        of: 'windows exporter',
        place: MACHINE,
        shared: false,
        metric: 'windows_logical_disk_free_bytes',
        needs: ['windows_logical_disk_size_bytes'],
        label: 'node disk usage',
        promql: 'max $by (1 - windows_logical_disk_free_bytes / windows_logical_disk_size_bytes)',
      },
    ],
  ],
  [
    'certificate',
    [
      {
        of: 'blackbox exporter',
        place: PROBE,
        metric: 'probe_ssl_earliest_cert_expiry',
        promql: 'min $by (probe_ssl_earliest_cert_expiry - time())',
      },
      {
        of: 'cert-manager',
        place: place(['name'], ['exported_namespace', 'namespace'], 'unknown'),
        metric: 'certmanager_certificate_expiration_timestamp_seconds',
        promql: `min $by (${nameOfCertificate('certmanager_certificate_expiration_timestamp_seconds')} - time())`,
      },
      {
        of: 'X.509 exporter',
        place: place(['secret_name', 'subject_CN', 'filename'], ['secret_namespace'], 'unknown'),
        metric: 'x509_cert_not_after',
        promql: 'min $by (x509_cert_not_after - time())',
      },
      {
        of: 'SSL exporter',
        place: place(['target', 'instance'], [], 'external'),
        metric: 'ssl_cert_not_after',
        promql: 'min $by (ssl_cert_not_after - time())',
      },
    ],
  ],
  [
    'cache-hits',
    [
      {
        of: 'Redis',
        place: CACHE,
        metric: 'redis_keyspace_hits_total',
        needs: ['redis_keyspace_misses_total'],
        promql: ratio('redis_keyspace_hits_total', 'redis_keyspace_misses_total'),
      },
      {
        of: 'memcached',
        place: CACHE,
        metric: 'memcached_commands_total',
        promql: ratio(
          'memcached_commands_total{command="get",status="hit"}',
          'memcached_commands_total{command="get",status="miss"}',
        ),
      },
      {
        of: 'Micrometer caches',
        place: SCRAPED,
        metric: 'cache_gets_total',
        promql: ratio('cache_gets_total{result="hit"}', 'cache_gets_total{result="miss"}'),
      },
    ],
  ],
  [
    'up',
    [
      {
        of: 'kube-state-metrics',
        place: WORKLOAD,
        metric: 'kube_pod_status_ready',
        label: 'pods ready',
        unit: '{pod}',
        promql: `sum $by (${withWorkload(reported('kube_pod_status_ready{condition="true"}'))})`,
      },
      // Prometheus repeats the last sample of a vanished service for five minutes, unless the newest one is asked for.
      {
        of: 'process metrics',
        place: SCRAPED,
        metric: 'up',
        label: 'instances up',
        promql: 'sum $by (last_over_time(up[$rate]))',
      },
      ...(
        [
          ['PostgreSQL', DATABASE, 'pg_up'],
          ['MySQL', DATABASE, 'mysql_up'],
          ['MongoDB', DATABASE, 'mongodb_up'],
          ['Redis', CACHE, 'redis_up'],
          ['memcached', CACHE, 'memcached_up'],
        ] as const
      ).map(([of, at, metric]) => ({ of, place: at, metric, promql: `sum $by (${metric})` })),
    ],
  ],
  [
    'success',
    [{ of: 'blackbox exporter', place: PROBE, metric: 'probe_success', promql: 'min $by (probe_success)' }],
  ],
  [
    'queue',
    [
      {
        of: 'Kafka',
        place: queue('consumergroup', 'consumer_group', 'group'),
        metric: 'kafka_consumergroup_lag',
        label: 'consumer lag',
        promql: 'sum $by (kafka_consumergroup_lag)',
      },
      {
        of: 'RabbitMQ',
        place: queue('queue'),
        metric: 'rabbitmq_queue_messages_ready',
        promql: 'sum $by (rabbitmq_queue_messages_ready{queue!=""})',
      },
      {
        of: 'SQS',
        place: queue('queue_name', 'dimension_QueueName'),
        metric: 'aws_sqs_approximate_number_of_messages_visible_average',
      },
      {
        of: 'NATS',
        place: queue('consumer_name'),
        metric: 'jetstream_consumer_num_pending',
        promql: 'sum $by (jetstream_consumer_num_pending)',
      },
      { of: 'Sidekiq', place: queue('queue', 'name'), metric: 'sidekiq_queue_backlog', unit: '{job}' },
      { of: 'Sidekiq', place: queue('queue', 'name'), metric: 'sidekiq_queue_size', unit: '{job}' },
      { of: 'Celery', place: queue('queue_name', 'queue'), metric: 'celery_queue_length', unit: '{task}' },
      {
        of: 'BullMQ',
        place: queue('queue'),
        metric: 'bullmq_job_count',
        unit: '{job}',
        promql: 'max $by (bullmq_job_count{state=~"wait.*"})',
      },
    ],
  ],
  [
    'lag',
    [
      {
        of: 'SQS',
        place: queue('queue_name', 'dimension_QueueName'),
        metric: 'aws_sqs_approximate_age_of_oldest_message_maximum',
      },
      { of: 'Sidekiq', place: queue('queue', 'name'), metric: 'sidekiq_queue_latency_seconds' },
    ],
  ],
  [
    'other',
    [
      // A queue without consumers is not an outage of the queue: it fills up.
      {
        of: 'RabbitMQ',
        place: queue('queue'),
        metric: 'rabbitmq_queue_consumers',
        label: 'consumers',
        unit: '{consumer}',
        bad: 'low',
        promql: 'sum $by (rabbitmq_queue_consumers{queue!=""})',
      },
      {
        of: 'MySQL',
        place: DATABASE,
        metric: 'mysql_global_status_slow_queries',
        label: 'slow queries',
        unit: '{query}/s',
        promql: 'sum $by (rate(mysql_global_status_slow_queries[$rate]))',
      },
      {
        of: 'process metrics',
        place: SCRAPED,
        metric: 'process_open_fds',
        label: 'open files',
        unit: '{file}',
        promql: 'max $by (last_over_time(process_open_fds[$rate]))',
        limit: 'process_max_fds',
      },
    ],
  ],
];

/** A convention's part of the table. */
export function signsOf(convention: string): Single[] {
  return SIGNS.flatMap(([measure, rows]) =>
    rows
      .filter(({ of }) => of === convention)
      .map(({ of: _, promql, limit, label, unit, ...row }) => ({
        measure,
        ...USUAL[measure],
        label: label ?? USUAL[measure]?.label ?? row.metric,
        unit: unit ?? USUAL[measure]?.unit ?? '',
        ...row,
        promql: promql ?? `max $by (${row.metric})`,
        ...(limit && {
          limit: typeof limit === 'string' ? { metric: limit, promql: `max $by (${limit})` } : limit,
        }),
      })),
  );
}
