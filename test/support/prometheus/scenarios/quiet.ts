import {
  containers,
  images,
  istio,
  kubernetes,
  openTelemetry,
  operatorLabels,
  plain,
  podLabels,
  spring,
  staticLabels,
} from '../conventions.ts';
import { noiseOf } from '../world.ts';
import { GRID, LAB, MINUTE, made, ORBIT, type Scenario } from './scenario.ts';

/** Moments in which something happens, as it always does, and nothing is wrong. */
export const QUIET: readonly Scenario[] = [
  {
    name: 'quiet: a rollout that harms nobody',
    make: made(LAB, 'lab', null, (world) => {
      spring(world, podLabels);
      kubernetes(world);
      containers(world);
      images(world, { of: 'assay-runner', at: world.onset, tag: '1.5.0' });
    }),
    issue: { title: 'SlowRequests', tags: ['namespace:lab', 'deployment:assay-runner'] },
    expected: null,
  },
  {
    name: 'quiet: few requests, of which one fails now and then',
    make: made(GRID, 'grid', null, (world) => {
      plain(world, operatorLabels);
      for (const pod of ['ticket-printer-7d9f8b6c5d-x2x4z', 'ticket-printer-7d9f8b6c5d-qk7bd']) {
        const labels = { job: 'ticket-printer', namespace: 'grid', pod, instance: `${pod}:8080` };
        // One request a minute, and one in fifteen fails.
        const fails = (at: number) =>
          noiseOf(pod.length, Math.floor((at - world.onset) / MINUTE)) > 0.87 ? 1 / 60 : 0;
        world.history
          .gauge('up', labels, () => 1)
          .counter('http_requests_total', { ...labels, code: '200' }, (at) => 1 / 60 - fails(at))
          .counter('http_requests_total', { ...labels, code: '500' }, fails);
      }
    }),
    issue: { title: 'HighErrorRate', tags: ['job:ticket-printer'] },
    expected: null,
  },
  {
    name: 'quiet: traffic that grows through the morning',
    make: made(ORBIT, 'ground', null, (world) => {
      for (const one of world.instances) {
        const grown = (at: number) => 1 + (at - world.from) / (world.triggeredAt - world.from);
        const rate = one.rate;
        one.rate = (at) => rate(at) * grown(at);
      }
      istio(world);
      kubernetes(world);
      containers(world);
      images(world);
    }),
    issue: { title: 'HighLatency', tags: ['namespace:ground', 'deployment:downlink'] },
    expected: null,
  },
  {
    name: 'quiet: a batch consumer that lets its queue fill up and empties it, every half hour',
    make: made(GRID, 'grid', null, (world) => {
      plain(world, staticLabels);
      const labels = {
        job: 'kafka-exporter',
        instance: 'kafka-exporter:9308',
        topic: 'readings',
        partition: '0',
      };
      world.history.gauge(
        'kafka_consumergroup_lag',
        { ...labels, consumergroup: 'nightly-writer' },
        (at) => ((at - world.from) % (30 * MINUTE)) / 100,
      );
    }),
    issue: { title: 'KafkaConsumerLag', tags: ['consumergroup:nightly-writer'] },
    expected: null,
  },
  {
    name: 'quiet: noisy latency of OpenTelemetry’s metrics',
    make: made(LAB, 'lab', null, (world) => {
      for (const one of world.instances) {
        const latency = one.latency;
        one.latency = (at) => latency(at) * (1 + 0.35 * Math.abs(noiseOf(one.seed, Math.floor(at / MINUTE))));
      }
      openTelemetry(world);
    }),
    issue: { title: 'specimen-desk p99', service: 'specimen-desk' },
    expected: null,
  },
];
