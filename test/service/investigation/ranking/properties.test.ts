import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../../src/service/investigation/ranking/rank.ts';
import { runs } from '../../../support/property-runs.ts';
import { type Faults, SERVICES, type ShopOptions, shop } from './shop.ts';

const RUNS = { seed: 16, numRuns: runs(25) };

const inside = SERVICES.filter((service) => service !== 'front');
const faults: fc.Arbitrary<Faults> = fc.oneof(
  fc.record({
    slow: fc.record({ service: fc.constantFrom(...inside), ms: fc.integer({ min: 100, max: 900 }) }),
  }),
  fc.record({
    network: fc.record({ service: fc.constantFrom(...inside), ms: fc.integer({ min: 100, max: 900 }) }),
  }),
  fc.record({ stops: fc.constantFrom('cart', 'checkout') }),
  fc.constant({}),
);
const shops: fc.Arbitrary<ShopOptions> = fc.record({ faults, spans: fc.boolean(), seed: fc.nat(1_000) });

/** Who is suspected, in their order. */
function verdict(options: ShopOptions): { found: boolean; order: string[] } {
  const service = options.name?.('front') ?? 'front';
  const { found, ranking } = rankCauses(shop(options), { service });
  return { found, order: ranking.map((suspect) => suspect.service) };
}

describe('what a verdict does not depend on', () => {
  it('is the unit in which a series is measured', () => {
    fc.assert(
      fc.property(shops, fc.constantFrom(0.001, 60, 1_000), (options, scale) => {
        expect(verdict({ ...options, scale })).toEqual(verdict(options));
      }),
      RUNS,
    );
  });

  it('is when it happened', () => {
    fc.assert(
      fc.property(shops, fc.integer({ min: 1, max: 20_000_000 }), (options, minutes) => {
        expect(verdict({ ...options, shift: minutes * 60_000 })).toEqual(verdict(options));
      }),
      RUNS,
    );
  });

  it('is what services are called: a service renamed is the same verdict renamed', () => {
    fc.assert(
      fc.property(shops, fc.string({ minLength: 1 }), (options, prefix) => {
        const name = (service: string) => `${prefix}${service}`;
        const { found, order } = verdict(options);
        expect(verdict({ ...options, name })).toEqual({ found, order: order.map(name) });
      }),
      RUNS,
    );
  });

  it('are services that have nothing to do with it', () => {
    fc.assert(
      fc.property(shops, fc.integer({ min: 1, max: 60 }), (options, strangers) => {
        expect(verdict({ ...options, strangers })).toEqual(verdict(options));
      }),
      RUNS,
    );
  });

  it('is the order in which spans and series are read', () => {
    fc.assert(
      fc.property(shops, (options) => {
        const snapshot = shop(options);
        const alert = { service: 'front', title: '', description: '' };
        const turned = {
          ...snapshot,
          spans: snapshot.spans.toReversed(),
          series: snapshot.series.toReversed(),
        };
        expect(rankCauses(turned, alert).ranking[0]?.service).toBe(
          rankCauses(snapshot, alert).ranking[0]?.service,
        );
      }),
      RUNS,
    );
  });
});
