import { grouping, type Offer, requestsErrorsLatency, SCRAPED, selector } from './promql.ts';

const COUNTER = /^(?:\w+_)?requests?_total$/u;
const DURATION =
  /^((?:\w+_)?(?:requests?|responses?|http|handler|endpoint)(?:_\w+)?_(?:duration|latency|time)(?:_seconds|_milliseconds|_ms)?)(?:_bucket|_count|_sum)?$/u;
/** Name prefixes that belong to other products, and words for outgoing calls. */
const FOREIGN =
  /^(?:alertmanager|apiserver|client|container|coredns|db|envoy|etcd|grafana|grpc|http_client|http_server|istio|kafka|kube|kubelet|linkerd|loki|messaging|nginx_ingress|node|pg|prometheus|promhttp|rabbitmq|redis|rest_client|rpc|scheduler|tempo|thanos|traces|traefik|workqueue)_|(?:^|_)(?:client|egress|outbound|outgoing|upstream)_/u;
const USUAL = [
  'http_requests_total',
  'http_request_duration_seconds_bucket',
  'http_request_duration_seconds_count',
];
/** The maximum of names of each kind: each service may have its own. */
const MOST = 12;
/** Clients in many languages use one of these labels for the status. */
const STATUS = [
  'code',
  'status',
  'status_code',
  'http_status',
  'http_status_code',
  'http_code',
  'response_code',
  'outcome',
  'result',
];
const FAILED = '5..|(?i:error|failed|failure|server_error)';

/**
 * The names used in Prometheus' own documentation and by most hand-written instrumentation, with or without an
 * application prefix: `http_requests_total`, `ledger_request_duration_seconds`.
 */
export function plainHttpOffers(names: ReadonlySet<string>): Offer[] {
  const usual = USUAL.filter((name) => names.has(name));
  const others = [...names].filter((name) => !FOREIGN.test(name)).sort(shortestFirst);
  const own = [...new Set([...usual, ...others])];
  const counters = own.filter((name) => COUNTER.test(name)).slice(0, MOST);
  const durations = [...new Set(own.flatMap((name) => DURATION.exec(name)?.[1] ?? []))].slice(0, MOST);
  const counted = durations.filter((name) => names.has(`${name}_count`)).map((name) => `${name}_count`);
  return [
    ...(counters.length > 0 ? counters : counted).flatMap((counter) => requestsAndErrors(names, counter)),
    ...durations.flatMap((duration) =>
      requestsErrorsLatency(names, {
        place: SCRAPED,
        duration: [duration],
        only: 'latency',
        latencyUnit: 's',
      }),
    ),
  ];
}

const CALLS =
  /^(?:\w+_)?(?:client|dependency|downstream|egress|external|outbound|outgoing|upstream)_(?:\w+_)?(?:requests?|calls?)_total$/u;
/** What a service calls, in the words of those who name their metrics by hand. */
const CALLEE = [
  'peer_service',
  'peer',
  'target_service',
  'target',
  'upstream',
  'downstream',
  'destination',
  'dependency',
  'remote',
  'callee',
];

/** Calls of other services as their callers count them, by hand: `http_client_requests_total{target="ledger"}`. */
export function plainCallOffers(names: ReadonlySet<string>): Offer[] {
  const counters = [...names]
    .filter((name) => CALLS.test(name))
    .sort(shortestFirst)
    .slice(0, MOST);
  return counters.flatMap((counter) => {
    const edge = { caller: SCRAPED.labels, callee: CALLEE, side: 'caller' } as const;
    return requestsAndErrors(names, counter, edge);
  });
}

/** Names without an application prefix come first. */
function shortestFirst(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function requestsAndErrors(names: ReadonlySet<string>, counter: string, edge?: Offer['edge']): Offer[] {
  const by = grouping(SCRAPED, ...(edge?.callee ?? []));
  const all = (rate: string) => `sum ${by} (rate(${counter}[${rate}]))`;
  return requestsErrorsLatency(names, {
    place: SCRAPED,
    counter: [counter],
    failed: 'code=~"5.."',
    ...(edge && { edge }),
  }).map((offer) =>
    offer.measure === 'errors'
      ? {
          ...offer,
          query: (rate) => {
            const failed = STATUS.map(
              (label) => `sum ${by} (rate(${selector(counter, `${label}=~"${FAILED}"`)}[${rate}]))`,
            ).join(' or ');
            return `(${failed} or 0 * ${all(rate)}) / (${all(rate)} > 0)`;
          },
        }
      : offer,
  );
}
