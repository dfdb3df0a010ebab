import { grouping, type Place, type Recogniser, requestsErrorsLatency } from './recogniser.ts';

const PLACE: Place = { labels: ['envoy_cluster_name'], namespace: [], kind: 'service' };

/** Envoy's statistics of its upstream clusters. */
export const envoy: Recogniser = {
  name: 'Envoy',
  hint: 'Envoy’s `/stats/prometheus`',
  claims: ['envoy_*'],
  offers: (names) => [
    ...requestsErrorsLatency(names, {
      place: PLACE,
      counter: 'envoy_cluster_upstream_rq_total',
      duration: 'envoy_cluster_upstream_rq_time',
    }).map((offer) => (offer.measure === 'latency' ? { ...offer, unit: 'ms' } : offer)),
    ...(names.has('envoy_cluster_upstream_rq_xx')
      ? [
          {
            name: 'envoy_cluster_upstream_rq_xx',
            label: 'error rate',
            measure: 'errors' as const,
            unit: '1',
            place: PLACE,
            query: (rate: string) => {
              const all = `sum ${grouping(PLACE)} (rate(envoy_cluster_upstream_rq_xx[${rate}]))`;
              const failed = `sum ${grouping(PLACE)} (rate(envoy_cluster_upstream_rq_xx{envoy_response_code_class="5"}[${rate}]))`;
              return `(${failed} or 0 * ${all}) / (${all} > 0)`;
            },
          },
        ]
      : []),
  ],
};
