import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { collect, type Listed } from '../../../src/service/telemetry/collect.ts';
import { combine, partialSource } from '../../../src/service/telemetry/combined.ts';
import { known, type Reading, unknown } from '../../../src/service/telemetry/model.ts';

const WINDOW = { from: 0, to: 60_000 };
const named = (name: string) => ({ name, kind: 'service' as const, aliases: [], workload: null });
const check = async () => ({ name: 'test', ok: true, summary: 'It answers.', details: [] });

/** What is read of a system of which a source says that these services depart the most. */
async function collected(unusual: Reading<string[] | null>) {
  const asked: (readonly string[] | undefined)[] = [];
  const listed: Listed[] = [];
  const source = combine([
    partialSource({
      name: 'metrics',
      check,
      services: async () => known(['shop', 'payments', 'ledger'].map(named)),
      signals: async () =>
        known([
          {
            id: 'errors',
            name: 'errors',
            label: 'error rate',
            measure: 'errors',
            unit: '1',
            bad: 'high',
            metricType: 'gauge',
          },
        ]),
      series: async ({ services }) => {
        asked.push(services);
        return known([]);
      },
      unusual: async () => unusual,
    }),
    partialSource({ name: 'logs', check }),
  ]);
  const { looked, gaps } = await collect(
    source,
    {
      window: WINDOW,
      trigger: 0,
      stepMs: 60_000,
      pastMs: 0,
      alert: null,
      near: (system) => {
        listed.push(system);
        return { services: ['shop', 'payments'], of: system.services.length };
      },
      interest: () => [],
    },
    UNLIMITED,
  );
  return { asked, looked, listed: listed[0] ?? null, reasons: gaps.map(({ reason }) => reason) };
}

it('reads all of a small system', async () => {
  const { asked, looked, listed } = await collected(known(null));
  expect(asked).toEqual([undefined]);
  expect([looked, listed]).toEqual([null, null]);
});

it('reads of a large system what is near, and keeps of how many', async () => {
  const { asked, looked, listed, reasons } = await collected(known(['payments']));
  expect(asked).toEqual([['shop', 'payments']]);
  expect(looked).toEqual({ services: ['shop', 'payments'], of: 3 });
  expect(listed).toMatchObject({ unusual: ['payments'], isRanked: true });
  expect(reasons).toEqual([]);
});

it('says what departs and is not read', async () => {
  const { reasons } = await collected(known(['ledger', 'payments']));
  expect(reasons).toEqual(['1 more service is outside its usual range, and was not looked at.']);
});

it('says that it could not be ranked what departs', async () => {
  const { listed, reasons } = await collected(unknown('It took too long.'));
  expect(listed).toMatchObject({ unusual: [], isRanked: false });
  expect(reasons).toEqual(['It took too long.']);
});
