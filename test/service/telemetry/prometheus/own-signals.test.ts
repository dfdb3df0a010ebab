import { describe, expect, it } from 'vitest';
import {
  missingSignals,
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

it('says which lines name a metric that does not exist', () => {
  expect(missingSignals(signalsIn(FILE), new Set(['charges_total', 'charge_seconds_count']))).toEqual([
    'Line 6 of SIGNALS: there is no metric tickets_depth.',
    'Line 7 of SIGNALS: there is no metric upstream_total.',
  ]);
});
