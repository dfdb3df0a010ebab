import { known, type Measure, type Reading } from '../model.ts';
import type { Sampled } from './client.ts';
import { selectorsIn } from './expression.ts';
import { FAILED, outcomesIn } from './hand-named.ts';
import {
  errorRate,
  grouping,
  mean,
  p95,
  rates,
  SCRAPED,
  type SignalQuery,
  throughput,
  unitOf,
} from './promql.ts';

/** A line of the file `SIGNALS`: what a metric of one's own measures. */
export interface OwnSignal {
  line: number;
  measure: Measure | 'calls';
  /** As written: `charges_total{outcome="error"}`. */
  selector: string;
  metric: string;
  /** `consumer=mailer`, `from=job`, `to=upstream`. */
  options: Readonly<Record<string, string>>;
}

/** How a gauge of each measure is combined, and its words. */
const GAUGES: Readonly<
  Partial<Record<Measure, { combine: 'sum' | 'max'; label: string; unit: string; bad?: 'low' }>>
> = {
  queue: { combine: 'sum', label: 'queue depth', unit: '{message}' },
  lag: { combine: 'max', label: 'lag', unit: 's' },
  connections: { combine: 'max', label: 'connections in use', unit: '{connection}' },
  waiting: { combine: 'sum', label: 'requests waiting for a connection', unit: '{request}' },
  memory: { combine: 'max', label: 'memory usage', unit: 'By' },
  disk: { combine: 'max', label: 'disk usage', unit: '1' },
  up: { combine: 'sum', label: 'up', unit: '{instance}', bad: 'low' },
};
const OPTIONS: Readonly<Record<string, readonly string[]>> = { queue: ['consumer'], calls: ['from', 'to'] };
const MEASURES = ['requests', 'errors', 'latency', 'calls', ...Object.keys(GAUGES)];

const isMeasure = (word: string): word is OwnSignal['measure'] => MEASURES.includes(word);

/** Reads the file, or says which line is wrong. */
export function readSignals(text: string): { signals: OwnSignal[] } | { wrong: string } {
  const signals: OwnSignal[] = [];
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.replace(/^\s*#.*$/u, '').trim();
    if (line === '') continue;
    const [measure = '', ...rest] = line.split(/\s+/u);
    const wrong = (what: string) => ({ wrong: `line ${i + 1}: ${what}` });
    if (!isMeasure(measure)) return wrong(`"${measure}" is none of ${MEASURES.join(', ')}`);
    const options = Object.fromEntries(
      rest.flatMap((word) => {
        const [, name, value] = /^([a-z]+)=([^"{}]+)$/u.exec(word) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
    );
    const unknown = Object.keys(options).find((name) => !OPTIONS[measure]?.includes(name));
    if (unknown !== undefined) return wrong(`${measure} has no ${unknown}=`);
    if (measure === 'calls' && options.to === undefined)
      return wrong('calls need the label of who is called, such as to=upstream');
    const selector = rest.filter((word) => !/^[a-z]+=[^"{}]+$/u.test(word)).join(' ');
    const [read, ...more] = selectorsIn(selector);
    if (read === undefined || more.length > 0 || read.metric === '' || !selector.startsWith(read.metric))
      return wrong(`"${selector}" is no metric, such as charges_total{outcome="error"}`);
    signals.push({ line: i + 1, measure, selector, metric: read.metric, options });
  }
  const alone = signals.find(
    ({ measure, metric, selector }) =>
      measure === 'errors' && metric === selector && !signals.some((one) => one.measure === 'requests'),
  );
  if (alone !== undefined)
    return { wrong: `line ${alone.line}: errors need a line that says which requests they are of` };
  return { signals };
}

/** A line as the server has it: a histogram may be named by its base, or by one of its parts. */
function served(signal: OwnSignal, names: ReadonlySet<string>): OwnSignal {
  const { measure, metric, selector } = signal;
  const base = metric.replace(/_(?:bucket|sum|count)$/u, '');
  const isParted = names.has(`${base}_count`);
  const meant =
    measure === 'latency' && isParted
      ? base
      : !names.has(metric) && isParted && measure !== 'latency'
        ? `${base}_count`
        : metric;
  return { ...signal, metric: meant, selector: `${meant}${selector.slice(metric.length)}` };
}

/** Sentences on lines that bring nothing: without such a metric, or whose labels no series had in the last hour. */
export async function idleSignals(
  signals: readonly OwnSignal[],
  names: ReadonlySet<string>,
  ask: (expression: string) => Promise<Reading<readonly Sampled[]>>,
): Promise<string[]> {
  const there = signals.filter((one) => isThere(one, names)).map((one) => served(one, names));
  const part = ({ metric, selector }: OwnSignal) =>
    names.has(metric) ? selector : `${metric}_count${selector.slice(metric.length)}`;
  const counted = there.map(
    (one) => `label_replace(count(last_over_time(${part(one)}[1h])), "line", "${one.line}", "", "")`,
  );
  const reading = counted.length === 0 ? known([]) : await ask(counted.join(' or '));
  const found = new Set(reading.known ? reading.value.map(({ labels }) => Number(labels.line)) : null);
  return signals.flatMap((one) => {
    const { line, metric, selector } = one;
    if (!isThere(one, names)) return [`Line ${line} of SIGNALS: there is no metric ${metric}.`];
    const isIdle = reading.known && !found.has(line);
    return isIdle ? [`Line ${line} of SIGNALS: no series matched ${selector} in the last hour.`] : [];
  });
}

function isThere({ metric }: OwnSignal, names: ReadonlySet<string>): boolean {
  return ['', '_bucket', '_count'].some((suffix) => names.has(`${metric}${suffix}`));
}

/** What the file says is measured, as far as the server has it. */
export function ownSignalQueries(
  signals: readonly OwnSignal[],
  names: ReadonlySet<string>,
  labels?: ReadonlySet<string>,
): SignalQuery[] {
  const by = grouping(SCRAPED);
  const counted = (selectors: readonly string[]) => (rate: string) => `sum ${by} (${rates(selectors, rate)})`;
  const there = signals.filter((one) => isThere(one, names)).map((one) => served(one, names));
  const requests = there.filter(({ measure }) => measure === 'requests').map(({ selector }) => selector);
  return there.flatMap(({ measure, selector, metric, options }): SignalQuery[] => {
    const shared = { name: metric, place: SCRAPED };
    const gauge = measure === 'calls' ? undefined : GAUGES[measure];
    if (gauge !== undefined && measure !== 'calls') {
      const { combine, label, unit, bad } = gauge;
      return [
        {
          ...shared,
          label,
          measure,
          unit: unitOf(metric) || unit,
          ...(bad && { bad }),
          ...(options.consumer !== undefined && { consumer: options.consumer }),
          query: () => `${combine} ${by} (${selector})`,
        },
      ];
    }
    switch (measure) {
      case 'requests':
        return [{ ...shared, ...throughput(counted([selector])) }];
      case 'errors': {
        const of = requests.filter((one) => one.startsWith(metric));
        const all = of.length > 0 ? of : selector === metric ? requests : [metric];
        return [{ ...shared, ...errorRate(counted([selector]), counted(all)) }];
      }
      case 'latency':
        return [
          { ...shared, ...latencyOf(metric, selector, names, by), measure, unit: unitOf(metric) || 's' },
        ];
      default:
        return callsOf({ metric, selector, options }, labels);
    }
  });
}

function latencyOf(
  metric: string,
  selector: string,
  names: ReadonlySet<string>,
  by: string,
): Pick<SignalQuery, 'label' | 'quantile' | 'query'> {
  const part = (suffix: string) => `${metric}${suffix}${selector.slice(metric.length)}`;
  if (names.has(`${metric}_bucket`))
    return { label: 'p95 latency', quantile: 0.95, query: p95(by, [part('_bucket')]) };
  if (!names.has(`${metric}_count`))
    return { label: 'latency', quantile: null, query: () => `max ${by} (${selector})` };
  return { label: 'mean latency', quantile: 'mean', query: mean(by, [part('_sum')], [part('_count')]) };
}

/** Calls by who is called, and how many of them fail where a label says how they ended. */
function callsOf(
  { metric, selector, options }: Pick<OwnSignal, 'metric' | 'selector' | 'options'>,
  labels: ReadonlySet<string> | undefined,
): SignalQuery[] {
  const { from, to = '' } = options;
  const caller = from === undefined || from === 'job' ? SCRAPED.labels : [from];
  const place = caller === SCRAPED.labels ? SCRAPED : { ...SCRAPED, labels: caller };
  const by = grouping(place, to);
  const shared = { name: metric, place, edge: { caller, callee: [to], side: 'caller' as const } };
  const all = (rate: string) => `sum ${by} (rate(${selector}[${rate}]))`;
  const failed = (rate: string) =>
    outcomesIn(labels)
      .map((label) => {
        const matched = selector.endsWith('}')
          ? selector.replace(/\}$/u, `,${label}=~"${FAILED}"}`)
          : `${selector}{${label}=~"${FAILED}"}`;
        return `sum ${by} (rate(${matched}[${rate}]))`;
      })
      .join(' or ');
  return [
    { ...shared, ...throughput(all, 'outgoing ') },
    { ...shared, ...errorRate(failed, all, 'outgoing ') },
  ];
}
