import { expect, it } from 'vitest';
import { found, level, MINUTE, ONSET, system } from './freight.ts';

const FULL = ONSET + 2 * MINUTE;
const pool = (from: number) => ({
  service: 'tariffs',
  measure: 'connections' as const,
  unit: '{connection}',
  limit: 20,
  label: 'connections in use',
  at: (at: number) => (at >= from ? 20 : 6),
});
const queries = (from: number, slow = 0.9) => ({
  service: 'tariffs',
  measure: 'queries' as const,
  unit: 's',
  label: 'mean query time',
  at: level(0.02, slow, from),
});
const line = {
  at: FULL + 30_000,
  service: 'tariffs',
  instance: null,
  level: 'error',
  message: 'HikariPool-1: connection is not available, request timed out',
  traceId: null,
};
const tariffs = { latency: level(0.04, 0.9), errors: level(0.002, 0.1, FULL) };

it('queries that slow down before the pool is full are the cause, and the pool is what they filled', async () => {
  const { causes, summary } = await found(
    system({ tariffs, metrics: [queries(ONSET), pool(FULL)], logs: [line] }),
  );
  expect(causes).toEqual(['Slow queries of tariffs']);
  expect(summary).toMatch(
    /^Slow queries of tariffs: mean query time up to .* since 10:2\d UTC \(normally \d\d(?:\.\d)? ms\), which filled the connection pool: 20 of 20 connections in use since 10:2\d UTC\.$/mu,
  );
});

it('a pool that is full before queries slow down is the cause', async () => {
  const { causes } = await found(
    system({
      tariffs,
      metrics: [queries(FULL + MINUTE), pool(ONSET)],
      logs: [{ ...line, at: ONSET + 30_000 }],
    }),
  );
  expect(causes).toEqual(['Connection-pool exhaustion in tariffs']);
});

it('queries that become slower by far less than the pool fills did not fill it', async () => {
  const { causes } = await found(
    system({ tariffs, metrics: [queries(ONSET, 0.026), pool(FULL)], logs: [line] }),
  );
  expect(causes).toEqual(['Connection-pool exhaustion in tariffs']);
});

const withDatabase = (failingFrom: number) =>
  system({
    tariffs: { latency: level(0.04, 0.9), errors: level(0.002, 0.1, failingFrom) },
    services: [
      { name: 'portal' },
      { name: 'booking' },
      { name: 'tariffs' },
      { name: 'tariff-db', kind: 'database' },
    ],
    edges: [
      { caller: 'portal', callee: 'booking' },
      { caller: 'booking', callee: 'tariffs' },
      { caller: 'tariffs', callee: 'tariff-db' },
    ],
    metrics: [
      pool(FULL),
      { service: 'tariff-db', measure: 'latency', unit: 's', label: 'p95 latency', at: level(0.02, 0.9) },
      { service: 'tariff-db', measure: 'requests', unit: '{query}/s', label: 'queries', at: level(200) },
    ],
    logs: [line],
  });

it('a database that slows down before its caller fails is the cause', async () => {
  const { causes } = await found(withDatabase(FULL));
  expect(causes).toEqual(['Slow queries on tariff-db']);
});

it('a database of its own that slows down before the pool in front of it is full is the cause', async () => {
  const { causes, summary, overview } = await found(
    system({
      tariffs: { latency: level(0.04, 0.9) },
      services: [
        { name: 'portal' },
        { name: 'booking' },
        { name: 'tariffs' },
        { name: 'tariff-db', kind: 'database' },
      ],
      edges: [
        { caller: 'portal', callee: 'booking' },
        { caller: 'booking', callee: 'tariffs' },
        { caller: 'tariffs', callee: 'tariff-db' },
      ],
      metrics: [
        pool(FULL),
        { service: 'tariff-db', measure: 'latency', unit: 's', label: 'p95 latency', at: level(0.02, 0.9) },
        { service: 'tariff-db', measure: 'requests', unit: '{query}/s', label: 'queries', at: level(200) },
      ],
      logs: [line],
    }),
  );
  expect(causes).toEqual(['Slow queries on tariff-db']);
  expect(summary).toMatch(/^Slow queries on tariff-db: p95 latency up to /u);
  expect(overview).toContain(
    'Caused by tariff-db via booking and tariffs. Then the connection pool of tariffs filled up (20 of 20 connections in use since 10:24 UTC).',
  );
});

it('a database without a free connection is not restarted: who holds them is', async () => {
  const { causes, actions, commands } = await found(
    system({
      tariffs: { errors: level(0.002, 0.2) },
      services: [
        { name: 'portal' },
        { name: 'booking' },
        { name: 'tariffs' },
        { name: 'tariff-db', kind: 'database' },
      ],
      edges: [
        { caller: 'portal', callee: 'booking' },
        { caller: 'booking', callee: 'tariffs' },
        { caller: 'tariffs', callee: 'tariff-db' },
      ],
      metrics: [{ ...pool(ONSET), service: 'tariff-db' }],
    }),
  );
  expect(causes).toEqual(['Connection-pool exhaustion in tariff-db']);
  expect(actions[0]).toBe('Free up connections of tariff-db');
  expect(commands).toEqual([]);
});
