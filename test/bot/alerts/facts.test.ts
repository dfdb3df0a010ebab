import { expect, it } from 'vitest';
import { fromLabels } from '../../../src/bot/alerts/facts.ts';

it.each<[Record<string, string>, string | null]>([
  [{ service: 'payments', deployment: 'payments-blue', job: 'pods' }, 'payments'],
  [{ deployment: 'payments-blue', job: 'kube-state-metrics' }, 'payments-blue'],
  [{ workload: 'payments' }, 'payments'],
  [{ job: 'payments' }, 'payments'],
  [{ job: 'kube-state-metrics', pod: 'payments-1' }, null],
  [{ job: 'node-exporter', instance: '10.0.0.1:9100' }, null],
])('labels %j name the service %j', (labels, service) => {
  const facts = Object.entries(labels).map(([name, value]) => ({ name, value, url: null }));
  expect(fromLabels(facts).fields.service).toBe(service);
});
