import { describe, expect, it } from 'vitest';
import { known, unknown } from '../../../../src/service/telemetry/model.ts';
import {
  idleSignals,
  ownSignalQueries,
  readSignals,
} from '../../../../src/service/telemetry/prometheus/own-signals.ts';

const FILE = `# payments
errors charges_total{outcome="error"}
requests charges_total
latency charge_seconds

queue tickets_depth consumer=mailer
calls upstream_total from=job to=upstream`;

function signalsIn(text: string) {
  const read = readSignals(text);
  if ('wrong' in read) throw new Error(read.wrong);
  return read.signals;
}

const NAMES = new Set([
  'charges_total',
  'charge_seconds_sum',
  'charge_seconds_count',
  'tickets_depth',
  'upstream_total',
]);

it('reads lines, without comments', () => {
  expect(signalsIn(FILE)).toEqual([
    {
      line: 2,
      measure: 'errors',
      selector: 'charges_total{outcome="error"}',
      metric: 'charges_total',
      options: {},
    },
    { line: 3, measure: 'requests', selector: 'charges_total', metric: 'charges_total', options: {} },
    { line: 4, measure: 'latency', selector: 'charge_seconds', metric: 'charge_seconds', options: {} },
    {
      line: 6,
      measure: 'queue',
      selector: 'tickets_depth',
      metric: 'tickets_depth',
      options: { consumer: 'mailer' },
    },
    {
      line: 7,
      measure: 'calls',
      selector: 'upstream_total',
      metric: 'upstream_total',
      options: { from: 'job', to: 'upstream' },
    },
  ]);
});

it.each([
  ['speed x_total', 'line 1: "speed" is none of requests'],
  ['requests', 'line 1: "" is no metric'],
  ['requests sum(x_total)', 'line 1: "sum(x_total)" is no metric'],
  ['calls x_total', 'line 1: calls need the label of who is called'],
  ['queue x consumr=a', 'line 1: queue has no consumr='],
  ['\nerrors x_failed_total', 'line 2: errors need a line that says which requests'],
])('refuses %s, and says why', (text, why) => {
  const read = readSignals(text);
  expect('wrong' in read && read.wrong).toContain(why);
});

describe('what is read', () => {
  const offers = ownSignalQueries(signalsIn(FILE), NAMES, new Set(['outcome']));

  it('has a measure each, and a queue who empties it', () => {
    expect(offers.map(({ measure, label, unit, consumer }) => [measure, label, unit, consumer])).toEqual([
      ['errors', 'error rate', '1', undefined],
      ['requests', 'throughput', '{request}/s', undefined],
      ['latency', 'mean latency', 's', undefined],
      ['queue', 'queue depth', '{message}', 'mailer'],
      ['requests', 'outgoing throughput', '{request}/s', undefined],
      ['errors', 'outgoing error rate', '1', undefined],
    ]);
  });

  it('is a share of the requests that have the same name', () => {
    const [errors] = offers;
    expect(errors?.query('1m').replaceAll(/by \([^)]*\)/gu, 'by (…)')).toBe(
      '(sum by (…) (rate(charges_total{outcome="error"}[1m])) or 0 * sum by (…) (rate(charges_total[1m]))) / (sum by (…) (rate(charges_total[1m])) > 0)',
    );
  });
});

describe('a line that brings nothing', () => {
  const lines = signalsIn(`${FILE}\nrequests charges_total{outcome="refund"}`);

  it('names a metric that does not exist, or labels that no series has', async () => {
    const asked: string[] = [];
    const names = new Set(['charges_total', 'charge_seconds_count', 'charge_seconds_sum']);
    const idle = await idleSignals(lines, names, async (expression) => {
      asked.push(...(expression.match(/last_over_time\([^)]*\)/gu) ?? []));
      const points = { times: Float64Array.of(0), values: Float64Array.of(1) };
      return known(['2', '3', '4'].map((line) => ({ labels: { line }, points })));
    });
    expect(idle).toEqual([
      'Line 6 of SIGNALS: there is no metric tickets_depth.',
      'Line 7 of SIGNALS: there is no metric upstream_total.',
      'Line 8 of SIGNALS: no series matched charges_total{outcome="refund"} in the last hour.',
    ]);
    expect(asked).toEqual([
      'last_over_time(charges_total{outcome="error"}[1h])',
      'last_over_time(charges_total[1h])',
      'last_over_time(charge_seconds_count[1h])',
      'last_over_time(charges_total{outcome="refund"}[1h])',
    ]);
  });

  it('is not said of what could not be asked', async () => {
    const unreachable = async () => unknown('Prometheus could not be reached.');
    expect(await idleSignals(lines, NAMES, unreachable)).toEqual([]);
  });
});

it('a histogram is named by its base or by a part, whatever it is to measure', () => {
  const names = new Set(['call_seconds_bucket', 'call_seconds_sum', 'call_seconds_count']);
  const queries = (text: string) =>
    ownSignalQueries(signalsIn(text), names).map(({ query }) =>
      query('1m').replaceAll(/by \([^)]*\)/gu, 'by (…)'),
    );
  expect(queries('calls call_seconds{zone="a"} to=target')).toEqual(
    queries('calls call_seconds_count{zone="a"} to=target'),
  );
  expect(queries('requests call_seconds')).toEqual(['sum by (…) (rate(call_seconds_count[1m]))']);
  expect(queries('latency call_seconds_bucket')).toEqual(queries('latency call_seconds'));
});
