import { type Place, type Recogniser, single } from './recogniser.ts';

const PLACE: Place = { labels: ['target', 'instance'], namespace: [], kind: 'external' };

/** Probes from outside, from the blackbox exporter. */
export const blackbox: Recogniser = {
  name: 'blackbox exporter',
  hint: 'blackbox_exporter',
  claims: ['probe_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'probe_success',
      label: 'successful probes',
      measure: 'success',
      unit: '1',
      bad: 'low',
      place: PLACE,
      how: (metric, by) => `min ${by} (${metric})`,
    }),
    ...single(names, {
      metric: 'probe_duration_seconds',
      label: 'probe duration',
      measure: 'latency',
      unit: 's',
      place: PLACE,
      how: (metric, by) => `max ${by} (${metric})`,
    }),
    ...single(names, {
      metric: 'probe_ssl_earliest_cert_expiry',
      label: 'time to certificate expiry',
      measure: 'certificate',
      unit: 's',
      bad: 'low',
      place: PLACE,
      how: (metric, by) => `min ${by} (${metric} - time())`,
    }),
  ],
};
