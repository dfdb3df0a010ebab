import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../../src/service/investigation/ranking/rank.ts';
import type { Ranking } from '../../../../src/service/investigation/ranking/types.ts';
import { seriesWith } from '../../../support/telemetry.ts';
import { MINUTE, ONSET, type ShopOptions, shop, TRIGGER } from './shop.ts';

const alert = { service: 'front', title: 'Slow or failing requests', description: '' };

function ranked(options: ShopOptions): Ranking {
  return rankCauses(shop(options), alert);
}

function first(options: ShopOptions): string | null {
  return ranked(options).ranking[0]?.service ?? null;
}

describe('naming the service that is the cause', () => {
  it('finds nothing where everything is as always, with traces and without', () => {
    expect(ranked({})).toEqual({ found: false, ranking: [] });
    expect(ranked({ spans: false })).toEqual({ found: false, ranking: [] });
  });

  it.each(['catalogue', 'payment', 'store', 'cart'])('names %s whose own work is slow', (service) => {
    const faults = { slow: { service, ms: 200 } };
    expect(first({ faults })).toBe(service);
    expect(first({ faults, spans: false })).toBe(service);
  });

  it.each(['catalogue', 'payment', 'store'])('names %s to which every way is slow', (service) => {
    const { ranking } = ranked({ faults: { network: { service, ms: 150 } } });
    expect(ranking[0]).toMatchObject({ service, kind: 'calls' });
  });

  it('names the caller where all of its calls are slow, and not whom it calls', () => {
    expect(first({ faults: { network: { service: 'checkout', ms: 150 } } })).toBe('checkout');
  });

  it('names the service that stops before it calls anybody', () => {
    const { ranking } = ranked({ faults: { stops: 'checkout' } });
    expect(ranking[0]).toMatchObject({ service: 'checkout', kind: 'cut-short' });
    expect(ranking[0]?.reasons.map(({ what }) => what)).toContain('cut-short');
  });

  it.each(['payment', 'store', 'catalogue'])('names %s whose failures its callers feel', (service) => {
    expect(first({ faults: { fails: { service, share: 0.4 } }, spans: false })).toBe(service);
  });

  it.each(['payment', 'store', 'checkout'])(
    'names %s where failures begin, not where they arrive',
    (service) => {
      const { ranking } = ranked({ faults: { breaks: { service, share: 0.5 } } });
      expect(ranking[0]).toMatchObject({ service, kind: 'errors' });
    },
  );

  it('does not take more traffic for a fault', () => {
    expect(ranked({ faults: { traffic: 3 } }).found).toBe(false);
  });

  it('does not take traces that are missing for a sign that nothing is wrong', () => {
    expect(ranked({ faults: { slow: { service: 'payment', ms: 300 } }, spans: false }).found).toBe(true);
  });

  it('says what moved, by how much, and since when', () => {
    const [suspect] = ranked({ faults: { slow: { service: 'payment', ms: 200 } } }).ranking;
    const [reason] = suspect?.reasons ?? [];
    expect(suspect?.onset).toBeGreaterThanOrEqual(ONSET);
    expect(reason).toMatchObject({ what: 'slow-work', service: 'payment', operation: 'handle' });
    expect(reason?.usually).toBeGreaterThan(12);
    expect(reason?.usually).toBeLessThan(28);
    expect(reason?.now).toBeGreaterThan(200);
  });

  it('takes a busy CPU as evidence where that is all that metrics show', () => {
    const snapshot = shop({ faults: { slow: { service: 'payment', ms: 200 } } });
    const busy = Array.from({ length: TRIGGER / MINUTE + 1 }, (_, i) => (i * MINUTE < ONSET ? 0.02 : 1));
    const cpu = seriesWith(busy, { service: 'payment', measure: 'cpu', unit: '1' });
    const [suspect] = rankCauses({ ...snapshot, series: [cpu] }, alert).ranking;
    expect(suspect?.service).toBe('payment');
    expect(suspect?.reasons).toContainEqual(expect.objectContaining({ aspect: 'saturation' }));
  });

  it('shares certainty among the suspects', () => {
    const { ranking } = ranked({ faults: { slow: { service: 'store', ms: 200 } } });
    const sum = ranking.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeLessThanOrEqual(1.000_001);
    expect(ranking.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
  });

  it('holds less against a service that the symptom does not depend on', () => {
    const snapshot = shop({ faults: { slow: { service: 'payment', ms: 300 } }, spans: false });
    const elsewhere = snapshot.series
      .filter(({ service }) => service === 'payment')
      .map((series) => ({ ...series, service: 'reports' }));
    const { ranking } = rankCauses({ ...snapshot, series: [...snapshot.series, ...elsewhere] }, alert);
    expect(ranking[0]?.service).toBe('payment');
    expect(ranking.find(({ service }) => service === 'reports')?.score).toBeLessThan(ranking[0]?.score ?? 0);
  });
});
