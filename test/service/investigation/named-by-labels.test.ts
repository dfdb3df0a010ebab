import { expect, it } from 'vitest';
import {
  labelsOf,
  namedByLabels,
  namedService,
  unknownSubject,
} from '../../../src/service/investigation/names.ts';
import type { Service } from '../../../src/service/telemetry/model.ts';

const service = (name: string, more: Partial<Service> = {}): Service => ({
  name,
  kind: 'service',
  aliases: [],
  workload: null,
  ...more,
});
const SERVICES = [
  service('tariff-engine', { instances: ['tariff-engine-7d9f8b6c5d-x2x4z', '10.0.3.2:8080'] }),
  service('grid-ledger', { aliases: ['ledger'] }),
  service('staging/grid-ledger'),
  service('kube-state-metrics', { instances: ['10.0.9.9:8080'] }),
  service('meter-reader', { kind: 'queue' }),
  service('status.example.org', { kind: 'external' }),
];
const issue = (tags: string[], more: object = {}) => ({
  title: 'SomethingIsWrong',
  description: '',
  environment: 'production',
  triggeredAt: 0,
  service: null,
  context: { tags, ...more },
});

it.each<[string[], string | null]>([
  [['deployment:tariff-engine'], 'tariff-engine'],
  [['namespace:grid', 'pod:tariff-engine-7d9f8b6c5d-x2x4z', 'job:kube-state-metrics'], 'tariff-engine'],
  [['pod:tariff-engine-5c8d7f9b4b-qqqqq'], 'tariff-engine'],
  [['instance:10.0.3.2:8080'], 'tariff-engine'],
  [['job:grid/grid-ledger'], 'grid-ledger'],
  [['job:ledger', 'severity:critical'], 'grid-ledger'],
  [['namespace:staging', 'deployment:grid-ledger'], 'staging/grid-ledger'],
  [['container:main', 'job:kube-state-metrics'], 'kube-state-metrics'],
  [['consumergroup:meter-reader', 'job:kafka-exporter'], 'meter-reader'],
  [['instance:https://status.example.org/health?x=1'], 'status.example.org'],
  [['app.kubernetes.io/name:Grid-Ledger', 'k8s.deployment.name:grid-ledger'], 'grid-ledger'],
  [['namespace:tariff', 'cluster:meter'], null],
  [['critical', 'pod:'], null],
])('the labels %j name %s', (tags, expected) => {
  expect(namedByLabels(labelsOf(issue(tags)), SERVICES)).toBe(expected);
});

it('knows the service and the host of the context as labels too', () => {
  expect(namedByLabels(labelsOf(issue([], { host: '10.0.3.2:8080' })), SERVICES)).toBe('tariff-engine');
  expect(namedByLabels(labelsOf(issue([], { service: 'ledger' })), SERVICES)).toBe('grid-ledger');
});

it('does not take a namespace for a service in whose name it is', () => {
  expect(namedService(issue(['namespace:tariff', 'team:meter']), SERVICES)).toBeNull();
});

it.each<[string, string | null]>([
  ['HighErrorRate (10.0.3.2:8080 grid critical)', 'tariff-engine'],
  ['KubePodNotReady (kube-state-metrics grid tariff-engine-7d9f8b6c5d-x2x4z warning)', 'tariff-engine'],
  ['KubeDeploymentMismatch (main 10.0.9.9:8080 kube-state-metrics grid-ledger)', 'grid-ledger'],
  ['KubeStateMetricsListErrors (10.0.9.9:8080 kube-state-metrics)', 'kube-state-metrics'],
  ['TargetDown (kube-state-metrics)', 'kube-state-metrics'],
  ['KubeContainerWaiting (kube-state-metrics quarry page-sre warning)', null],
])('the title %j names %s', (title, expected) => {
  expect(namedService({ ...issue([]), title }, SERVICES)).toBe(expected);
});

it.each<[string, string[], string | null, string | null]>([
  ['CertExpiring billing.example.com', [], null, 'billing.example.com'],
  ['DiskFull db-7', [], null, 'db-7'],
  [
    'CertExpiring: the certificate of billing.example.com expires',
    ['instance:billing.example.com'],
    null,
    'billing.example.com',
  ],
  ['RequestErrorRatioHigh warp-core', ['severity:critical'], 'warp-core', 'warp-core'],
  ['HighLatency', ['deployment:warp-core', 'job:kube-state-metrics'], null, 'warp-core'],
  ['AvailabilityBudgetBurn', ['severity:critical'], null, null],
])('%s %j is about %s, which telemetry does not know', (title, tags, named, expected) => {
  const one = { ...issue(tags), title, service: named, description: 'the tariff engine is fine' };
  expect(unknownSubject(one)).toBe(expected);
  // `billing` is another word for payments, which a host's name does not mean.
  const services = [...SERVICES, service('payments')];
  if (expected !== null) expect(namedService(one, services)).toBeNull();
});
