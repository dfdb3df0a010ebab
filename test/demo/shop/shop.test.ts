import { describe, expect, it } from 'vitest';
import type { Fault, FaultKind } from '../../../src/demo/shop/faults.ts';
import { SHOP_SIGNALS } from '../../../src/demo/shop/metrics.ts';
import { createShop as openShop } from '../../../src/demo/shop/shop.ts';
import { SHOP } from '../../../src/demo/shop/topology.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import type { Point } from '../../../src/service/telemetry/view.ts';
import { answerOf, readerOf } from '../../support/telemetry.ts';

const MINUTE = 60_000;
const noon = Date.UTC(2026, 2, 17, 12, 0);

const createShop = (options: Parameters<typeof openShop>[0]) => readerOf(openShop(options));

function shopWith(kind: FaultKind, service: string, seed = 3) {
  const fault: Fault = { kind, service, from: noon, to: noon + 15 * MINUTE };
  return createShop({ seed, injected: () => [fault], recurring: false });
}

const mean = (points: Point[]) => points.reduce((sum, { value }) => sum + value, 0) / points.length;
const before = { from: noon - 10 * MINUTE, to: noon };
const during = { from: noon + 7 * MINUTE, to: noon + 14 * MINUTE };

describe('the shop', () => {
  it('has services that call only services', async () => {
    const shop = openShop({ seed: 1, injected: () => [] });
    const names = (await answerOf(shop.services(before, UNLIMITED))).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(10);
    for (const { caller, callee } of await answerOf(shop.edges(before, UNLIMITED)))
      expect(names).toEqual(expect.arrayContaining([caller, callee]));
  });

  it('computes a trace of a window once for all services that it touches, and anew with another fault', async () => {
    const injected: Fault[] = [];
    const shop = openShop({ seed: 3, injected: () => injected, recurring: false });
    const spansOf = async (service: string) => await answerOf(shop.spans(service, during, UNLIMITED));
    const [ofPayments, ofInventory] = [await spansOf('payments'), await spansOf('inventory')];
    expect(ofInventory).toEqual(expect.arrayContaining(ofPayments));
    const shared = new Set(ofInventory);
    expect(ofPayments.every((span) => shared.has(span))).toBe(true);
    expect(ofPayments.some(({ failed }) => failed)).toBe(false);
    injected.push({ kind: 'bad_deploy', service: 'payments', from: noon, to: noon + 15 * MINUTE });
    expect((await spansOf('payments')).some(({ failed }) => failed)).toBe(true);
  });

  it('is the same for the same seed, whatever window it is seen through', async () => {
    const one = createShop({ seed: 5, injected: () => [] });
    const two = createShop({ seed: 5, injected: () => [] });
    const whole = { from: noon, to: noon + 60 * MINUTE };
    const part = { from: noon + 20 * MINUTE, to: noon + 30 * MINUTE };
    const inPart = ({ at }: { at: number }) => at >= part.from && at < part.to;
    for (const name of Object.keys(SHOP)) {
      for (const { id } of SHOP_SIGNALS)
        expect(await two.metric(name, id, part)).toEqual((await one.metric(name, id, whole)).filter(inPart));
      expect(await two.logs(name, whole)).toEqual(await one.logs(name, whole));
      expect(await two.spans(name, part)).toEqual(await one.spans(name, part));
    }
    expect(await two.changes(part)).toEqual((await one.changes(whole)).filter(inPart));
  });

  it('differs by seed', async () => {
    const latency = (seed: number) =>
      createShop({ seed, injected: () => [] }).metric('web', 'latency.p95', before);
    expect(await latency(1)).not.toEqual(await latency(2));
  });

  it('samples every 30 seconds, the end of the window excluded', async () => {
    const points = await shopWith('bad_deploy', 'cart').metric('cart', 'cpu.utilization', {
      from: noon,
      to: noon + MINUTE,
    });
    expect(points.map(({ at }) => at)).toEqual([noon, noon + 30_000]);
  });

  it('knows nothing of names that are not its own', async () => {
    const shop = shopWith('bad_deploy', 'cart');
    expect(await shop.metric('billing', 'latency.p95', before)).toEqual([]);
    expect(await shop.metric('cart', 'disk.utilization', before)).toEqual([]);
    expect(await shop.logs('billing', before)).toEqual([]);
    expect(await shop.spans('billing', before)).toEqual([]);
  });

  it('has more to do at noon than at night', async () => {
    const shop = createShop({ seed: 1, injected: () => [], recurring: false });
    const night = { from: noon - 12 * 60 * MINUTE, to: noon - 11 * 60 * MINUTE };
    const day = { from: noon, to: noon + 60 * MINUTE };
    expect(mean(await shop.metric('web', 'requests.rate', night))).toBeLessThan(
      0.75 * mean(await shop.metric('web', 'requests.rate', day)),
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

  it.each(moves)('of kind %s at %s moves %s', async (kind, service, metric, factor) => {
    const shop = shopWith(kind, service);
    expect(mean(await shop.metric(service, metric, during))).toBeGreaterThan(
      factor * mean(await shop.metric(service, metric, before)),
    );
  });

  it('reaches the callers, weaker with every call, and nothing else', async () => {
    const shop = shopWith('bad_deploy', 'payments');
    const errors = async (service: string) => mean(await shop.metric(service, 'errors.ratio', during));
    expect(await errors('checkout-api')).toBeLessThan(await errors('payments'));
    expect(await errors('gateway')).toBeLessThan(await errors('checkout-api'));
    expect(await errors('gateway')).toBeGreaterThan(0.03);
    for (const other of ['inventory', 'cart', 'payments-db', 'search-indexer'])
      expect(await errors(other)).toBeLessThan(0.006);
  });

  it('fills the queue of a slow worker, and leaves those who publish alone', async () => {
    const shop = shopWith('queue_backlog', 'order-worker');
    expect(mean(await shop.metric('order-queue', 'queue.depth', during))).toBeGreaterThan(10_000);
    expect(mean(await shop.metric('checkout-api', 'errors.ratio', during))).toBeLessThan(0.006);
  });

  it('is over soon after its end', async () => {
    const shop = shopWith('connection_pool', 'payments');
    const after = { from: noon + 18 * MINUTE, to: noon + 28 * MINUTE };
    expect(mean(await shop.metric('payments', 'latency.p95', after))).toBeLessThan(250);
  });

  it('by a deploy shows the deploy shortly before it, and the way back', async () => {
    const all = shopWith('bad_deploy', 'payments').changes({
      from: noon - 3 * MINUTE,
      to: noon + 20 * MINUTE,
    });
    const changes = (await all)
      .filter(({ service }) => service === 'payments')
      .map(({ kind, title }) => `${kind}: ${title.replace(/\d+\.\d+\.\d+/gu, 'N')}`);
    expect(changes).toEqual(['deploy: Deploy payments N (was N)', 'deploy: Roll payments back to N']);
  });

  it('is told by the logs of its service, and as a failed call by those of a caller', async () => {
    const shop = shopWith('connection_pool', 'payments');
    const errors = async (service: string) =>
      new Set(
        (await shop.logs(service, during)).flatMap(({ level, message }) =>
          level === 'info' ? [] : [message],
        ),
      );
    expect([...(await errors('payments'))]).toContain(
      'PoolTimeout: no free connection within 2000 ms (in use 40, limit 40)',
    );
    expect(
      [...(await errors('checkout-api'))].some((message) => message.startsWith('Call to payments')),
    ).toBe(true);
    expect([...(await errors('cart'))].filter((message) => message.includes('Call to'))).toEqual([]);
  });

  it('fails the spans of its service, and every span above', async () => {
    const spans = await shopWith('bad_deploy', 'payments').spans('payments', during);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const failed = spans.filter(({ service, failed }) => service === 'payments' && failed === true);
    expect(failed.length).toBeGreaterThan(0);
    for (const { parentSpanId } of failed)
      expect(byId.get(parentSpanId ?? '')?.message).toBe('Call to payments failed: 503');
  });

  it('that was put in keeps those of the shop away for 90 minutes on either side', async () => {
    const fault: Fault = { kind: 'bad_deploy', service: 'cart', from: noon, to: noon + MINUTE };
    const kept = createShop({ seed: 1, injected: () => [fault] });
    const quiet = createShop({ seed: 1, injected: () => [fault], recurring: false });
    const own = createShop({ seed: 1, injected: () => [] });
    const near = { from: noon - 80 * MINUTE, to: noon + 80 * MINUTE };
    const far = { from: noon + 120 * MINUTE, to: noon + 240 * MINUTE };
    const errors = (shop: typeof kept, window: typeof near) => shop.metric('gateway', 'errors.ratio', window);
    expect(await errors(kept, near)).toEqual(await errors(quiet, near));
    expect(await errors(kept, far)).toEqual(await errors(own, far));
    expect(await errors(kept, far)).not.toEqual(await errors(quiet, far));
  });
});
