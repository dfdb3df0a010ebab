import { describe, expect, it } from 'vitest';
import { createShopControl } from '../../../src/sandbox/scenarios/shop.ts';
import { TROUBLES } from '../../../src/sandbox/scenarios/troubles.ts';
import { FAULT_PLACES } from '../../../src/sandbox/shop/faults.ts';
import { createShop } from '../../../src/sandbox/shop/shop.ts';
import { startSimulatedService } from '../../../src/sandbox/simulated-service.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { handClock } from '../../support/hand-clock.ts';

const HOUR = 60 * 60_000;
const PLACES = TROUBLES.flatMap(({ kind, services, symptom }) =>
  services.map((service) => ({ kind, service, symptom })),
);
/** How a result tells of each kind. */
const WORDS: Readonly<Record<string, RegExp>> = {
  bad_deploy: /got a bad deploy/,
  config_change: /runs with a bad setting/,
  connection_pool: /used up its database connections/,
  memory_leak: /leaks memory/,
  slow_query: /slowed down by a query/,
  disk_full: /out of disk space/,
  certificate_expiry: /expired TLS certificate/,
  queue_backlog: /does not keep up with its queue/,
};

async function shopOfAService() {
  const clock = handClock();
  const service = await startSimulatedService({ file: ':memory:', keys: {}, clock, recurring: false });
  const shop = createShopControl(service, clock);
  const telemetry = createShop({ seed: 1, injected: () => service.faults(), recurring: false });
  /** What an investigation of an alert of this moment finds; nothing: `null`. */
  const found = (service: string, symptom: string): string | null => {
    const issue = {
      title: `${symptom} of ${service}`,
      description: '',
      environment: 'production',
      triggeredAt: clock.now(),
      service,
      context: {},
    };
    const { results } = investigate(issue, telemetry, { id: () => 'x', now: clock.now() + 3_000 });
    return results.rootCause?.rootCauseSummary ?? null;
  };
  return { clock, service, shop, found };
}

describe('the shop that people break', () => {
  it('can be broken in every way that the simulated shop knows, wherever it knows it', () => {
    const places = Object.fromEntries(TROUBLES.map(({ kind, services }) => [kind, services]));
    expect(places).toEqual(FAULT_PLACES);
  });

  it.each(PLACES)('$kind at $service is found at once, and hours later; mended, it ends', async (place) => {
    const { clock, service, shop, found } = await shopOfAService();
    expect(found(place.service, place.symptom)).toBeNull();
    shop.break({ fault: place.kind, service: place.service });
    expect(shop.view().broken).toMatchObject([{ kind: place.kind, service: place.service }]);
    const named = new RegExp(`^${place.service} .*${WORDS[place.kind]?.source}`);
    expect(found(place.service, place.symptom)).toMatch(named);

    clock.advance(5 * HOUR);
    shop.refresh();
    expect(found(place.service, place.symptom)).toMatch(named);
    shop.mend();
    expect(shop.view().broken).toEqual([]);
    clock.advance(HOUR);
    shop.refresh();
    expect(found(place.service, place.symptom)).toBeNull();
    await service.close();
  });

  it('says in a sentence what cannot be broken', async () => {
    const { service, shop } = await shopOfAService();
    expect(() => shop.break({ fault: 'gremlins', service: 'payments' })).toThrow(
      /No fault is called "gremlins" here; there are bad_deploy, /,
    );
    expect(() => shop.break({ fault: 'slow_query', service: 'cart' })).toThrow(
      'A slow query cannot happen at "cart", but at orders-db, payments-db.',
    );
    shop.break({ fault: 'slow_query', service: 'orders-db' });
    expect(() => shop.break({ fault: 'slow_query', service: 'orders-db' })).toThrow(
      'A slow query is already at orders-db.',
    );
    await service.close();
  });
});
