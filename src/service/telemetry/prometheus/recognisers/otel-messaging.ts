import { type Recogniser, requestsErrorsLatency, SCRAPED } from './recogniser.ts';

/** OpenTelemetry's metrics of message producers and consumers. */
export const otelMessaging: Recogniser = {
  name: 'OpenTelemetry messaging',
  hint: 'OpenTelemetry’s instrumentation of messaging clients',
  claims: ['messaging_*'],
  offers: (names) => [
    ...requestsErrorsLatency(names, {
      place: SCRAPED,
      what: 'message',
      duration: 'messaging_process_duration_seconds',
      failed: 'error_type!=""',
    }),
    ...requestsErrorsLatency(names, {
      place: SCRAPED,
      what: 'messaging',
      duration: 'messaging_client_operation_duration_seconds',
      failed: 'error_type!=""',
      edge: {
        caller: SCRAPED.labels,
        callee: ['messaging_destination_name', 'server_address'],
        side: 'caller',
      },
    }),
  ],
};
