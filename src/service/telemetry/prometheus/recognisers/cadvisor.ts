import { grouping, type Offer, type Recogniser, reported, WORKLOAD, withWorkload } from './recogniser.ts';

const BY = grouping(WORKLOAD);
const CONTAINERS = '{container!="",container!="POD"}';
const LIMITS = 'kube_pod_container_resource_limits';

/** Containers' resource usage, from the kubelet's cAdvisor. */
export const cadvisor: Recogniser = {
  name: 'cAdvisor',
  hint: 'the kubelet’s `/metrics/cadvisor`',
  claims: [
    'container_cpu_*',
    'container_memory_*',
    'container_network_*',
    'container_fs_*',
    'container_spec_*',
    'machine_*',
  ],
  offers: (names) => {
    const offers: Offer[] = [];
    const limit = (resource: string) =>
      names.has(LIMITS)
        ? { limit: () => `sum ${BY} (${withWorkload(reported(`${LIMITS}{resource="${resource}"}`))})` }
        : {};
    if (names.has('container_cpu_usage_seconds_total'))
      offers.push({
        name: 'container_cpu_usage_seconds_total',
        label: 'CPU usage',
        measure: 'cpu',
        unit: '{core}',
        place: WORKLOAD,
        query: (rate) =>
          `sum ${BY} (${withWorkload(`rate(container_cpu_usage_seconds_total${CONTAINERS}[${rate}])`)})`,
        ...limit('cpu'),
      });
    if (names.has('container_memory_working_set_bytes'))
      offers.push({
        name: 'container_memory_working_set_bytes',
        label: 'memory working set',
        measure: 'memory',
        unit: 'By',
        place: WORKLOAD,
        query: () => `sum ${BY} (${withWorkload(`container_memory_working_set_bytes${CONTAINERS}`)})`,
        ...limit('memory'),
      });
    if (
      names.has('container_cpu_cfs_throttled_periods_total') &&
      names.has('container_cpu_cfs_periods_total')
    )
      offers.push({
        name: 'container_cpu_cfs_throttled_periods_total',
        label: 'CPU throttling',
        measure: 'throttling',
        unit: '1',
        place: WORKLOAD,
        query: (rate) => {
          const sum = (metric: string) =>
            `sum ${BY} (${withWorkload(`rate(${metric}${CONTAINERS}[${rate}])`)})`;
          return `${sum('container_cpu_cfs_throttled_periods_total')} / (${sum('container_cpu_cfs_periods_total')} > 0)`;
        },
      });
    return offers;
  },
};
