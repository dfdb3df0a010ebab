import { firstOf, type Recogniser, requestsErrorsLatency, SCRAPED } from './recogniser.ts';

const SERVER = [
  'http_server_request_duration_seconds',
  'http_server_duration_milliseconds',
  'http_server_duration',
];
const CLIENT = [
  'http_client_request_duration_seconds',
  'http_client_duration_milliseconds',
  'http_client_duration',
];
const count = (name: string) => `${name}_count`;

/** OpenTelemetry's HTTP metrics, stable and older. */
export const otelHttp: Recogniser = {
  name: 'OpenTelemetry HTTP',
  hint: 'OpenTelemetry’s HTTP instrumentation',
  claims: ['http_server_*', 'http_client_*'],
  offers: (names) => {
    const server = firstOf(names, SERVER.map(count))?.replace(/_count$/u, '');
    const client = firstOf(names, CLIENT.map(count))?.replace(/_count$/u, '');
    return [
      ...(server === undefined
        ? []
        : requestsErrorsLatency(names, {
            place: SCRAPED,
            duration: server,
            failed: server.includes('request')
              ? 'http_response_status_code=~"5.."'
              : 'http_status_code=~"5.."',
          })),
      ...(client === undefined
        ? []
        : requestsErrorsLatency(names, {
            place: SCRAPED,
            what: 'outgoing',
            duration: client,
            failed: client.includes('request')
              ? 'http_response_status_code=~"5.."'
              : 'http_status_code=~"5.."',
            edge: {
              caller: SCRAPED.labels,
              callee: ['server_address', 'net_peer_name', 'peer_service'],
              side: 'caller',
            },
          })),
    ];
  },
};
