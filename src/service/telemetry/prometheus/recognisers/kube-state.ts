import { grouping, type Offer, type Recogniser, reported, WORKLOAD, withWorkload } from './recogniser.ts';

const BY = grouping(WORKLOAD);
const RESTARTS = 'kube_pod_container_status_restarts_total';
const REASON = 'kube_pod_container_status_last_terminated_reason';
const READY = 'kube_pod_status_ready';

/** Kubernetes' state, from kube-state-metrics. Also used for rollouts: see `changes.ts`. */
export const kubeState: Recogniser = {
  name: 'kube-state-metrics',
  hint: 'kube-state-metrics',
  claims: ['kube_*'],
  offers: (names) => {
    const offers: Offer[] = [];
    if (names.has(RESTARTS))
      offers.push({
        name: RESTARTS,
        label: 'restarts',
        measure: 'restarts',
        unit: '{restart}',
        metricType: 'sum',
        place: WORKLOAD,
        query: (rate) => `sum ${BY} (${withWorkload(reported(`increase(${RESTARTS}[${rate}])`))})`,
      });
    if (names.has(RESTARTS) && names.has(REASON))
      offers.push({
        name: REASON,
        label: 'OOM kills',
        measure: 'oom-kills',
        unit: '{kill}',
        metricType: 'sum',
        place: WORKLOAD,
        query: (rate) =>
          `sum ${BY} (${withWorkload(`(${reported(`increase(${RESTARTS}[${rate}])`)} > 0) * on (namespace, pod, container) group_left () (${reported(`${REASON}{reason="OOMKilled"}`)} == 1)`)}) or 0 * sum ${BY} (${withWorkload(reported(RESTARTS))})`,
      });
    if (names.has(READY))
      offers.push({
        name: READY,
        label: 'pods ready',
        measure: 'up',
        unit: '{pod}',
        bad: 'low',
        place: WORKLOAD,
        query: () => `sum ${BY} (${withWorkload(reported(`${READY}{condition="true"}`))})`,
      });
    return offers;
  },
};
