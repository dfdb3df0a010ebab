import type { Measure } from '../model.ts';
import {
  reported,
  SCRAPED,
  type ServiceLabels,
  type Single,
  scraped,
  WORKLOAD,
  withWorkload,
} from './promql.ts';

/** A product's own labels for a service. */
export function place(
  labels: readonly string[],
  namespace: readonly string[] = [],
  kind: ServiceLabels['kind'] = 'service',
): ServiceLabels {
  return { labels, namespace, kind };
}

/** A volume, by its claim. */
export const PVC = place(['persistentvolumeclaim'], ['namespace'], 'unknown');

const DATABASE = scraped('database');
const CACHE = scraped('cache');
// The job is the name of what is at an address of the machine itself.
const PROBE = place(['target', 'instance', 'job'], [], 'external');
const MACHINE = place(['nodename', 'node', 'instance', 'job'], [], 'unknown');
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

/** How a metric is combined. */
type Form = (metric: string) => string;
const total: Form = (metric) => `sum $by (${metric})`;
const most: Form = (metric) => `max $by (${metric})`;
const rate: Form = (metric) => `sum $by (rate(${metric}[$rate]))`;
const newest: Form = (metric) => `max $by (last_over_time(${metric}[$rate]))`;
const until: Form = (metric) => `min $by (${metric} - time())`;
/** What is left of a size, as the share that is used. */
const used =
  (size: string, matchers = ''): Form =>
  (left) =>
    `max $by (1 - ${left}${matchers} / ${size})`;
const per =
  (all: string): Form =>
  (part) =>
    `${rate(part)} / (${rate(all)} > 0)`;
/** The mean of what a histogram or a summary counts. */
const mean: Form = (count) => `${rate(count.replace(/_count$/u, '_sum'))} / (${rate(count)} > 0)`;
const ratio = (hits: string, misses: string) => () => `${rate(hits)} / (${rate(hits)} + ${rate(misses)} > 0)`;
/** A certificate's name without what says that it is one. */
const ofCertificate: Form = (metric) =>
  until(`label_replace(${metric}, "name", "$1", "name", "(.+?)(?:-(?:tls|cert|certificate))?")`);
/** A limit that is no limit if it is zero. */
const above0 = (metric: string, form: Form = most) => ({ metric, promql: form(`${metric} > 0`) });

/** The convention, the place, the metric, how it is combined (by default its largest value), and what is unusual. */
type Row = readonly [of: string, at: ServiceLabels, metric: string, form?: Form | null, more?: More];
type More = Partial<Omit<Single, 'measure' | 'place' | 'metric' | 'promql' | 'limit'>> & {
  /** The metric of its upper limit, or how that is computed. */
  limit?: string | NonNullable<Single['limit']>;
};

const CONSUMER_GROUP = queue('consumergroup', 'consumer_group', 'group');
const QUEUE = queue('queue', 'name', 'queue_name', 'dimension_QueueName');
const messages = { unit: '{message}/s', label: 'messages consumed' };
const waits = { unit: '{request}/s', label: 'waits for a connection' };
const machineDisk = { shared: false, label: 'node disk usage' };

/**
 * What shows that something runs out, waits, is gone or is slow below a service, by measure: the same sign under the
 * names of each convention. The fault kinds read measures only.
 */
const SIGNS: readonly (readonly [Measure, readonly Row[]])[] = [
  [
    'memory',
    [
      // Of one pod, not of all: twice as many run during a rollout, and one of them may leak alone.
      [
        'cAdvisor',
        WORKLOAD,
        'container_memory_working_set_bytes',
        (metric) => most(inPods(metric)),
        { label: 'memory working set', limit: podLimit('memory', 'max') },
      ],
      [
        'containers',
        CONTAINER,
        'container_memory_working_set_bytes',
        null,
        { label: 'memory working set', limit: above0('container_spec_memory_limit_bytes') },
      ],
      ['process metrics', SCRAPED, 'process_resident_memory_bytes', newest, { label: 'resident memory' }],
      ['Redis', CACHE, 'redis_memory_used_bytes', total, { limit: above0('redis_memory_max_bytes', total) }],
      [
        'node exporter',
        MACHINE,
        'node_memory_MemAvailable_bytes',
        used('node_memory_MemTotal_bytes'),
        { shared: true, needs: ['node_memory_MemTotal_bytes'], label: 'node memory usage', unit: '1' },
      ],
    ],
  ],
  [
    'oom-kills',
    [
      [
        'kube-state-metrics',
        WORKLOAD,
        REASON,
        () =>
          `sum $by (${withWorkload(`(${RECENT_RESTARTS} > 0) * on (namespace, pod, container) group_left () (${OOM_KILLED} == 1)`)}) or 0 * sum $by (${withWorkload(reported(RESTARTS))})`,
        { needs: [RESTARTS] },
      ],
      [
        'containers',
        CONTAINER,
        'container_oom_events_total',
        (metric) => total(`increase(${metric}[$events])`),
      ],
    ],
  ],
  [
    'restarts',
    [
      ['kube-state-metrics', WORKLOAD, RESTARTS, () => total(withWorkload(RECENT_RESTARTS))],
      [
        'containers',
        CONTAINER,
        'container_start_time_seconds',
        (metric) => total(`changes(${metric}[$events])`),
      ],
      [
        'process metrics',
        SCRAPED,
        'process_start_time_seconds',
        (metric) => total(`changes(${metric}[$events])`),
      ],
    ],
  ],
  [
    'cpu',
    [
      ['cAdvisor', WORKLOAD, 'container_cpu_usage_seconds_total', perPod, { limit: podLimit('cpu', 'sum') }],
      ['containers', CONTAINER, 'container_cpu_usage_seconds_total', rate],
      ['process metrics', SCRAPED, 'process_cpu_seconds_total', rate],
      ['JVM', SCRAPED, 'process_cpu_usage', null, { unit: '1' }],
      // CPU and memory of a machine are shared by everything running there; a full disk is a problem in itself.
      [
        'node exporter',
        MACHINE,
        'node_cpu_seconds_total',
        (metric) => `1 - avg $by (rate(${metric}{mode="idle"}[$rate]))`,
        { shared: true, label: 'node CPU usage', unit: '1' },
      ],
    ],
  ],
  [
    'throttling',
    [
      [
        'cAdvisor',
        WORKLOAD,
        'container_cpu_cfs_throttled_periods_total',
        (metric) => `${perPod(metric)} / (${perPod('container_cpu_cfs_periods_total')} > 0)`,
        { needs: ['container_cpu_cfs_periods_total'] },
      ],
      [
        'containers',
        CONTAINER,
        'container_cpu_cfs_throttled_periods_total',
        per('container_cpu_cfs_periods_total'),
        { needs: ['container_cpu_cfs_periods_total'] },
      ],
    ],
  ],
  [
    'connections',
    [
      // Of the fullest pool, not of all: twice as many exist during a rollout.
      ['HikariCP', SCRAPED, 'hikaricp_connections_active', null, { limit: 'hikaricp_connections_max' }],
      [
        'OpenTelemetry database',
        SCRAPED,
        'db_client_connection_count',
        (metric) => most(`${metric}{db_client_connection_state="used"} or ${metric}{state="used"}`),
        { limit: 'db_client_connection_max' },
      ],
      [
        'OpenTelemetry database',
        SCRAPED,
        'db_client_connections_usage',
        (metric) => most(`${metric}{state="used"}`),
        { limit: 'db_client_connections_max' },
      ],
      [
        'Go database/sql',
        SCRAPED,
        'go_sql_in_use_connections',
        null,
        { limit: above0('go_sql_max_open_connections') },
      ],
      [
        'Go database/sql',
        SCRAPED,
        'go_sql_stats_connections_in_use',
        null,
        { limit: above0('go_sql_stats_connections_max_open') },
      ],
      [
        'Tomcat',
        SCRAPED,
        'tomcat_threads_busy_threads',
        null,
        { label: 'busy threads of the pool', unit: '{thread}', limit: 'tomcat_threads_config_max_threads' },
      ],
      [
        'PgBouncer',
        DATABASE,
        'pgbouncer_pools_server_active_connections',
        null,
        { limit: 'pgbouncer_databases_pool_size' },
      ],
      ['PostgreSQL', DATABASE, 'pg_stat_activity_count', total, { limit: 'pg_settings_max_connections' }],
      [
        'MySQL',
        DATABASE,
        'mysql_global_status_threads_connected',
        null,
        { limit: 'mysql_global_variables_max_connections' },
      ],
      ['MongoDB', DATABASE, 'mongodb_ss_connections', (metric) => most(`${metric}{conn_type="current"}`)],
      [
        'Redis',
        CACHE,
        'redis_connected_clients',
        total,
        { limit: { metric: 'redis_config_maxclients', promql: total('redis_config_maxclients') } },
      ],
    ],
  ],
  [
    'waiting',
    [
      ['HikariCP', SCRAPED, 'hikaricp_connections_pending', total],
      ['OpenTelemetry database', SCRAPED, 'db_client_connection_pending_requests', total],
      ['OpenTelemetry database', SCRAPED, 'db_client_connections_pending_requests', total],
      ['Go database/sql', SCRAPED, 'go_sql_wait_count_total', rate, waits],
      ['Go database/sql', SCRAPED, 'go_sql_stats_connections_waited_for', rate, waits],
      ['PgBouncer', DATABASE, 'pgbouncer_pools_client_waiting_connections', total],
      ['Puma', SCRAPED, 'puma_backlog', total, { label: 'requests waiting for a thread' }],
      ['PHP-FPM', SCRAPED, 'phpfpm_listen_queue', total, { label: 'requests waiting for a process' }],
    ],
  ],
  [
    'queries',
    [
      ['Spring Data', SCRAPED, 'spring_data_repository_invocations_seconds_count', mean],
      [
        'HikariCP',
        SCRAPED,
        'hikaricp_connections_usage_seconds_count',
        mean,
        { label: 'time that a query holds a connection' },
      ],
    ],
  ],
  [
    'latency',
    [
      ['PostgreSQL', DATABASE, 'pg_stat_activity_max_tx_duration'],
      [
        'PostgreSQL',
        DATABASE,
        'pg_stat_statements_seconds_total',
        per('pg_stat_statements_calls_total'),
        { needs: ['pg_stat_statements_calls_total'], label: 'mean query time' },
      ],
      ['blackbox exporter', PROBE, 'probe_duration_seconds', null, { label: 'probe duration' }],
    ],
  ],
  [
    'requests',
    [
      [
        'PostgreSQL',
        DATABASE,
        'pg_stat_database_xact_commit',
        rate,
        { label: 'transactions', unit: '{transaction}/s' },
      ],
      ['MySQL', DATABASE, 'mysql_global_status_queries', rate, { label: 'queries', unit: '{query}/s' }],
      ['Redis', CACHE, 'redis_commands_processed_total', rate, { unit: '{command}/s' }],
      ['Kafka', CONSUMER_GROUP, 'kafka_consumergroup_current_offset', rate, messages],
    ],
  ],
  [
    'disk',
    [
      [
        'kubelet volumes',
        PVC,
        'kubelet_volume_stats_available_bytes',
        used('kubelet_volume_stats_capacity_bytes'),
        { needs: ['kubelet_volume_stats_capacity_bytes'] },
      ],
      [
        'node exporter',
        MACHINE,
        'node_filesystem_avail_bytes',
        used('node_filesystem_size_bytes', '{fstype!~"tmpfs|overlay|squashfs"}'),
        { ...machineDisk, needs: ['node_filesystem_size_bytes'] },
      ],
      [
        'windows exporter',
        MACHINE,
        'windows_logical_disk_free_bytes',
        used('windows_logical_disk_size_bytes'),
        { ...machineDisk, needs: ['windows_logical_disk_size_bytes'] },
      ],
    ],
  ],
  [
    'certificate',
    [
      ['blackbox exporter', PROBE, 'probe_ssl_earliest_cert_expiry', until],
      [
        'cert-manager',
        place(['name'], ['exported_namespace', 'namespace'], 'unknown'),
        'certmanager_certificate_expiration_timestamp_seconds',
        ofCertificate,
      ],
      [
        'X.509 exporter',
        place(['secret_name', 'subject_CN', 'filename'], ['secret_namespace'], 'unknown'),
        'x509_cert_not_after',
        until,
      ],
      ['SSL exporter', PROBE, 'ssl_cert_not_after', until],
    ],
  ],
  [
    'cache-hits',
    [
      [
        'Redis',
        CACHE,
        'redis_keyspace_hits_total',
        ratio('redis_keyspace_hits_total', 'redis_keyspace_misses_total'),
        { needs: ['redis_keyspace_misses_total'] },
      ],
      [
        'memcached',
        CACHE,
        'memcached_commands_total',
        ratio(
          'memcached_commands_total{command="get",status="hit"}',
          'memcached_commands_total{command="get",status="miss"}',
        ),
      ],
      [
        'Micrometer caches',
        SCRAPED,
        'cache_gets_total',
        ratio('cache_gets_total{result="hit"}', 'cache_gets_total{result="miss"}'),
      ],
    ],
  ],
  [
    'up',
    [
      [
        'kube-state-metrics',
        WORKLOAD,
        'kube_pod_status_ready',
        (metric) => total(withWorkload(reported(`${metric}{condition="true"}`))),
        { label: 'pods ready', unit: '{pod}' },
      ],
      // Prometheus repeats the last sample of a vanished service for five minutes, unless the newest one is asked for.
      [
        'process metrics',
        SCRAPED,
        'up',
        (metric) => total(`last_over_time(${metric}[$rate])`),
        { label: 'instances up' },
      ],
      ['PostgreSQL', DATABASE, 'pg_up', total],
      ['MySQL', DATABASE, 'mysql_up', total],
      ['MongoDB', DATABASE, 'mongodb_up', total],
      ['Redis', CACHE, 'redis_up', total],
      ['memcached', CACHE, 'memcached_up', total],
    ],
  ],
  ['success', [['blackbox exporter', PROBE, 'probe_success', (metric) => `min $by (${metric})`]]],
  [
    'queue',
    [
      ['Kafka', CONSUMER_GROUP, 'kafka_consumergroup_lag', total, { label: 'consumer lag' }],
      [
        'RabbitMQ',
        queue('queue'),
        'rabbitmq_queue_messages_ready',
        (metric) => total(`${metric}{queue!=""}`),
      ],
      ['SQS', QUEUE, 'aws_sqs_approximate_number_of_messages_visible_average'],
      ['NATS', queue('consumer_name'), 'jetstream_consumer_num_pending', total],
      ['Sidekiq', QUEUE, 'sidekiq_queue_backlog', null, { unit: '{job}' }],
      ['Sidekiq', QUEUE, 'sidekiq_queue_size', null, { unit: '{job}' }],
      ['Celery', QUEUE, 'celery_queue_length', null, { unit: '{task}' }],
      [
        'BullMQ',
        QUEUE,
        'bullmq_job_count',
        (metric) => most(`${metric}{state=~"wait.*"}`),
        { unit: '{job}' },
      ],
    ],
  ],
  [
    'lag',
    [
      ['SQS', QUEUE, 'aws_sqs_approximate_age_of_oldest_message_maximum'],
      ['Sidekiq', QUEUE, 'sidekiq_queue_latency_seconds'],
    ],
  ],
  [
    'other',
    [
      // A queue without consumers is not an outage of the queue: it fills up.
      [
        'RabbitMQ',
        queue('queue'),
        'rabbitmq_queue_consumers',
        (metric) => total(`${metric}{queue!=""}`),
        { label: 'consumers', unit: '{consumer}', bad: 'low' },
      ],
      [
        'MySQL',
        DATABASE,
        'mysql_global_status_slow_queries',
        rate,
        { label: 'slow queries', unit: '{query}/s' },
      ],
      [
        'process metrics',
        SCRAPED,
        'process_open_fds',
        newest,
        { label: 'open files', unit: '{file}', limit: 'process_max_fds' },
      ],
    ],
  ],
];

/** The convention whose services are volumes. */
export const VOLUMES = 'kubelet volumes';

/** What only reports resources. A process says least of what it is: an exporter's is not the database. */
export const PRODUCTS = [...new Set(SIGNS.flatMap(([, rows]) => rows.map(([of]) => of)))]
  .filter((of) => of !== 'OpenTelemetry database')
  .sort((a, b) => Number(a === 'process metrics') - Number(b === 'process metrics'));

/** A convention's part of the table. */
export function signsOf(convention: string): Single[] {
  return SIGNS.flatMap(([measure, rows]) =>
    rows
      .filter(([of]) => of === convention)
      .map(([, at, metric, form, { limit, ...more } = {}]): Single => {
        const { label = metric, unit = '', ...usual } = { ...USUAL[measure], ...more };
        const limited = typeof limit === 'string' ? { metric: limit, promql: most(limit) } : limit;
        return {
          ...usual,
          measure,
          label,
          unit,
          place: at,
          metric,
          promql: (form ?? most)(metric),
          ...(limited && { limit: limited }),
        };
      }),
  );
}
