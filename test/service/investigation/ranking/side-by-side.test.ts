import { expect, it } from 'vitest';
import { sideBySide } from '../../../../src/service/investigation/ranking/side-by-side.ts';
import type { Series, Signal, VersionRun } from '../../../../src/service/telemetry/model.ts';
import { change, MINUTE, seriesOf } from './shop.ts';

const errors: Signal = {
  id: 'errors',
  name: 'http_requests_total',
  label: 'error rate',
  measure: 'errors',
  unit: '1',
  bad: 'high',
  metricType: 'gauge',
};
const DEPLOYED = 60 * MINUTE;
const END = DEPLOYED + 8 * MINUTE;

/** An instance with its share of errors before and after the deploy. */
function instance(name: string, before: number, after: number, from = 0): Series {
  const times: number[] = [];
  for (let at = from; at <= END; at += MINUTE) times.push(at);
  const values = times.map((at) => (at < DEPLOYED ? before : after));
  const points = { times: Float64Array.from(times), values: Float64Array.from(values) };
  return { ...seriesOf('payment', errors, points), instance: name };
}

const runs: readonly VersionRun[] = [
  { instance: 'new-1', isNew: true, from: DEPLOYED, to: END },
  { instance: 'new-2', isNew: true, from: DEPLOYED, to: END },
  { instance: 'old-1', isNew: false, from: 0, to: END },
  { instance: 'old-2', isNew: false, from: 0, to: END },
];
const deploy = change({ at: DEPLOYED, service: 'payment', version: '2.0.0', instances: runs });
const newer = [instance('new-1', 0, 0.3, DEPLOYED), instance('new-2', 0, 0.34, DEPLOYED)];

it('proves a change whose instances fail while those of the version before do not', () => {
  const proof = sideBySide(deploy, [...newer, instance('old-1', 0.01, 0.01), instance('old-2', 0, 0)]);
  expect(proof).toMatchObject({ kind: 'version', newer: 2, older: 2, was: 0.005 });
  expect(proof?.is).toBeCloseTo(0.32);
});

it.each([
  ['the old version fails too', [...newer, instance('old-1', 0.01, 0.28), instance('old-2', 0, 0)]],
  [
    'one instance of the new version is fine',
    [instance('new-1', 0, 0.3, DEPLOYED), instance('new-2', 0, 0, DEPLOYED), instance('old-1', 0, 0)],
  ],
  ['the difference is small', [instance('new-1', 0, 0.03, DEPLOYED), instance('old-1', 0, 0)]],
  ['nothing of the old version reports', newer],
  [
    'they are of another service',
    [...newer, instance('old-1', 0, 0)].map((one) => ({ ...one, service: 'cart' })),
  ],
])('proves nothing if %s', (_, instances) => {
  expect(sideBySide(deploy, instances)).toBeNull();
});

it('compares delays too, of which a few milliseconds are none', () => {
  const latency: Signal = { ...errors, id: 'latency', measure: 'latency', unit: 's' };
  const of = (is: number, was: number) =>
    [
      instance('new-1', was, is, DEPLOYED),
      instance('new-2', was, is, DEPLOYED),
      instance('old-1', was, was),
    ].map((one) => ({ ...one, signal: latency }));
  expect(sideBySide(deploy, of(0.8, 0.1))).toMatchObject({ signal: { measure: 'latency' } });
  expect(sideBySide(deploy, of(0.012, 0.004))).toBeNull();
  expect(sideBySide(deploy, of(0, 0))).toBeNull();
});

it('proves nothing if the versions hardly ran side by side', () => {
  const short = runs.map((run) => (run.isNew ? run : { ...run, to: DEPLOYED + 2 * MINUTE }));
  const series = [...newer, instance('old-1', 0, 0)];
  expect(sideBySide({ ...deploy, instances: short }, series)).toBeNull();
  expect(sideBySide({ ...deploy, instances: [] }, series)).toBeNull();
});
