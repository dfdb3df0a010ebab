import { type Place, type Recogniser, single } from './recogniser.ts';

/** A volume, by its claim. */
export const PVC: Place = { labels: ['persistentvolumeclaim'], namespace: ['namespace'], kind: 'unknown' };

/** The fill level of persistent volumes, from the kubelet. */
export const volumes: Recogniser = {
  name: 'kubelet volumes',
  hint: 'the kubelet’s `/metrics`',
  claims: ['kubelet_*'],
  offers: (names) =>
    names.has('kubelet_volume_stats_capacity_bytes')
      ? single(names, {
          metric: 'kubelet_volume_stats_available_bytes',
          label: 'disk usage',
          measure: 'disk',
          unit: '1',
          place: PVC,
          how: (metric, by) => `max ${by} (1 - ${metric} / kubelet_volume_stats_capacity_bytes)`,
        })
      : [],
};
