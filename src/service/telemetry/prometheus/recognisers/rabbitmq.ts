import { type Place, type Recogniser, single } from './recogniser.ts';

const QUEUE: Place = { labels: ['queue'], namespace: [], kind: 'queue' };

/** RabbitMQ's queues, from its Prometheus plugin (`/metrics/per-object`) or rabbitmq_exporter. */
export const rabbitmq: Recogniser = {
  name: 'RabbitMQ',
  hint: 'RabbitMQ’s `rabbitmq_prometheus` plugin, with per-object metrics',
  claims: ['rabbitmq_*'],
  offers: (names) => [
    ...single(names, {
      metric: 'rabbitmq_queue_messages_ready',
      label: 'queue depth',
      measure: 'queue',
      unit: '{message}',
      place: QUEUE,
      how: (metric, by) => `sum ${by} (${metric}{queue!=""})`,
    }),
    ...single(names, {
      metric: 'rabbitmq_queue_consumers',
      label: 'consumers',
      // A queue without consumers is not an outage of the queue: it fills up.
      measure: 'other',
      unit: '{consumer}',
      bad: 'low',
      place: QUEUE,
      how: (metric, by) => `sum ${by} (${metric}{queue!=""})`,
    }),
  ],
};
