import { type Recogniser, requestsErrorsLatency, SCRAPED, single } from './recogniser.ts';

/** OpenTelemetry's database client metrics: a service's view of its databases. */
export const otelDatabase: Recogniser = {
  name: 'OpenTelemetry database',
  hint: 'OpenTelemetry’s instrumentation of database clients',
  claims: ['db_client_*'],
  offers: (names) => [
    ...requestsErrorsLatency(names, {
      place: SCRAPED,
      what: 'query',
      duration: 'db_client_operation_duration_seconds',
      failed: 'error_type!=""',
      edge: {
        caller: SCRAPED.labels,
        callee: ['server_address', 'db_namespace', 'db_system_name'],
        side: 'caller',
      },
    }),
    ...single(names, {
      metric: 'db_client_connection_count',
      label: 'connections in use',
      measure: 'connections',
      unit: '{connection}',
      place: SCRAPED,
      how: (metric, by) => `sum ${by} (${metric}{state="used"})`,
      limit: { metric: 'db_client_connection_max', how: (metric, by) => `sum ${by} (${metric})` },
    }),
    ...single(names, {
      metric: 'db_client_connection_pending_requests',
      label: 'requests waiting for a connection',
      measure: 'waiting',
      unit: '{request}',
      place: SCRAPED,
      how: (metric, by) => `sum ${by} (${metric})`,
    }),
  ],
};
