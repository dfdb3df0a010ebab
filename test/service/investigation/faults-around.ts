import type { FaultCase } from './faults-within.ts';
import { climb, level, noise, ONSET, red, system } from './freight.ts';

const worker = (name: string) => ({ name, kind: 'worker' as const });
/** Faults of what it works with, of its load and of its instances. */
export const FAULTS_AROUND: Record<string, FaultCase> = {
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
    cause: 'Broken connection to tariffs from booking',
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
    says: /only on tariffs-5f6d7c8b9d-ccc2x, one of 4 instances, .* while the 3 others are healthy/u,
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
