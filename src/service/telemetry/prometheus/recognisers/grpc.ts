import { type Recogniser, requestsErrorsLatency, SCRAPED } from './recogniser.ts';

/** The Prometheus interceptors of gRPC. */
export const grpc: Recogniser = {
  name: 'gRPC',
  hint: 'go-grpc-prometheus, or the interceptors of another language',
  claims: ['grpc_server_*', 'grpc_client_*'],
  offers: (names) =>
    requestsErrorsLatency(names, {
      place: SCRAPED,
      counter: 'grpc_server_handled_total',
      failed:
        'grpc_code=~"Unknown|DeadlineExceeded|ResourceExhausted|Unimplemented|Internal|Unavailable|DataLoss"',
      duration: 'grpc_server_handling_seconds',
    }),
};
