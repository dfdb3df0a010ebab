import { type Place, type Recogniser, single } from './recogniser.ts';

const PLACE: Place = { labels: ['nodename', 'node', 'instance'], namespace: [], kind: 'unknown' };

/**
 * Machines, from the node exporter. CPU and memory are shared by everything running there; a full disk is a problem in
 * itself.
 */
export const node: Recogniser = {
  name: 'node exporter',
  hint: 'node_exporter on every machine',
  claims: ['node_*'],
  offers: (names) =>
    [
      ...single(names, {
        metric: 'node_cpu_seconds_total',
        label: 'node CPU usage',
        measure: 'cpu',
        unit: '1',
        place: PLACE,
        how: (metric, by, rate) => `1 - avg ${by} (rate(${metric}{mode="idle"}[${rate}]))`,
      }),
      ...(names.has('node_memory_MemTotal_bytes')
        ? single(names, {
            metric: 'node_memory_MemAvailable_bytes',
            label: 'node memory usage',
            measure: 'memory',
            unit: '1',
            place: PLACE,
            how: (metric, by) => `max ${by} (1 - ${metric} / node_memory_MemTotal_bytes)`,
          })
        : []),
      ...(names.has('node_filesystem_size_bytes')
        ? single(names, {
            metric: 'node_filesystem_avail_bytes',
            label: 'node disk usage',
            measure: 'disk',
            unit: '1',
            place: PLACE,
            how: (metric, by) =>
              `max ${by} (1 - ${metric}{fstype!~"tmpfs|overlay|squashfs"} / node_filesystem_size_bytes)`,
          })
        : []),
    ].map((offer) => ({ ...offer, shared: offer.measure !== 'disk' })),
};
