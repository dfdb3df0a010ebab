import { describe, expect, it } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { timeLeft } from '../../../src/service/investigation/time-left.ts';
import { timeLeftInWords } from '../../../src/service/investigation/words/time-left.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import type { Measure, Series } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 7, 0);

/** Noise that is the same each time, between -1 and 1. */
function noise(i: number): number {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

/** What is said of a series that had this value so many minutes ago, for three hours. */
function said(
  measure: Measure,
  valueAt: (minutesAgo: number) => number,
  { unit = '1', limit = null as number | null, until = 0, minutes = 180 } = {},
): string | null {
  const points = Array.from({ length: minutes - until }, (_, i) => minutes - 1 - i)
    .map((ago) => ({ at: NOW - ago * MINUTE, value: valueAt(ago) }))
    .filter(({ at }) => at <= NOW - until * MINUTE);
  const signal = { id: measure, name: measure, label: measure, measure, unit };
  const series: Series = {
    signal: { ...signal, bad: 'high', metricType: 'gauge' },
    ...{ service: 'orders', instance: null, edge: null, labels: {}, query: null, providerUrl: null },
    points: { times: new Float64Array(), values: new Float64Array() },
    limit: limit === null ? null : { times: Float64Array.of(NOW), values: Float64Array.of(limit) },
    provider: 'made',
  };
  const left = timeLeft(series, points, NOW);
  return left && timeLeftInWords(left, NOW);
}

describe('how long is left', () => {
  it('is a time of day with the times between which it lies', () => {
    expect(said('disk', (ago) => 0.9 - 0.002 * Math.min(ago, 30) + 0.001 * noise(ago))).toBe(
      'is 89.9% full, and full at about 07:50 UTC, between 07:45 UTC and 08:05 UTC, at the rate of the last 21 min',
    );
  });

  it('is wider the more the values jump', () => {
    const span = (jump: number) =>
      said('memory', (ago) => 800 - 2 * Math.min(ago, 60) + jump * noise(ago), { unit: 'By', limit: 1000 });
    expect([span(1), span(8)]).toEqual([
      'is 79.9% full, and full at about 08:40 UTC, between 08:35 UTC and 08:45 UTC, at the rate of the last 44 min',
      'is 79.2% full, and full at about 08:45 UTC, between 08:35 UTC and 09:00 UTC, at the rate of the last 44 min',
    ]);
  });

  it('is told of a queue that is worked off, and of one with a limit', () => {
    expect(said('queue', (ago) => 3000 + 100 * Math.min(ago, 40), { unit: '{message}' })).toBe(
      'has 3,000 messages, and is empty at about 07:30 UTC, at the rate of the last 44 min',
    );
    expect(said('queue', (ago) => 8000 - 100 * ago, { unit: '{message}', limit: 10_000, minutes: 60 })).toBe(
      'is 80% full, and full at about 07:20 UTC, at the rate of the last 59 min',
    );
  });

  it('is told of connections', () => {
    expect(
      said('connections', (ago) => 80 - 2 * ago, { unit: '{connection}', limit: 100, minutes: 12 }),
    ).toBe('is used to 80%, and used up at about 07:10 UTC, at the rate of the last 11 min');
  });

  it('is a length of time where the time of day could be another day’s', () => {
    expect(said('disk', (ago) => 0.76 - 0.00035 * ago)).toBe(
      'is 76% full, and full in about 12 h, at the rate of the last 3 h',
    );
    expect(said('certificate', () => 3 * 24 * 3600, { unit: 's' })).toBe('expires in 3 days');
    expect(said('certificate', () => -60, { unit: 's' })).toBe('has expired');
  });
});

describe('nothing is said of', () => {
  it.each<[string, string | null]>([
    ['what moves no more than by its noise', said('disk', (ago) => 0.9 + 0.01 * noise(ago))],
    ['what has stopped moving', said('disk', (ago) => 0.9 - 0.004 * Math.max(0, ago - 20))],
    ['what slows down', said('memory', (ago) => 900 - 4 * Math.max(0, ago - 8), { unit: 'By', limit: 1000 })],
    [
      'what bends',
      said('memory', (ago) => 500 + 350 * (1 - Math.exp((ago - 90) / 25)), { unit: 'By', limit: 1000 }),
    ],
    ['what was as high before, and came back', said('disk', (ago) => 0.9 - 0.004 * (ago % 40))],
    ['what moves away from its limit', said('disk', (ago) => 0.8 + 0.001 * ago)],
    ['what has much room', said('disk', (ago) => 0.4 - 0.001 * ago)],
    ['what takes far longer than it was seen', said('disk', (ago) => 0.6 - 0.0005 * ago, { minutes: 10 })],
    ['what has no limit', said('memory', (ago) => 900 - 2 * ago, { unit: 'By' })],
    ['what is full already', said('disk', () => 1)],
    ['what has no newer sample', said('disk', (ago) => 0.9 - 0.002 * ago, { until: 12 })],
    ['a queue that grows without a limit', said('queue', (ago) => 3000 - 10 * ago, { unit: '{message}' })],
    ['few samples', said('disk', (ago) => 0.9 - 0.01 * ago, { minutes: 5 })],
    ['a certificate of a month', said('certificate', () => 30 * 24 * 3600, { unit: 's' })],
  ])('%s', (_, words) => {
    expect(words).toBeNull();
  });
});

/** What the verdict of an alert about a disk says. */
async function verdict(now: number) {
  const source = madeSource({
    services: [{ name: 'orders-db' }],
    metrics: [
      {
        service: 'orders-db',
        measure: 'disk',
        unit: '1',
        at: (at) => 0.9 - 0.003 * Math.min(60, (NOW - at) / MINUTE),
      },
    ],
  });
  const issue = {
    title: 'Disk of orders-db',
    description: '',
    environment: 'production',
    service: 'orders-db',
  };
  const { results } = await investigate({ ...issue, triggeredAt: NOW, context: {} }, source, {
    id: () => 'id',
    now,
    budget: UNLIMITED,
  });
  return results.rootCause.rootCauseSummary?.split('\n').slice(1) ?? results.rootCause.incidentOverview;
}

it('is said below the verdict, while that is about now', async () => {
  expect(await verdict(NOW)).toEqual([
    'The disk of orders-db is 90% full, and full at about 07:35 UTC, at the rate of the last 44 min.',
  ]);
  expect(await verdict(NOW + 60 * MINUTE)).toEqual([]);
});
