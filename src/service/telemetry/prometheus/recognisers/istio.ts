import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const CALLEE: Place = {
  labels: ['destination_workload', 'destination_service_name'],
  namespace: ['destination_workload_namespace'],
  kind: 'service',
};
const SERVER = 'reporter="destination"';
const FAILED = 'response_code=~"5..|0"';

/** Istio's standard metrics; its proxies report for both ends. */
export const istio: Recogniser = {
  name: 'Istio',
  hint: 'Istio’s telemetry, scraped from its proxies',
  claims: ['istio_*'],
  offers: (names) => [
    ...requestsErrorsLatency(names, {
      place: CALLEE,
      counter: 'istio_requests_total',
      matchers: SERVER,
      failed: FAILED,
      duration: 'istio_request_duration_milliseconds',
    }),
    ...requestsErrorsLatency(names, {
      place: { ...CALLEE, labels: ['source_workload'], namespace: ['source_workload_namespace'] },
      what: 'outgoing',
      counter: 'istio_requests_total',
      matchers: 'reporter="source"',
      failed: FAILED,
      duration: 'istio_request_duration_milliseconds',
      edge: {
        caller: ['source_workload'],
        callee: ['destination_workload', 'destination_service_name'],
        side: 'caller',
      },
    }),
  ],
};
