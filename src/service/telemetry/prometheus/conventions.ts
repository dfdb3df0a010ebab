import { GRPC_FAILED } from '../exported/words.ts';
import { plainHttpQueries } from './plain-http.ts';
import {
  type Red,
  requestsErrorsLatency,
  SCRAPED,
  type ServiceLabels,
  type SignalQuery,
  type Single,
  single,
} from './promql.ts';
import { recordedQueries } from './recording-rules.ts';
import { runtimeQueries } from './runtimes.ts';
import { PRODUCTS, place, signsOf } from './signs.ts';

/** A naming convention for metrics: whose they are, and what they measure. */
export interface Convention {
  /** For people: `Istio`. */
  name: string;
  /** What it measures, or how that is found. */
  rows:
    | readonly (Red | Single)[]
    | ((names: ReadonlySet<string>, labels?: ReadonlySet<string>) => SignalQuery[]);
}

/** The signals of a convention that a server with these metrics has; none if it does not follow the convention. */
export function signalQueriesOf(
  { rows }: Convention,
  names: ReadonlySet<string>,
  labels?: ReadonlySet<string>,
): SignalQuery[] {
  if (typeof rows === 'function') return rows(names, labels);
  return rows.flatMap((row) => ('metric' in row ? single(names, row) : requestsErrorsLatency(names, row)));
}

/** The calls of the service at `at`, as it sees them. */
function outgoing(
  at: ServiceLabels,
  ...callee: readonly string[]
): { edge: NonNullable<SignalQuery['edge']> } {
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
  reasons: ['response_flags'],
  duration: ['istio_request_duration_milliseconds'],
};

const LINKERD_PLACE = place(['deployment', 'statefulset', 'daemonset', 'app'], ['namespace']);
const LINKERD = {
  place: LINKERD_PLACE,
  counter: ['response_total'],
  failed: 'classification="failure"',
  duration: ['response_latency_ms'],
};

/** OpenTelemetry's stable names have other labels than the older ones. A call without an answer has no status. */
const otelStatus = (duration: string) =>
  duration.includes('request')
    ? [
        'http_response_status_code=~"5.."',
        'http_response_status_code="",error_type!=""',
        // Written by hand under the same name.
        'http_response_status_code="",code=~"5.."',
        'http_response_status_code="",code="",status=~"5.."',
      ]
    : ['http_status_code=~"5.."'];

/** Names that are not translated do not contain the unit: seconds, and milliseconds in the older conventions. */
const otelUnit = (duration: string) =>
  /^(?:http_(?:server|client)|rpc_(?:server|client))_duration$/u.test(duration) ? 'ms' : 's';

const GRAPH_ENDS = { caller: ['client'], callee: ['server'] };
const GRAPH_SECONDS = [
  'traces_service_graph_request_server_seconds',
  'traces_service_graph_request_server_seconds_total',
];
const DATABASES = ['db_system_name', 'db_system'];

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

/** In order of trust: if two measure the same thing for a service, the earlier one wins. */
export const CONVENTIONS: readonly Convention[] = [
  {
    name: 'Istio',
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
    rows: [
      {
        place: SCRAPED,
        duration: [
          'http_server_request_duration_seconds',
          'http_server_request_duration',
          'http_server_duration_milliseconds',
          'http_server_duration',
        ],
        latencyUnit: otelUnit,
        failed: otelStatus,
        reasons: ['error_type'],
      },
      {
        place: SCRAPED,
        what: 'outgoing',
        duration: [
          'http_client_request_duration_seconds',
          'http_client_request_duration',
          'http_client_duration_milliseconds',
          'http_client_duration',
        ],
        latencyUnit: otelUnit,
        failed: otelStatus,
        reasons: ['error_type'],
        ...outgoing(SCRAPED, 'server_address', 'net_peer_name', 'peer_service'),
      },
    ],
  },
  {
    name: 'OpenTelemetry RPC',
    rows: [
      {
        place: SCRAPED,
        duration: [
          'rpc_server_call_duration_seconds',
          'rpc_server_call_duration',
          'rpc_server_duration_milliseconds',
          'rpc_server_duration',
        ],
        // The codes that are the server's fault.
        latencyUnit: otelUnit,
        failed: `rpc_grpc_status_code=~"${GRPC_FAILED[1]}"`,
      },
      {
        place: SCRAPED,
        what: 'outgoing',
        duration: [
          'rpc_client_call_duration_seconds',
          'rpc_client_call_duration',
          'rpc_client_duration_milliseconds',
          'rpc_client_duration',
        ],
        latencyUnit: otelUnit,
        failed: `rpc_grpc_status_code=~"${GRPC_FAILED[1]}"`,
        ...outgoing(SCRAPED, 'server_address', 'net_peer_name', 'peer_service'),
      },
    ],
  },
  {
    name: 'Spring',
    rows: [
      {
        place: SCRAPED,
        duration: ['http_server_requests_seconds'],
        failed: 'status=~"5.."',
        reasons: ['exception'],
      },
      {
        place: SCRAPED,
        what: 'outgoing',
        duration: ['http_client_requests_seconds'],
        failed: 'status=~"5..|CLIENT_ERROR|IO_ERROR"',
        reasons: ['status', 'exception'],
        ...outgoing(SCRAPED, 'client_name', 'clientName'),
      },
    ],
  },
  {
    name: 'gRPC',
    rows: [
      {
        place: SCRAPED,
        counter: ['grpc_server_handled_total'],
        failed: `grpc_code=~"${GRPC_FAILED[0]}"`,
        duration: ['grpc_server_handling_seconds'],
      },
    ],
  },
  {
    name: 'plain HTTP',
    rows: plainHttpQueries,
  },
  {
    name: 'recording rules',
    rows: recordedQueries,
  },
  {
    name: 'Envoy',
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
    name: 'HAProxy',
    rows: [
      {
        place: place(['proxy', 'backend']),
        what: 'ingress',
        counter: ['haproxy_backend_http_responses_total'],
        failed: 'code=~"5..|5xx"',
        duration: ['haproxy_backend_response_time_average_seconds'],
      },
    ],
  },
  {
    name: 'service graph',
    rows: [
      {
        place: place(['server'], ['server_service_namespace'], 'unknown'),
        what: 'edge',
        counter: ['traces_service_graph_request_total'],
        failedCounter: 'traces_service_graph_request_failed_total',
        duration: GRAPH_SECONDS,
        edge: { ...GRAPH_ENDS, side: 'callee' },
      },
      {
        // What sends no spans is seen by its callers only.
        place: place(['client'], ['client_service_namespace'], 'unknown'),
        what: 'outgoing',
        counter: ['traces_service_graph_request_total'],
        matchers: 'connection_type=~"virtual_node|database|messaging_system"',
        failedCounter: 'traces_service_graph_request_failed_total',
        duration: GRAPH_SECONDS,
        edge: { ...GRAPH_ENDS, side: 'caller', kind: ['connection_type'] },
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
    rows: [
      {
        place: SCRAPED,
        what: 'query',
        duration: ['db_client_operation_duration_seconds', 'db_client_operation_duration'],
        latencyUnit: otelUnit,
        failed: 'error_type!=""',
        reasons: ['error_type'],
        edge: {
          caller: SCRAPED.labels,
          callee: ['server_address', 'db_namespace', ...DATABASES],
          side: 'caller',
          kind: DATABASES,
        },
      },
      ...signsOf('OpenTelemetry database'),
    ],
  },
  {
    name: 'OpenTelemetry messaging',
    rows: [
      {
        place: SCRAPED,
        what: 'message',
        duration: ['messaging_process_duration_seconds', 'messaging_process_duration'],
        latencyUnit: otelUnit,
        failed: 'error_type!=""',
      },
      {
        place: SCRAPED,
        what: 'messaging',
        duration: ['messaging_client_operation_duration_seconds', 'messaging_client_operation_duration'],
        latencyUnit: otelUnit,
        failed: 'error_type!=""',
        ...outgoing(SCRAPED, 'messaging_destination_name', 'server_address'),
      },
    ],
  },
  {
    // Containers' connections, without instrumentation.
    name: 'Coroot agent',
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
  { name: 'runtimes', rows: runtimeQueries },
  ...PRODUCTS.map((name) => ({ name, rows: signsOf(name) })),
];
