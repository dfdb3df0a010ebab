import { FAILED, FOREIGN, handNamedQueries, nameOf, OUTGOING, outcomesIn, p95Of } from './hand-named.ts';
import {
  errorRate,
  grouping,
  rates,
  requestsErrorsLatency,
  SCRAPED,
  type SignalQuery,
  selector,
  throughput,
} from './promql.ts';

const COUNTER = /^(?:\w+_)?(?:requests?|rpcs?|rpc_calls)_(?:received_|handled_|served_)?total$/u;
const DURATION =
  /^((?:\w+_)?(?:requests?|responses?|http|handler|endpoint|rpcs?|api)(?:_\w+)?_(?:duration|latency|time)(?:_seconds|_milliseconds|_ms)?)(?:_bucket|_count|_sum)?$/u;
const QUERIES = /(?:^|_)(?:db|database|sql|query|cache)_/u;
const USUAL = [
  'http_requests_total',
  'http_request_duration_seconds_bucket',
  'http_request_duration_seconds_count',
];
/** The maximum of names of each kind: each service may have its own. */
const MOST = 12;
/** A counter of failures beside one of requests, by what follows their common prefix. */
const FAILURES = /^(?:requests?_)?(?:errors?|fail(?:ed|ures?))(?:_requests?)?_total$/u;

/**
 * The names used in Prometheus' own documentation and by most hand-written instrumentation, with or without an
 * application prefix: `http_requests_total`, `ledger_request_duration_seconds`, `billing_rpc_errors_total`.
 */
export function plainHttpQueries(names: ReadonlySet<string>, labels?: ReadonlySet<string>): SignalQuery[] {
  const usual = USUAL.filter((name) => names.has(name));
  const others = [...names]
    .filter((name) => !FOREIGN.test(name) && !OUTGOING.test(name) && !QUERIES.test(name))
    .sort(shortestFirst);
  const own = [...new Set([...usual, ...others])];
  const counters = own.filter((name) => COUNTER.test(name));
  const durations = [...new Set(own.flatMap((name) => DURATION.exec(name)?.[1] ?? []))];
  const counted = durations.filter((name) => names.has(`${name}_count`)).map((name) => `${name}_count`);
  const all = [...counters, ...counted];
  const failuresOf = (counter: string) => {
    const prefix = counter.replace(
      /(?:requests?|rpcs?|rpc_calls)_(?:received_|handled_|served_)?total$|(?:request_)?[a-z]+(?:_\w+)?_count$/u,
      '',
    );
    // `x_request_errors_total` is of the requests; `x_errors_total` may be of more.
    return prefix === ''
      ? undefined
      : own
          .filter((name) => name.startsWith(prefix) && FAILURES.test(name.slice(prefix.length)))
          .sort((a, b) => Number(b.includes('request')) - Number(a.includes('request')))[0];
  };
  const beside = all.filter((counter) => failuresOf(counter) !== undefined);
  const labelled = all.filter((counter) => !beside.includes(counter)).slice(0, MOST);
  return [
    ...labelled.flatMap((counter) =>
      requestsAndErrors(names, counter, outcomesIn(labels)).map((offer) =>
        counters.includes(counter) ? offer : whereNone(counters, offer),
      ),
    ),
    ...countedBeside(beside, failuresOf),
    ...latencies(durations, names),
    ...handNamedQueries(names, labels),
  ];
}

/** Names without an application prefix come first. */
function shortestFirst(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Requests and failures that have a counter each. */
function countedBeside(
  counters: readonly string[],
  failuresOf: (counter: string) => string | undefined,
): SignalQuery[] {
  if (counters.length === 0) return [];
  const by = grouping(SCRAPED);
  const failures = counters.flatMap((counter) => failuresOf(counter) ?? []);
  const all = (rate: string) => `sum ${by} (${rates(counters, rate)})`;
  const failed = (rate: string) => `sum ${by} (${rates(failures, rate)})`;
  const shared = { name: nameOf(counters), names: [...counters, ...failures], place: SCRAPED };
  return [
    { ...shared, ...throughput(all) },
    { ...shared, ...errorRate(failed, all) },
  ];
}

/** A duration's count is that of requests where nothing else counts them: each service has its own way. */
function whereNone(counters: readonly string[], offer: SignalQuery): SignalQuery {
  if (counters.length === 0) return offer;
  const by = grouping(SCRAPED);
  const counted = (rate: string) => `sum ${by} (${rates(counters, rate)})`;
  return { ...offer, query: (rate) => `(${offer.query(rate)}) unless ${counted(rate)}` };
}

/** The usual name by itself, and all others in one query. */
function latencies(durations: readonly string[], names: ReadonlySet<string>): SignalQuery[] {
  const latency = (duration: string) =>
    requestsErrorsLatency(names, { place: SCRAPED, duration: [duration], only: 'latency', latencyUnit: 's' });
  const inSeconds = durations.filter(
    (name) => name.endsWith('_seconds') && !name.startsWith('http_') && names.has(`${name}_bucket`),
  );
  if (inSeconds.length < 2) return durations.slice(0, MOST).flatMap(latency);
  return [
    ...durations
      .filter((name) => !inSeconds.includes(name))
      .slice(0, MOST)
      .flatMap(latency),
    ...p95Of(inSeconds.map((name) => `${name}_bucket`)),
  ];
}

function requestsAndErrors(
  names: ReadonlySet<string>,
  counter: string,
  outcomes: readonly string[],
): SignalQuery[] {
  const by = grouping(SCRAPED);
  const sumOf = (one: string, rate: string) => `sum ${by} (rate(${one}[${rate}]))`;
  const failing = outcomes.map((label) => selector(counter, `${label}=~"${FAILED}"`));
  const failed = (rate: string) => failing.map((one) => sumOf(one, rate)).join(' or ');
  return requestsErrorsLatency(names, { place: SCRAPED, counter: [counter], failed: 'code=~"5.."' }).map(
    (offer) =>
      offer.measure === 'errors' ? { ...offer, ...errorRate(failed, (rate) => sumOf(counter, rate)) } : offer,
  );
}
