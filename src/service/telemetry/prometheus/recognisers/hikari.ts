import { type Recogniser, SCRAPED, single } from './recogniser.ts';

/** HikariCP's connection pools. */
export const hikari: Recogniser = {
  name: 'HikariCP',
  hint: 'HikariCP with Micrometer',
  claims: ['hikaricp_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'hikaricp_connections_active',
      label: 'connections in use',
      measure: 'connections',
      unit: '{connection}',
      place: SCRAPED,
      how: (metric, by) => `sum ${by} (${metric})`,
      limit: { metric: 'hikaricp_connections_max', how: (metric, by) => `sum ${by} (${metric})` },
    }),
    ...single(names, {
      metric: 'hikaricp_connections_pending',
      label: 'requests waiting for a connection',
      measure: 'waiting',
      unit: '{request}',
      place: SCRAPED,
      how: (metric, by) => `sum ${by} (${metric})`,
    }),
  ],
};
