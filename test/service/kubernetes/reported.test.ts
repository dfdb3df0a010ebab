import { expect, it } from 'vitest';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import { ago, event, type Raw, shop, snapshotOf } from './support.ts';

const said = (objects: Raw[]) =>
  explain({ ...snapshotOf(objects), read: new Set(['IngressClass']) }).map(({ object, cause, sentence }) => [
    object,
    cause,
    sentence,
  ]);

const often = (one: Raw, count: number): Raw => ({ ...one, count });

it('quotes a warning that repeats about a kind that no check knows', () => {
  const message = 'health check failed after 5m0s: timeout waiting for Deployment/books/search';
  expect(
    said([...shop(), often(event('Kustomization', 'shelves', 'HealthCheckFailed', message), 7)]),
  ).toEqual([
    [
      'kustomization/shelves',
      'reported',
      `Kubernetes reports of Kustomization \`shelves\`, 7 times: ${message} (HealthCheckFailed).`,
    ],
  ]);
});

it('says nothing of a warning that came once, or about a pod that is well by now', () => {
  const objects = [
    ...shop(),
    event('HelmRelease', 'shelves', 'UpgradeFailed', 'timed out'),
    often(event('Pod', 'catalog-7d9-x', 'Unhealthy', 'Readiness probe failed'), 9),
  ];
  expect(said(objects)).toEqual([]);
});

const run = (startedAt: string, states: readonly object[]): Raw[] => [
  {
    kind: 'Job',
    metadata: { name: 'report-1', namespace: 'books', creationTimestamp: startedAt },
    spec: { template: { metadata: { labels: { app: 'report' } }, spec: {} } },
    status: { active: 1 },
  },
  {
    kind: 'Pod',
    metadata: {
      name: 'report-1-a',
      namespace: 'books',
      creationTimestamp: startedAt,
      ownerReferences: [{ kind: 'Job', name: 'report-1', controller: true }],
    },
    spec: { containers: [{ name: 'report' }, { name: 'proxy' }] },
    status: {
      phase: 'Running',
      containerStatuses: ['report', 'proxy'].map((name, i) => ({ name, state: states[i] ?? {} })),
    },
  },
];

it('a run whose work is done does not end, since another container goes on', () => {
  const done = { terminated: { exitCode: 0, reason: 'Completed', finishedAt: ago(900) } };
  const goesOn = { running: { startedAt: ago(1000) } };
  expect(said([...shop(), ...run(ago(1000), [done, goesOn])])).toEqual([
    [
      'app/report',
      'job_held_open',
      'The Job `report-1` does not end: `report` is done, and `proxy` goes on.',
    ],
  ]);
  expect(said([...shop(), ...run(ago(1000), [goesOn, goesOn])])).toEqual([]);
});

it('nobody serves an Ingress of a class that does not exist', () => {
  const ingress = (ingressClassName: string): Raw => ({
    kind: 'Ingress',
    metadata: { name: 'books', namespace: 'books' },
    spec: { ingressClassName, rules: [] },
  });
  const nginx = { kind: 'IngressClass', metadata: { name: 'nginx' } };
  expect(said([...shop(), nginx, ingress('nginx')])).toEqual([]);
  expect(said([...shop(), nginx, ingress('ngnix')])).toEqual([
    [
      'ingress/books',
      'ingress_class_missing',
      'No controller serves the Ingress `books`: its class `ngnix` does not exist.',
    ],
  ]);
});
