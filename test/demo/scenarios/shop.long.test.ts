import { describe, expect, it } from 'vitest';
import { SHOP_FAULTS } from '../../../src/demo/scenarios/problems.ts';
import { createShopControl } from '../../../src/demo/scenarios/shop.ts';
import { FAULT_PLACES } from '../../../src/demo/shop/faults.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { startSimulatedService } from '../../../src/demo/simulated-service.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { manualClock } from '../../support/manual-clock.ts';

const HOUR = 60 * 60_000;
const PLACES = SHOP_FAULTS.flatMap(({ kind, services, symptom }) =>
  services.map((service) => ({ kind, service, symptom })),
);
/** How a root cause begins, by kind of fault. */
const WORDS: Readonly<Record<string, RegExp>> = {
  bad_deploy: /Bad deploy of/,
  config_change: /Bad configuration change on/,
  connection_pool: /Connection-pool exhaustion in/,
  // Below the limit, it is no leak yet.
  memory_leak: /Memory (?:leak|growth) in/,
  slow_query: /Slow query on/,
  disk_full: /Disk full on/,
  certificate_expiry: /Expired TLS certificate on/,
  queue_backlog: /Queue backlog at/,
};

async function shopOfAService() {
  const clock = manualClock();
  const service = await startSimulatedService({ file: ':memory:', keys: {}, clock, recurring: false });
  const shop = createShopControl(service, clock);
  const telemetry = createShop({ seed: 1, injected: () => service.faults(), recurring: false });
  /** What an investigation of an alert of this moment finds; nothing: `null`. */
  const found = async (service: string, symptom: string): Promise<string | null> => {
    const issue = {
      title: `${symptom} of ${service}`,
      description: '',
      environment: 'production',
      triggeredAt: clock.now(),
      service,
      context: {},
    };
    const options = { id: () => 'x', now: clock.now() + 3_000, budget: UNLIMITED };
    const { results } = await investigate(issue, telemetry, options);
    return results.rootCause?.rootCauseSummary ?? null;
  };
  return { clock, service, shop, found };
}

describe('the shop that people break', () => {
  it('can be broken in every way that the simulated shop knows, wherever it knows it', async () => {
    const places = Object.fromEntries(SHOP_FAULTS.map(({ kind, services }) => [kind, services]));
    expect(places).toEqual(FAULT_PLACES);
  });

  it.each(PLACES)('$kind at $service is found at once, and hours later; mended, it ends', async (place) => {
    const { clock, service, shop, found } = await shopOfAService();
    expect(await found(place.service, place.symptom)).toBeNull();
    shop.break({ fault: place.kind, service: place.service });
    expect(shop.view().broken).toMatchObject([{ kind: place.kind, service: place.service }]);
    const named = new RegExp(`^${WORDS[place.kind]?.source} ${place.service}: `);
    expect(await found(place.service, place.symptom)).toMatch(named);

    clock.advance(5 * HOUR);
    shop.refresh();
    expect(await found(place.service, place.symptom)).toMatch(named);
    shop.repair();
    expect(shop.view().broken).toEqual([]);
    clock.advance(HOUR);
    shop.refresh();
    expect(await found(place.service, place.symptom)).toBeNull();
    await service.close();
  });

  it('says in a sentence what cannot be broken', async () => {
    const { service, shop } = await shopOfAService();
    expect(() => shop.break({ fault: 'gremlins', service: 'payments' })).toThrow(
      /There is no fault "gremlins". Available: bad_deploy, /,
    );
    expect(() => shop.break({ fault: 'slow_query', service: 'cart' })).toThrow(
      'Slow query cannot occur in "cart". Possible: orders-db, payments-db.',
    );
    shop.break({ fault: 'slow_query', service: 'orders-db' });
    expect(() => shop.break({ fault: 'slow_query', service: 'orders-db' })).toThrow(
      'Slow query is already active in orders-db.',
    );
    await service.close();
  });
});
