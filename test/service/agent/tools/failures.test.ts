import { expect, it } from 'vitest';
import { failuresOf } from '../../../../src/service/agent/tools/failures.ts';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { collect } from '../../../../src/service/telemetry/collect.ts';
import { viewOf } from '../../../../src/service/telemetry/view.ts';
import { type MadeMetric, madeSource } from '../../../support/made-source.ts';

const NOW = Date.UTC(2026, 10, 27, 18, 0);
const MINUTE = 60_000;

async function counted(metrics: readonly MadeMetric[]) {
  const window = { from: NOW - 10 * MINUTE, to: NOW };
  const source = madeSource({ services: [{ name: 'till' }], metrics });
  const options = { window, trigger: NOW, stepMs: MINUTE, pastMs: 0, alert: null, interest: () => [] };
  return failuresOf('till', viewOf(await collect(source, options, UNLIMITED)), window);
}

const requests: MadeMetric = { service: 'till', measure: 'requests', unit: '{request}/s', at: () => 5 };

it('the requests that failed are counted from their share and the rate', async () => {
  const errors: MadeMetric = {
    service: 'till',
    measure: 'errors',
    unit: '1',
    at: (at) => (at < NOW - 5 * MINUTE ? 0 : 0.2),
  };
  const found = await counted([requests, errors]);
  expect([Math.round(found?.failed ?? 0), found?.all]).toEqual([300, 3000]);
});

it('is not known where nothing says how many there are', async () => {
  expect(await counted([requests])).toBeNull();
});

it('is not known where samples are missing: what was not sampled is not zero', async () => {
  const isAway = (at: number) => at > NOW - 8 * MINUTE && at < NOW - 3 * MINUTE;
  const away = (metric: MadeMetric): MadeMetric => ({
    ...metric,
    at: (at) => (isAway(at) ? null : metric.at(at)),
  });
  const errors: MadeMetric = { service: 'till', measure: 'errors', unit: '1', at: () => 0.2 };
  expect(await counted([away(requests), away(errors)])).toBeNull();
});
