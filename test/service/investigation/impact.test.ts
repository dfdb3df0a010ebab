import { expect, it } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type Series } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { type MadeMetric, madeSource } from '../../support/made-source.ts';

const MINUTE = 60_000;
const TRIGGER = Date.UTC(2026, 5, 1, 14, 10);
const ONSET = TRIGGER - 10 * MINUTE;

interface Part {
  labels: Record<string, string>;
  /** Requests a second, and the share of them that fail since the onset. */
  rate: number;
  failing: number;
}

const POST = { method: 'POST', route: '/buy' };
const GET = { method: 'GET', route: '/cart' };

/** The shop's `payments`, of whose requests these parts fail. */
function payments(parts: readonly Part[], more: readonly MadeMetric[] = []): TelemetrySource {
  const rate = parts.reduce((sum, part) => sum + part.rate, 0);
  const failed = parts.reduce((sum, part) => sum + part.rate * part.failing, 0);
  const made = madeSource({
    services: [{ name: 'payments' }],
    metrics: [
      { service: 'payments', measure: 'requests', unit: '{request}/s', at: () => rate },
      {
        service: 'payments',
        measure: 'errors',
        unit: '1',
        at: (time) => (time >= ONSET ? failed / rate : 0.001),
      },
      ...more,
    ],
  });
  return {
    ...made,
    series: async (query, window, budget) => {
      const reading = await made.series(query, window, budget);
      if (!reading.known || query.isAverage !== true) return reading;
      const asked = grouped(parts, query.by ?? []);
      return known(
        reading.value.flatMap((series) => asked.map((part) => averaged(series, part, window.to - 1))),
      );
    },
  };
}

/** The parts by some of their labels, as a source sums them. */
function grouped(parts: readonly Part[], by: readonly string[]): Part[] {
  const labelsOf = ({ labels }: Part) =>
    Object.fromEntries(Object.entries(labels).filter(([name]) => by.includes(name)));
  return [...Map.groupBy(parts, (part) => JSON.stringify(labelsOf(part)))].map(([labels, some]) => {
    const rate = some.reduce((sum, part) => sum + part.rate, 0);
    const failed = some.reduce((sum, part) => sum + part.rate * part.failing, 0);
    return { labels: JSON.parse(labels), rate, failing: failed / rate };
  });
}

function averaged(series: Series, { labels, rate, failing }: Part, at: number): Series {
  const value = series.signal.measure === 'requests' ? rate : failing;
  return { ...series, labels, points: { times: Float64Array.of(at), values: Float64Array.of(value) } };
}

async function verdictOn(source: TelemetrySource) {
  const { results } = await investigate(
    {
      title: 'Errors of payments',
      description: '',
      environment: 'production',
      triggeredAt: TRIGGER,
      service: 'payments',
      context: {},
    },
    source,
    { id: () => 'id', now: TRIGGER, budget: UNLIMITED },
  );
  const { rootCauseSummary, incidentOverview } = results.rootCause;
  return {
    line: (rootCauseSummary?.split('\n')[1] ?? incidentOverview).replace(/(?<=\.) .*/su, ''),
    results,
  };
}

it('says how many requests failed since the onset, and on which route', async () => {
  const source = payments([
    { labels: POST, rate: 10, failing: 0.2 },
    { labels: GET, rate: 4, failing: 0 },
  ]);
  expect((await verdictOn(source)).line).toBe(
    'About 1,200 of 8,400 requests to payments have failed since 14:00 UTC (14.3%, as of 14:10 UTC), all on `POST /buy`.',
  );
});

it('names several routes with what failed on each, and counts the rest', async () => {
  const source = payments([
    { labels: POST, rate: 10, failing: 0.2 },
    { labels: GET, rate: 10, failing: 0.1 },
    { labels: {}, rate: 10, failing: 0.05 },
  ]);
  expect((await verdictOn(source)).line).toBe(
    'About 2,100 of 18,000 requests to payments have failed since 14:00 UTC (11.7%, as of 14:10 UTC): 1,200 on `POST /buy`, 600 on `GET /cart` and 300 elsewhere.',
  );
});

it('counts what failed where no label names a route', async () => {
  const source = payments([{ labels: {}, rate: 5, failing: 0.5 }]);
  expect((await verdictOn(source)).line).toBe(
    'About 1,500 of 3,000 requests to payments have failed since 14:00 UTC (50%, as of 14:10 UTC).',
  );
});

it('has the five customers with the most failed requests as values, and in no sentence', async () => {
  const names = ['acme', 'birch', 'cedar', 'dune', 'elm', 'fir'];
  const source = payments(
    names.map((customer, i) => ({ labels: { customer }, rate: 10, failing: 0.1 + i / 20 })),
  );
  const { results } = await verdictOn({ ...source, tenantLabel: 'customer' });
  expect(results.customers).toEqual([
    { name: 'fir', failed: 2100, requests: 6000 },
    { name: 'elm', failed: 1800, requests: 6000 },
    { name: 'dune', failed: 1500, requests: 6000 },
    { name: 'cedar', failed: 1200, requests: 6000 },
    { name: 'birch', failed: 900, requests: 6000 },
  ]);
  const { customers, ...rest } = results;
  expect(JSON.stringify(rest)).not.toMatch(/acme|birch|cedar|dune|elm|fir\b/u);
});

it('says nothing where it is not known of how many requests a share is', async () => {
  const other: MadeMetric = { service: 'payments', measure: 'requests', unit: '{job}/s', at: () => 3 };
  const { results } = await verdictOn(payments([{ labels: {}, rate: 5, failing: 0.5 }], [other]));
  expect(JSON.stringify(results)).not.toContain(' requests to payments failed');
});

it('says nothing of failures where requests are slow and none fails', async () => {
  const slow: MadeMetric = {
    service: 'payments',
    measure: 'latency',
    unit: 's',
    at: (time) => (time >= ONSET ? 3 : 0.1),
  };
  const { results } = await verdictOn(payments([{ labels: {}, rate: 5, failing: 0.001 }], [slow]));
  expect(results.rootCause.rootCauseSummary).toBeDefined();
  expect(JSON.stringify(results)).not.toContain(' requests to payments failed');
});
