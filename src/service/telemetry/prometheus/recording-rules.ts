import { FOREIGN, OUTGOING } from './hand-named.ts';
import { grouping, SCRAPED, type SignalQuery, throughput, unitOf } from './promql.ts';

const REQUESTS = /(?:^|_)(?:requests?|rpcs?|calls)(?:_|$)/u;
const FAILED = /(?:^|_)(?:errors?|fail(?:ed|ures?)?|5xx)(?:_|$)/u;
/** Prefixes of what services serve, which have conventions of their own where they are raw. */
const SERVED = /^(?:http|rpc|grpc)_(?:server_)?/u;
const SUCCEEDED = /(?:^|_)(?:success(?:es|ful)?|availability)(?:_|$)/u;
const TIME = /(?:^|_)(?:duration|latency|time)(?:_|$)/u;
const RATIO = /(?:^|_)(?:ratio|percent(?:age)?|share|availability)(?:_|$|\d)/u;
const RATE = /(?:^|_)i?rate(?:_|$|\d)/u;
const QUANTILE = /(?:^|_)(?:p(\d{2,3})|(\d{2,3})(?:th|quantile|percentile|p))(?:_|$|\d)/u;
const MEAN = /(?:^|_)(?:mean|avg|average)(?:_|$|\d)/u;

/**
 * What recording rules have left of metrics that are not kept: `level:metric:operations`, as Prometheus' documentation
 * names them. The level lists the labels of the results; one that names no service says nothing about one.
 */
export function recordedQueries(names: ReadonlySet<string>): SignalQuery[] {
  return [...names].sort().flatMap((name): SignalQuery[] => {
    const [level = '', metric = '', operations = '', ...more] = name.split(':');
    if (metric === '' || operations === '' || more.length > 0) return [];
    if (
      !namesService(level) ||
      FOREIGN.test(metric.replace(SERVED, '')) ||
      OUTGOING.test(metric) ||
      isKept(metric, names)
    )
      return [];
    const offer = offerOf({ level, metric, operations }, names);
    return offer === null ? [] : [{ ...offer, name, place: SCRAPED }];
  });
}

function namesService(level: string): boolean {
  return SCRAPED.labels.some((label) => `_${level}_`.includes(`_${label}_`));
}

/** Whether the metric itself is there: it says more. */
function isKept(metric: string, names: ReadonlySet<string>): boolean {
  return ['_total', '_bucket', '_count', ''].some((suffix) => names.has(`${metric}${suffix}`));
}

interface Recorded {
  level: string;
  metric: string;
  operations: string;
}

function offerOf(
  { level, metric, operations }: Recorded,
  names: ReadonlySet<string>,
): Omit<SignalQuery, 'name' | 'place'> | null {
  const recorded = `${level}:${metric}:${operations}`;
  const words = `${metric}_${operations}`;
  const by = grouping(SCRAPED);
  const aggregated = (combine: 'sum' | 'max' | 'min') => `${combine} ${by} (${recorded})`;
  if (RATIO.test(words)) {
    const share = (combine: 'max' | 'min') => () =>
      `${aggregated(combine)}${/percent/u.test(words) ? ' / 100' : ''}`;
    if (FAILED.test(words)) return { label: 'error rate', measure: 'errors', unit: '1', query: share('max') };
    return SUCCEEDED.test(words)
      ? { label: 'successful requests', measure: 'success', unit: '1', bad: 'low', query: share('min') }
      : null;
  }
  if (TIME.test(metric)) {
    const unit = unitOf(metric) || 's';
    const latency = { measure: 'latency', unit } as const;
    if (metric.endsWith('_bucket') && RATE.test(operations)) {
      const query = () => `histogram_quantile(0.95, ${aggregated('sum').replace(')', ', le)')})`;
      return { ...latency, label: 'p95 latency', quantile: 0.95, query };
    }
    const [, p, th] = QUANTILE.exec(operations) ?? [];
    const percent = p ?? th;
    if (percent !== undefined) {
      const quantile = Number(percent) / 10 ** percent.length;
      return { ...latency, label: `p${percent} latency`, quantile, query: () => aggregated('max') };
    }
    return MEAN.test(operations)
      ? { ...latency, label: 'mean latency', quantile: 'mean', query: () => aggregated('max') }
      : null;
  }
  if (!REQUESTS.test(metric) || !RATE.test(operations)) return null;
  const all = `${level}:${metric.replace(FAILED, '')}:${operations}`;
  if (FAILED.test(metric))
    return names.has(all)
      ? {
          label: 'error rate',
          measure: 'errors',
          unit: '1',
          query: () => `${aggregated('sum')} / (sum ${by} (${all}) > 0)`,
        }
      : null;
  return throughput(() => aggregated('sum'));
}
