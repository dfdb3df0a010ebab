import { expect, it } from 'vitest';
import type { MadeMetric } from '../../support/made-source.ts';
import { climb, deploy, found, level, MINUTE, ONSET, system } from './freight.ts';

const GIB = 1024 ** 3;
const TRIGGER = ONSET + 8 * MINUTE;
const BEGAN = TRIGGER - 300 * MINUTE;

const of = (over: Pick<MadeMetric, 'measure' | 'unit' | 'at'> & Partial<MadeMetric>): MadeMetric => ({
  service: 'tariffs',
  ...over,
});
const heap = (at: (time: number) => number) =>
  ['tariffs-a', undefined].map((instance) =>
    of({ measure: 'memory', unit: 'By', label: 'heap', limit: 2 * GIB, at, ...(instance && { instance }) }),
  );
const costs = [
  of({ measure: 'gc', unit: '1', label: 'time in garbage collection', at: level(0.01, 0.6) }),
  of({ measure: 'throttling', unit: '1', label: 'CPU throttling', at: level(0.002, 0.21) }),
  of({ measure: 'cpu', unit: '{core}', label: 'CPU usage', limit: 2, at: level(0.6, 1.95) }),
];
const tariffs = { latency: level(0.04, 0.42), errors: level(0.002, 0.12) };

it('a heap that filled up over hours is the cause of the CPU that its collection takes', async () => {
  const { causes, summary, overview } = await found(
    system({ tariffs, metrics: [...heap(climb(0.5 * GIB, 1.96 * GIB, 300)), ...costs] }),
  );
  expect(causes).toEqual(['Memory leak in tariffs']);
  expect(summary).toContain('and garbage collection takes');
  expect(summary).not.toContain('CPU starvation');
  expect(overview).not.toContain('Changed shortly before');
});

it('the change from which on it climbed is to blame, and is what to take back first', async () => {
  const { causes, summary, actions } = await found(
    system({
      tariffs,
      metrics: [...heap(climb(0.5 * GIB, 1.96 * GIB, 300)), ...costs],
      changes: [
        deploy('tariffs', BEGAN - MINUTE, { before: '7.2.0' }),
        deploy('booking', ONSET - 4 * MINUTE),
      ],
    }),
  );
  expect(causes).toEqual(['Memory leak in tariffs since 7.3.0']);
  expect(summary).toMatch(
    /: 7\.3\.0 came at 05:29 UTC: the heap was level until then, and has climbed steadily since 05:[23]\d UTC, from \d+ MiB to [\d,]+ MiB, 9\d(?:\.\d)?% of its limit, and garbage/u,
  );
  expect(actions[0]).toBe('Roll back tariffs to 7.2.0');
});

it('a change is not blamed for what climbed as often before it', async () => {
  const saw = (at: number) =>
    at < BEGAN
      ? (1.9 - 1.4 * (((BEGAN - at) % (200 * MINUTE)) / (200 * MINUTE))) * GIB
      : climb(0.5 * GIB, 1.96 * GIB, 300)(at);
  const { summary } = await found(
    system({
      tariffs,
      metrics: [...heap(saw), ...costs],
      changes: [deploy('tariffs', BEGAN - MINUTE)],
    }),
  );
  expect(summary).not.toContain('7.3.0');
  expect(summary).toMatch(/has climbed steadily since (?:before )?05:[23]\d UTC/u);
});

it('a CPU limit that holds back a fifth of the time is not why two thirds are no longer done', async () => {
  const { causes } = await found(
    system({
      tariffs: { ...tariffs, requests: level(80, 25) },
      metrics: costs.filter(({ measure }) => measure === 'throttling'),
      changes: [],
    }),
  );
  expect(causes).not.toContain('CPU starvation of tariffs');
});

it('a change of the settings from which on it climbed is named, however it is shaped', async () => {
  const curve = (at: number) => {
    const share = Math.min(1, Math.max(0, (at - BEGAN) / (TRIGGER - BEGAN)));
    return (0.5 + 1.46 * share ** 1.5) * GIB;
  };
  const { summary } = await found(
    system({
      tariffs,
      metrics: [...heap(curve), ...costs],
      changes: [
        deploy('tariffs', BEGAN, { kind: 'config', title: 'cache without a limit', version: null }),
        deploy('tariffs', ONSET - 4 * MINUTE),
      ],
    }),
  );
  expect(summary).toContain('"cache without a limit" came at 05:30 UTC: the heap was level until then');
  expect(summary).not.toContain('7.3.0');
});
