import { type Recogniser, scraped, single } from './recogniser.ts';

const PLACE = scraped('cache');

/** Redis, from redis_exporter. */
export const redis: Recogniser = {
  name: 'Redis',
  hint: 'redis_exporter',
  claims: ['redis_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'redis_commands_processed_total',
      label: 'throughput',
      measure: 'requests',
      unit: '{command}/s',
      bad: 'low',
      place: PLACE,
      how: (metric, by, rate) => `sum ${by} (rate(${metric}[${rate}]))`,
    }),
    ...single(names, {
      metric: 'redis_memory_used_bytes',
      label: 'memory usage',
      measure: 'memory',
      unit: 'By',
      place: PLACE,
      how: (metric, by) => `sum ${by} (${metric})`,
      limit: { metric: 'redis_memory_max_bytes', how: (metric, by) => `sum ${by} (${metric} > 0)` },
    }),
    ...single(names, {
      metric: 'redis_connected_clients',
      label: 'connections in use',
      measure: 'connections',
      unit: '{connection}',
      place: PLACE,
      how: (metric, by) => `sum ${by} (${metric})`,
      limit: { metric: 'redis_config_maxclients', how: (metric, by) => `sum ${by} (${metric})` },
    }),
    ...(names.has('redis_keyspace_misses_total')
      ? single(names, {
          metric: 'redis_keyspace_hits_total',
          label: 'cache hit ratio',
          measure: 'cache-hits',
          unit: '1',
          bad: 'low',
          place: PLACE,
          how: (metric, by, rate) => {
            const hits = `sum ${by} (rate(${metric}[${rate}]))`;
            return `${hits} / (${hits} + sum ${by} (rate(redis_keyspace_misses_total[${rate}])) > 0)`;
          },
        })
      : []),
    ...single(names, {
      metric: 'redis_up',
      label: 'up',
      measure: 'up',
      unit: '{instance}',
      bad: 'low',
      place: PLACE,
      how: (metric, by) => `sum ${by} (${metric})`,
    }),
  ],
};
