import type { MadeSystem } from '../../support/made-source.ts';
import { climb, deploy, level, MINUTE, ONSET, system } from './freight.ts';

/** A system with a fault, and what the investigation says of it. */
export interface FaultCase {
  made: MadeSystem;
  cause: string;
  says: RegExp;
  about?: { title: string; service: string | null };
}

/** Faults of a service itself. */
export const FAULTS_WITHIN: Record<string, FaultCase> = {
  'a bad deploy': {
    made: system({ changes: [deploy('tariffs', ONSET - MINUTE), deploy('printer', ONSET - MINUTE)] }),
    cause: 'Degradation of tariffs after a deploy',
    says: /7\.3\.0 rolled out at 10:21 UTC/u,
  },
  'a configuration change': {
    made: system({
      changes: [
        deploy('tariffs', ONSET - MINUTE, { kind: 'config', title: 'Cut the cache size', version: null }),
      ],
    }),
    cause: 'Degradation of tariffs after a configuration change',
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
    cause: 'Slow queries on tariff-db',
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
};
