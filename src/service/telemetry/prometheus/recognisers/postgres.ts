import { type Recogniser, scraped, single } from './recogniser.ts';

const PLACE = scraped('database');

/** PostgreSQL, from postgres_exporter. */
export const postgres: Recogniser = {
  name: 'PostgreSQL',
  hint: 'postgres_exporter',
  claims: ['pg_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'pg_stat_activity_count',
      label: 'connections in use',
      measure: 'connections',
      unit: '{connection}',
      place: PLACE,
      how: (metric, by) => `sum ${by} (${metric})`,
      limit: { metric: 'pg_settings_max_connections', how: (metric, by) => `max ${by} (${metric})` },
    }),
    ...single(names, {
      metric: 'pg_stat_database_xact_commit',
      label: 'transactions',
      measure: 'requests',
      unit: '{transaction}/s',
      bad: 'low',
      place: PLACE,
      how: (metric, by, rate) => `sum ${by} (rate(${metric}[${rate}]))`,
    }),
    ...single(names, {
      metric: 'pg_stat_activity_max_tx_duration',
      label: 'longest transaction',
      measure: 'latency',
      unit: 's',
      place: PLACE,
      how: (metric, by) => `max ${by} (${metric})`,
    }),
    ...single(names, {
      metric: 'pg_up',
      label: 'up',
      measure: 'up',
      unit: '{instance}',
      bad: 'low',
      place: PLACE,
      how: (metric, by) => `sum ${by} (${metric})`,
    }),
  ],
};
