import { describe, expect, it } from 'vitest';
import type { MadeSystem } from '../../support/made-source.ts';
import { climb, deploy, found, level, MINUTE, noise, ONSET, red, system } from './freight.ts';

const worker = (name: string) => ({ name, kind: 'worker' as const });
const CASES: Record<
  string,
  { made: MadeSystem; cause: string; says: RegExp; about?: { title: string; service: string | null } }
> = {
  'a bad deploy': {
    made: system({ changes: [deploy('tariffs', ONSET - MINUTE), deploy('printer', ONSET - MINUTE)] }),
    cause: 'Bad deploy of tariffs',
    says: /7\.3\.0 rolled out at 10:21 UTC/u,
  },
  'a configuration change': {
    made: system({
      changes: [
        deploy('tariffs', ONSET - MINUTE, { kind: 'config', title: 'Cut the cache size', version: null }),
      ],
    }),
    cause: 'Bad configuration change on tariffs',
    says: /"Cut the cache size" went live/u,
  },
  'CPU starvation by its limit': {
    made: system({
      tariffs: { latency: level(0.04, 0.42) },
      metrics: [
        {
          service: 'tariffs',
          measure: 'cpu',
          unit: '{core}',
          limit: 2,
          label: 'CPU usage',
          at: level(0.6, 1.95),
        },
        {
          service: 'tariffs',
          measure: 'throttling',
          unit: '1',
          label: 'CPU throttling',
          at: level(0.01, 0.6),
        },
      ],
    }),
    cause: 'CPU starvation of tariffs',
    says: /holds it back 6\d(?:\.\d)?% of the time/u,
  },
  'a memory leak that ends in OOM kills': {
    made: system({
      metrics: [
        {
          service: 'tariffs',
          measure: 'memory',
          unit: 'By',
          limit: 1e9,
          label: 'memory working set',
          at: climb(4e8, 9.9e8, 60),
        },
        {
          service: 'tariffs',
          measure: 'oom-kills',
          unit: '{kill}',
          label: 'OOM kills',
          at: (at) => (at >= ONSET && at < ONSET + 3 * MINUTE ? 1 : 0),
        },
        {
          service: 'tariffs',
          measure: 'restarts',
          unit: '{restart}',
          label: 'restarts',
          at: (at) => (at >= ONSET && at < ONSET + 3 * MINUTE ? 1 : 0),
        },
      ],
    }),
    cause: 'Memory leak in tariffs',
    says: /OOM-killed/u,
  },
  'connection-pool exhaustion': {
    made: system({
      metrics: [
        {
          service: 'tariffs',
          measure: 'connections',
          unit: '{connection}',
          limit: 20,
          label: 'connections in use',
          at: (at) => (at >= ONSET ? 20 : 6),
        },
        {
          service: 'tariffs',
          measure: 'waiting',
          unit: '{request}',
          label: 'requests waiting for a connection',
          at: level(0.1, 30),
        },
      ],
    }),
    cause: 'Connection-pool exhaustion in tariffs',
    says: /20 of 20 connections in use/u,
  },
  'a slow query': {
    made: system({
      tariffs: { latency: level(0.04, 0.41), errors: level(0.002, 0.1) },
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
        { service: 'tariff-db', measure: 'latency', unit: 's', label: 'p95 latency', at: level(0.004, 0.38) },
        { service: 'tariff-db', measure: 'requests', unit: '{query}/s', label: 'queries', at: level(200) },
      ],
    }),
    cause: 'Slow query on tariff-db',
    says: /p95 latency up to 3\d\d ms/u,
  },
  'a full disk': {
    made: system({
      metrics: [
        { service: 'tariffs', measure: 'disk', unit: '1', label: 'disk usage', at: climb(0.6, 1, 50) },
      ],
    }),
    cause: 'Disk full on tariffs',
    says: /used, starting at/u,
  },
  'a certificate that expired': {
    made: system({
      metrics: [
        {
          service: 'tariffs',
          measure: 'certificate',
          unit: 's',
          label: 'time to certificate expiry',
          at: (at) => (ONSET - at) / 1000,
        },
      ],
    }),
    cause: 'Expired TLS certificate on tariffs',
    says: /expired at 10:2\d UTC/u,
  },
  'a queue backlog': {
    made: {
      services: [{ name: 'portal' }, worker('label-printing')],
      metrics: [
        ...red('portal'),
        {
          service: 'label-printing',
          measure: 'queue',
          unit: '{message}',
          label: 'consumer lag',
          at: climb(40, 90_000, 20),
        },
        {
          service: 'label-printing',
          measure: 'requests',
          unit: '{message}/s',
          label: 'messages consumed',
          at: level(300, 12),
        },
      ],
    },
    cause: 'Queue backlog at label-printing',
    says: /only 1\d(?:\.\d)? messages\/s since 10:2\d UTC/u,
    about: { title: 'KafkaConsumerLag', service: 'label-printing' },
  },
  'a cache outage': {
    made: system({
      services: [
        { name: 'portal' },
        { name: 'booking' },
        { name: 'tariffs' },
        { name: 'sessions', kind: 'cache' },
      ],
      edges: [
        { caller: 'portal', callee: 'booking' },
        { caller: 'booking', callee: 'sessions' },
      ],
      tariffs: {},
      metrics: [
        {
          service: 'sessions',
          measure: 'up',
          unit: '{instance}',
          label: 'instances up',
          at: (at) => (at >= ONSET ? 0 : 1),
        },
        {
          service: 'sessions',
          measure: 'cache-hits',
          unit: '1',
          label: 'cache hit ratio',
          at: (at) => (at >= ONSET ? null : 0.93 + 0.01 * noise(3, at)),
        },
      ],
    }),
    cause: 'Cache outage of sessions',
    says: /instances up went from 1 .*to 0/u,
  },
  'a traffic surge': {
    made: system({
      felt: false,
      tariffs: { requests: level(80, 320), latency: level(0.04, 0.5) },
      metrics: [
        {
          service: 'tariffs',
          measure: 'cpu',
          unit: '{core}',
          limit: 2,
          label: 'CPU usage',
          at: level(0.5, 1.9),
        },
      ],
    }),
    cause: 'Traffic surge on tariffs',
    says: /requests went from \d+(?:\.\d)? requests\/s to 3\d\d requests\/s/u,
    about: { title: 'Tariffs is slow', service: 'tariffs' },
  },
  'an external dependency': {
    made: system({
      tariffs: { latency: level(0.04, 0.44), errors: level(0.002, 0.1) },
      services: [
        { name: 'portal' },
        { name: 'booking' },
        { name: 'tariffs' },
        { name: 'api.rates.example', kind: 'external' },
      ],
      edges: [
        { caller: 'portal', callee: 'booking' },
        { caller: 'booking', callee: 'tariffs' },
        { caller: 'tariffs', callee: 'api.rates.example' },
      ],
      metrics: [
        {
          service: 'tariffs',
          measure: 'latency',
          unit: 's',
          label: 'outgoing p95 latency',
          edge: { caller: 'tariffs', callee: 'api.rates.example', side: 'caller' },
          at: level(0.03, 0.4),
        },
        {
          service: 'tariffs',
          measure: 'errors',
          unit: '1',
          label: 'outgoing error rate',
          edge: { caller: 'tariffs', callee: 'api.rates.example', side: 'caller' },
          at: level(0.001, 0.1),
        },
      ],
    }),
    cause: 'External dependency api.rates.example is degraded',
    says: /as its callers see it/u,
  },
  'a broken edge': {
    made: system({
      felt: false,
      booking: { latency: level(0.15, 0.6) },
      tariffs: {},
      metrics: [
        {
          service: 'booking',
          measure: 'latency',
          unit: 's',
          label: 'outgoing p95 latency',
          edge: { caller: 'booking', callee: 'tariffs', side: 'caller' },
          at: level(0.05, 0.5),
        },
      ],
    }),
    cause: 'Broken connection to or from',
    says: /calls from booking to tariffs/u,
    about: { title: 'Booking is slow', service: 'booking' },
  },
  'one bad instance of several': {
    made: system({
      tariffs: { errors: level(0.002, 0.11), latency: level(0.04) },
      metrics: ['a', 'b', 'c', 'd'].map((letter) => ({
        service: 'tariffs',
        instance: `tariffs-5f6d7c8b9d-${letter}${letter}${letter}2x`,
        measure: 'errors' as const,
        unit: '1',
        label: 'error rate',
        at: level(0.002, letter === 'c' ? 0.45 : 0.002),
      })),
    }),
    cause: 'Bad instance of tariffs',
    says: /on tariffs-5f6d7c8b9d-ccc2x .* while the 3 others are healthy/u,
  },
  'a service that went away': {
    made: system({
      tariffs: Object.fromEntries(
        (['errors', 'latency', 'requests'] as const).map((one) => [
          one,
          (at: number) => (at >= ONSET ? null : 1 + 0.05 * noise(4, at)),
        ]),
      ),
    }),
    cause: 'Outage of tariffs',
    says: /has reported nothing since 10:2\d UTC/u,
  },
  'no instance left': {
    made: system({
      metrics: [
        {
          service: 'tariffs',
          measure: 'up',
          unit: '{instance}',
          label: 'instances up',
          at: (at) => (at >= ONSET ? 0 : 3),
        },
      ],
      tariffs: {},
    }),
    cause: 'Outage of tariffs',
    says: /instances up went from 3 .*to 0/u,
  },
  'trouble that nothing explains': {
    made: system({}),
    cause: 'Unexplained degradation of tariffs',
    says: /telemetry does not show why/u,
  },
};

describe('in a system that nobody configured', () => {
  it.each(Object.entries(CASES))('it names %s', async (_, { made, cause, says, about }) => {
    const verdict = await found(made, about);
    expect(verdict.cause).toContain(cause);
    expect(verdict.summary).toMatch(says);
    expect(verdict.summary.startsWith(verdict.cause)).toBe(true);
  });

  it('it finds nothing where nothing is wrong', async () => {
    const { cause, summary } = await found(system({ felt: false, tariffs: {} }));
    expect({ cause, summary }).toEqual({ cause: 'nothing', summary: '' });
  });
});

describe('commands', () => {
  it('name the namespace and the workload that were seen', async () => {
    const { commands } = await found(system({ changes: [deploy('tariffs', ONSET - MINUTE)] }));
    expect(commands).toEqual(['kubectl -n freight rollout undo deployment/tariffs']);
  });

  it.each(Object.keys(CASES))('of %s name no workload that was not seen', async (name) => {
    const { made, about } = CASES[name] ?? { made: system({}) };
    const bare = { ...made, services: made.services.map((service) => ({ ...service, workload: null })) };
    const { commands } = await found(bare, about);
    expect(
      commands.filter(
        (command) => /kubectl|docker|systemctl/u.test(command ?? '') && !/ pod /u.test(command ?? ''),
      ),
    ).toEqual([]);
  });
});
