import { type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const PLACE: Place = {
  labels: ['deployment', 'statefulset', 'daemonset', 'app'],
  namespace: ['namespace'],
  kind: 'service',
};
const DURATION = 'response_latency_ms';

/** Linkerd's proxies, inbound for a service and outbound for its edges. */
export const linkerd: Recogniser = {
  name: 'Linkerd',
  hint: 'Linkerd’s proxies, scraped by your own Prometheus',
  claims: ['response_total', 'response_latency_ms*', 'request_total', 'tcp_*'],
  offers: (names) => {
    if (!names.has(`${DURATION}_bucket`)) return [];
    const red = { counter: 'response_total', failed: 'classification="failure"', duration: DURATION };
    return [
      ...requestsErrorsLatency(names, { ...red, place: PLACE, matchers: 'direction="inbound"' }),
      ...requestsErrorsLatency(names, {
        ...red,
        place: PLACE,
        what: 'outgoing',
        matchers: 'direction="outbound"',
        edge: {
          caller: PLACE.labels,
          callee: ['dst_deployment', 'dst_statefulset', 'dst_service'],
          side: 'caller',
        },
      }),
    ];
  },
};
