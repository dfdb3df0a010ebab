import { describe, expect, it } from 'vitest';
import type { Fault, FaultKind } from '../../../src/sandbox/shop/faults.ts';
import { createShop } from '../../../src/sandbox/shop/shop.ts';
import type { Point } from '../../../src/service/telemetry/telemetry.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 2, 17, 12, 0);

function shopWith(kind: FaultKind, service: string, seed = 3) {
  const fault: Fault = { kind, service, from: noon, to: noon + 15 * MINUTE };
  return createShop({ seed, injected: () => [fault], recurring: false });
}

const mean = (points: Point[]) => points.reduce((sum, { value }) => sum + value, 0) / points.length;
const before = { from: noon - 10 * MINUTE, to: noon };
const during = { from: noon + 7 * MINUTE, to: noon + 14 * MINUTE };

describe('the shop', () => {
  it('has services that call only services', () => {
    const services = createShop({ seed: 1, injected: () => [] }).services();
    const names = services.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(10);
    for (const { calls } of services) for (const callee of calls) expect(names).toContain(callee);
  });

  it('is the same for the same seed, whatever window it is seen through', () => {
    const one = createShop({ seed: 5, injected: () => [] });
    const two = createShop({ seed: 5, injected: () => [] });
    const whole = { from: noon, to: noon + 60 * MINUTE };
    const part = { from: noon + 20 * MINUTE, to: noon + 30 * MINUTE };
    const inPart = ({ at }: { at: number }) => at >= part.from && at < part.to;
    for (const { name } of one.services()) {
      for (const metric of one.metricNames(name))
        expect(two.metric(name, metric.name, part)).toEqual(
          one.metric(name, metric.name, whole).filter(inPart),
        );
      expect(two.logs(name, whole)).toEqual(one.logs(name, whole));
      expect(two.traces(name, part)).toEqual(one.traces(name, part));
    }
    expect(two.changes(part)).toEqual(one.changes(whole).filter(inPart));
  });

  it('differs by seed', () => {
    const latency = (seed: number) =>
      createShop({ seed, injected: () => [] }).metric('web', 'latency.p95', before);
    expect(latency(1)).not.toEqual(latency(2));
  });

  it('samples every 30 seconds, the end of the window excluded', () => {
    const points = shopWith('bad_deploy', 'cart').metric('cart', 'cpu.utilization', {
      from: noon,
      to: noon + MINUTE,
    });
    expect(points.map(({ at }) => at)).toEqual([noon, noon + 30_000]);
  });

  it('knows nothing of names that are not its own', () => {
    const shop = shopWith('bad_deploy', 'cart');
    expect(shop.metricNames('billing')).toEqual([]);
    expect(shop.metric('billing', 'latency.p95', before)).toEqual([]);
    expect(shop.metric('cart', 'disk.utilization', before)).toEqual([]);
    expect(shop.logs('billing', before)).toEqual([]);
    expect(shop.traces('billing', before)).toEqual([]);
  });

  it('has more to do at noon than at night', () => {
    const shop = createShop({ seed: 1, injected: () => [], recurring: false });
    const night = { from: noon - 12 * 60 * MINUTE, to: noon - 11 * 60 * MINUTE };
    const day = { from: noon, to: noon + 60 * MINUTE };
    expect(mean(shop.metric('web', 'requests.rate', night))).toBeLessThan(
      0.75 * mean(shop.metric('web', 'requests.rate', day)),
    );
  });
});

describe('a fault', () => {
  const moves: readonly [FaultKind, string, string, number][] = [
    ['bad_deploy', 'payments', 'errors.ratio', 10],
    ['config_change', 'cart', 'errors.ratio', 10],
    ['connection_pool', 'payments', 'connections.used', 2],
    ['memory_leak', 'checkout-api', 'memory.utilization', 1.2],
    ['slow_query', 'orders-db', 'latency.p95', 20],
    ['disk_full', 'payments-db', 'disk.utilization', 1.4],
    ['certificate_expiry', 'inventory', 'errors.ratio', 50],
    ['queue_backlog', 'order-worker', 'latency.p95', 3],
  ];

  it.each(moves)('of kind %s at %s moves %s', (kind, service, metric, factor) => {
    const shop = shopWith(kind, service);
    expect(mean(shop.metric(service, metric, during))).toBeGreaterThan(
      factor * mean(shop.metric(service, metric, before)),
    );
  });

  it('reaches the callers, weaker with every call, and nothing else', () => {
    const shop = shopWith('bad_deploy', 'payments');
    const errors = (service: string) => mean(shop.metric(service, 'errors.ratio', during));
    expect(errors('checkout-api')).toBeLessThan(errors('payments'));
    expect(errors('gateway')).toBeLessThan(errors('checkout-api'));
    expect(errors('gateway')).toBeGreaterThan(0.03);
    for (const other of ['inventory', 'cart', 'payments-db', 'search-indexer'])
      expect(errors(other)).toBeLessThan(0.006);
  });

  it('fills the queue of a slow worker, and leaves those who publish alone', () => {
    const shop = shopWith('queue_backlog', 'order-worker');
    expect(mean(shop.metric('order-queue', 'queue.depth', during))).toBeGreaterThan(10_000);
    expect(mean(shop.metric('checkout-api', 'errors.ratio', during))).toBeLessThan(0.006);
  });

  it('is over soon after its end', () => {
    const shop = shopWith('connection_pool', 'payments');
    const after = { from: noon + 18 * MINUTE, to: noon + 28 * MINUTE };
    expect(mean(shop.metric('payments', 'latency.p95', after))).toBeLessThan(250);
  });

  it('by a deploy shows the deploy shortly before it, and the way back', () => {
    const changes = shopWith('bad_deploy', 'payments')
      .changes({ from: noon - 3 * MINUTE, to: noon + 20 * MINUTE })
      .filter(({ service }) => service === 'payments')
      .map(({ kind, title }) => `${kind}: ${title.replace(/\d+\.\d+\.\d+/gu, 'N')}`);
    expect(changes).toEqual(['deploy: Deploy payments N (was N)', 'deploy: Roll payments back to N']);
  });

  it('is told by the logs of its service, and as a failed call by those of a caller', () => {
    const shop = shopWith('connection_pool', 'payments');
    const errors = (service: string) =>
      new Set(
        shop.logs(service, during).flatMap(({ level, message }) => (level === 'info' ? [] : [message])),
      );
    expect([...errors('payments')]).toContain(
      'PoolTimeout: no free connection within 2000 ms (in use 40, limit 40)',
    );
    expect([...errors('checkout-api')].some((message) => message.startsWith('Call to payments'))).toBe(true);
    expect([...errors('cart')].filter((message) => message.includes('Call to'))).toEqual([]);
  });

  it('fails the spans of its service, and every span above', () => {
    const spans = shopWith('bad_deploy', 'payments').traces('payments', during);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const failed = spans.filter(({ service, error }) => service === 'payments' && error !== null);
    expect(failed.length).toBeGreaterThan(0);
    for (const { parentSpanId } of failed)
      expect(byId.get(parentSpanId ?? '')?.error).toBe('Call to payments failed: 503');
  });

  it('that was put in keeps those of the shop away for 90 minutes on either side', () => {
    const fault: Fault = { kind: 'bad_deploy', service: 'cart', from: noon, to: noon + MINUTE };
    const kept = createShop({ seed: 1, injected: () => [fault] });
    const quiet = createShop({ seed: 1, injected: () => [fault], recurring: false });
    const own = createShop({ seed: 1, injected: () => [] });
    const near = { from: noon - 80 * MINUTE, to: noon + 80 * MINUTE };
    const far = { from: noon + 120 * MINUTE, to: noon + 240 * MINUTE };
    const errors = (shop: typeof kept, window: typeof near) => shop.metric('gateway', 'errors.ratio', window);
    expect(errors(kept, near)).toEqual(errors(quiet, near));
    expect(errors(kept, far)).toEqual(errors(own, far));
    expect(errors(kept, far)).not.toEqual(errors(quiet, far));
  });
});
