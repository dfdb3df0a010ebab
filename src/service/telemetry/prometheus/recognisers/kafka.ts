import { type Place, type Recogniser, single } from './recogniser.ts';

const GROUP: Place = { labels: ['consumergroup', 'consumer_group', 'group'], namespace: [], kind: 'queue' };

/** The lag of Kafka's consumer groups, from kafka_exporter. */
export const kafka: Recogniser = {
  name: 'Kafka',
  hint: 'kafka_exporter',
  claims: ['kafka_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'kafka_consumergroup_lag',
      label: 'consumer lag',
      measure: 'queue',
      unit: '{message}',
      place: GROUP,
      how: (metric, by) => `sum ${by} (${metric})`,
    }),
    ...single(names, {
      metric: 'kafka_consumergroup_current_offset',
      label: 'messages consumed',
      measure: 'requests',
      unit: '{message}/s',
      bad: 'low',
      place: GROUP,
      how: (metric, by, rate) => `sum ${by} (rate(${metric}[${rate}]))`,
    }),
  ],
};
