import { type Recogniser, requestsErrorsLatency, SCRAPED } from './recogniser.ts';

/** Spring Boot's metrics from Micrometer. */
export const spring: Recogniser = {
  name: 'Spring',
  hint: 'Spring Boot’s actuator with `micrometer-registry-prometheus`',
  claims: ['http_server_requests_seconds*', 'http_client_requests_seconds*'],
  offers: (names) => [
    ...requestsErrorsLatency(names, {
      place: SCRAPED,
      duration: 'http_server_requests_seconds',
      failed: 'status=~"5.."',
    }),
    ...requestsErrorsLatency(names, {
      place: SCRAPED,
      what: 'outgoing',
      duration: 'http_client_requests_seconds',
      failed: 'status=~"5..|CLIENT_ERROR|IO_ERROR"',
      edge: { caller: SCRAPED.labels, callee: ['client_name', 'clientName'], side: 'caller' },
    }),
  ],
};
