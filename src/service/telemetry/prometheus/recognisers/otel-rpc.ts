import { firstOf, type Recogniser, requestsErrorsLatency, SCRAPED } from './recogniser.ts';

const SERVER = [
  'rpc_server_call_duration_seconds',
  'rpc_server_duration_milliseconds',
  'rpc_server_duration',
];
/** gRPC codes that are the server's fault. */
const FAILED = 'rpc_grpc_status_code=~"2|4|8|12|13|14|15"';

/** OpenTelemetry's metrics of remote procedure calls. */
export const otelRpc: Recogniser = {
  name: 'OpenTelemetry RPC',
  hint: 'OpenTelemetry’s gRPC instrumentation',
  claims: ['rpc_server_*', 'rpc_client_*'],
  offers: (names) => {
    const counted = firstOf(
      names,
      SERVER.map((name) => `${name}_count`),
    );
    if (counted === undefined) return [];
    const duration = counted.replace(/_count$/u, '');
    return requestsErrorsLatency(names, { place: SCRAPED, duration, failed: FAILED });
  },
};
