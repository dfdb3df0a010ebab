import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const CALLEE: Place = { labels: ['server'], namespace: ['server_service_namespace'], kind: 'unknown' };
const ENDS = { caller: ['client'], callee: ['server'] };

/** The service graph that Tempo and OpenTelemetry's collector derive from traces. */
export const serviceGraph: Recogniser = {
  name: 'service graph',
  hint: 'the metrics-generator of Tempo with `service-graphs`, or the `servicegraph` connector of the OpenTelemetry Collector',
  claims: ['traces_service_graph_*'],
  offers: (names) => {
    const red = {
      place: CALLEE,
      what: 'edge',
      counter: 'traces_service_graph_request_total',
      failedCounter: 'traces_service_graph_request_failed_total',
    };
    const seen = (side: 'server' | 'client') =>
      names.has(`traces_service_graph_request_${side}_seconds_count`)
        ? `traces_service_graph_request_${side}_seconds`
        : `traces_service_graph_request_${side}_seconds_total`;
    return [
      ...requestsErrorsLatency(names, {
        ...red,
        duration: seen('server'),
        edge: { ...ENDS, side: 'callee' },
      }),
      ...requestsErrorsLatency(names, {
        place: { ...CALLEE, labels: ['client'] },
        what: 'outgoing',
        duration: seen('client'),
        edge: { ...ENDS, side: 'caller' },
      }).filter(({ measure }) => measure === 'latency'),
    ];
  },
};
