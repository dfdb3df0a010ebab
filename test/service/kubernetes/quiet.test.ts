import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import { ago, app, change, event, node, type Raw, shop, snapshotOf, verdictOf } from './support.ts';

const deployment =
  (name: string, by: (spec: Record<string, unknown>) => object, status: object = {}) =>
  (objects: Raw[]) =>
    change(objects, 'Deployment', name, (one) => ({
      spec: by(Object(one.spec)),
      status: { ...Object(one.status), ...status },
    }));
const podOf =
  (name: string, more: { metadata?: object; spec?: object; status?: object }) => (objects: Raw[]) =>
    change(objects, 'Pod', `${name}-7d9-x`, (pod) => ({
      metadata: { ...Object(pod.metadata), ...more.metadata },
      spec: { ...Object(pod.spec), ...more.spec },
      status: { ...Object(pod.status), ...more.status },
    }));
const starting = (name: string, seconds: number): Raw => ({
  kind: 'Pod',
  metadata: {
    name: `${name}-8c1-y`,
    namespace: 'books',
    creationTimestamp: ago(seconds),
    labels: { app: name },
    ownerReferences: [{ kind: 'ReplicaSet', name: `${name}-7d9`, controller: true }],
  },
  spec: { nodeName: 'worker-2', containers: [{ name }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False' }],
    containerStatuses: [
      { name, ready: false, restartCount: 0, state: { running: { startedAt: ago(seconds - 5) } } },
    ],
  },
});
const job = (name: string, conditions: object[], phase: string): Raw[] => [
  {
    kind: 'Job',
    metadata: { name, namespace: 'books', creationTimestamp: ago(4000) },
    spec: { completions: 1 },
    status: { succeeded: 1, conditions },
  },
  {
    kind: 'Pod',
    metadata: {
      name: `${name}-z`,
      namespace: 'books',
      creationTimestamp: ago(4000),
      ownerReferences: [{ kind: 'Job', name, controller: true }],
    },
    spec: { nodeName: 'worker-1', containers: [{ name }] },
    status: {
      phase,
      containerStatuses: [
        {
          name,
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode: 0, reason: 'Completed', finishedAt: ago(3900) } },
        },
      ],
    },
  },
];
const failedJob = {
  conditions: [
    { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', lastTransitionTime: ago(900) },
  ],
};
const failedRun = (name: string, status: object, cronJob?: string): Raw[] => [
  {
    kind: 'Job',
    metadata: {
      name,
      namespace: 'books',
      creationTimestamp: ago(1200),
      ...(cronJob && { ownerReferences: [{ kind: 'CronJob', name: cronJob, controller: true }] }),
    },
    spec: { completions: 1 },
    status,
  },
  {
    kind: 'Pod',
    metadata: {
      name: `${name}-a`,
      namespace: 'books',
      creationTimestamp: ago(1200),
      ownerReferences: [{ kind: 'Job', name, controller: true }],
    },
    spec: { nodeName: 'worker-1', containers: [{ name }], restartPolicy: 'Never' },
    status: {
      phase: 'Failed',
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [
        {
          name,
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago(1000) } },
        },
      ],
    },
  },
];
const cron = (name: string, status: object): Raw => ({
  kind: 'CronJob',
  metadata: { name, namespace: 'books' },
  spec: { schedule: '0 3 * * *' },
  status,
});
const night = (names: readonly string[]) =>
  names.reduce(
    (all, name) =>
      deployment(name, (spec) => ({ ...spec, replicas: 0 }), { replicas: 0, readyReplicas: 0 })(
        change(all, 'Pod', `${name}-7d9-x`, null),
      ),
    shop(),
  );
const quota = (hard: object, used: object): Raw => ({
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'books' },
  spec: { hard },
  status: { hard, used },
});
const restarted = (seconds: number, ended: object) =>
  podOf('basket', {
    status: {
      containerStatuses: [
        {
          name: 'basket',
          ready: true,
          restartCount: 2,
          state: { running: { startedAt: ago(seconds - 2) } },
          lastState: { terminated: { exitCode: 1, finishedAt: ago(seconds), ...ended } },
        },
      ],
    },
  })(shop());

/** Clusters as they are on a good day, and on a busy one. */
const QUIET: Record<string, [objects: Raw[], logs?: Record<string, string[]>]> = {
  'all is well': [shop()],
  'nothing runs at all': [[]],
  'only nodes': [[node('worker-1'), node('worker-2')]],
  'a control plane that is cordoned and tainted': [
    change(shop(), 'Node', 'control', () => ({
      spec: {
        unschedulable: true,
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
      },
    })),
  ],
  'a worker that is cordoned for maintenance, with its pods elsewhere': [
    change(shop(), 'Node', 'worker-2', () => ({ spec: { unschedulable: true } })),
  ],
  'nodes set aside for a team': [
    change(shop(), 'Node', 'worker-2', () => ({
      spec: { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] },
    })),
  ],
  'a rollout in progress': [
    [
      ...deployment('front', (spec) => ({ ...spec, replicas: 2 }), { replicas: 2, readyReplicas: 1 })(shop()),
      starting('front', 12),
    ],
  ],
  'a slow start after a rollout': [
    [
      ...deployment('front', (spec) => ({ ...spec, replicas: 2 }), { replicas: 2, readyReplicas: 1 })(shop()),
      starting('front', 90),
      event(
        'Pod',
        'front-8c1-y',
        'Unhealthy',
        'Startup probe failed: Get "http://10.1.0.7:8080/": connection refused',
        20,
      ),
    ],
  ],
  'probes that failed while a container started': [
    [...shop(), event('Pod', 'basket-7d9-x', 'Unhealthy', 'Readiness probe failed: connection refused', 500)],
  ],
  'a liveness probe that failed once': [
    [
      ...shop(),
      event('Pod', 'basket-7d9-x', 'Unhealthy', 'Liveness probe failed: context deadline exceeded', 60),
    ],
  ],
  'a pod that is being created': [
    [
      ...shop(),
      {
        ...starting('front', 5),
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'front', state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      },
    ],
  ],
  'a service account that came a second late': [
    [
      ...shop(),
      event(
        'ReplicaSet',
        'catalog-7d9',
        'FailedCreate',
        'error looking up service account books/catalog: serviceaccount "catalog" not found',
        400,
      ),
    ],
  ],
  'a claim that was unbound for a second': [
    [
      ...shop(),
      event(
        'Pod',
        'store-7d9-x',
        'FailedScheduling',
        '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
        600,
      ),
    ],
  ],
  'a claim that waits for its first consumer': [
    [
      ...shop(),
      {
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'later', namespace: 'books' },
        spec: {},
        status: { phase: 'Pending' },
      },
      event(
        'PersistentVolumeClaim',
        'later',
        'WaitForFirstConsumer',
        'waiting for first consumer to be created before binding',
        30,
        'Normal',
      ),
    ],
  ],
  'events of pods that are gone': [
    [
      ...shop(),
      event('Pod', 'front-old-1', 'FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu.', 120),
      event('Pod', 'front-old-2', 'Failed', 'Failed to pull image "x": not found', 120),
      event('Pod', 'front-old-3', 'BackOff', 'Back-off restarting failed container', 60),
    ],
  ],
  'a finished Job': [[...shop(), ...job('report', [{ type: 'Complete', status: 'True' }], 'Succeeded')]],
  'a Job that failed last week': [
    [
      ...shop(),
      ...job('report', [{ type: 'Failed', status: 'True', lastTransitionTime: ago(600_000) }], 'Failed'),
    ],
  ],
  'a Job that failed twice and then completed, with its failed pods': [
    [...shop(), ...failedRun('migrate', { conditions: [{ type: 'Complete', status: 'True' }] })],
  ],
  'a failed run of a CronJob whose next one succeeded': [
    [
      ...shop(),
      cron('nightly', {}),
      ...failedRun('nightly-1', failedJob, 'nightly'),
      {
        kind: 'Job',
        metadata: {
          name: 'nightly-2',
          namespace: 'books',
          creationTimestamp: ago(600),
          ownerReferences: [{ kind: 'CronJob', name: 'nightly', controller: true }],
        },
        spec: {},
        status: { conditions: [{ type: 'Complete', status: 'True' }] },
      },
    ],
  ],
  'a failed run of a CronJob that succeeded since, in a Job that is deleted': [
    [
      ...shop(),
      cron('nightly', { lastSuccessfulTime: ago(500) }),
      ...failedRun('nightly-1', failedJob, 'nightly'),
    ],
  ],
  'conditions that are well at True on the only node that has them': [
    change(shop(), 'Node', 'worker-1', () => ({
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'KernelReady', status: 'True', reason: 'KernelIsReady' },
          { type: 'KernelDeadlock', status: 'False', reason: 'KernelHasNoDeadlock' },
          { type: 'EgressAssigned', status: 'True', reason: 'EgressIP' },
        ],
      },
    })),
  ],
  'a CronJob that is suspended': [
    [
      ...shop(),
      {
        kind: 'CronJob',
        metadata: { name: 'report', namespace: 'books' },
        spec: { suspend: true, schedule: '0 3 * * *' },
      },
    ],
  ],
  'a night in which everything is scaled down': [night(['front', 'catalog', 'basket', 'store'])],
  'a feature that was scaled to zero months ago': [night(['catalog'])],
  'what scales to zero by itself': [
    [
      ...night(['catalog']),
      event(
        'Deployment',
        'catalog',
        'ScalingReplicaSet',
        'Scaled down replica set catalog-7d9 from 1 to 0',
        100,
        'Normal',
      ),
      {
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'catalog', namespace: 'books' },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'catalog' }, minReplicas: 0, maxReplicas: 4 },
      },
    ],
  ],
  'a restart hours ago': [restarted(9000, {})],
  'a restart a minute ago, and all is well': [restarted(60, {})],
  'a node that rebooted hours ago': [
    [...shop(), event('Node', 'worker-1', 'Rebooted', 'Node worker-1 has been rebooted', 9000)],
  ],
  'a quota that is nearly used up': [
    [...shop(), quota({ pods: '5', services: '4' }, { pods: '4', services: '4' })],
  ],
  'a Service that was never used': [
    [
      ...shop(),
      {
        kind: 'Service',
        metadata: { name: 'flags', namespace: 'books' },
        spec: { selector: { app: 'flags' }, ports: [{ port: 80 }] },
      },
    ],
  ],
  'a variable for something that was never installed': [
    [...shop(), ...app('reader', 9300, { container: { env: [{ name: 'ASSISTANT', value: 'robot:80' }] } })],
  ],
  'addresses outside of the cluster': [
    [
      ...shop(),
      ...app('reader', 9300, {
        container: {
          env: [
            { name: 'A', value: 'https://api.example.com:443/x' },
            { name: 'B', value: 'db.internal.example:5432' },
            { name: 'C', value: 'localhost:9000' },
          ],
        },
      }),
    ],
  ],
  'a network policy that nobody feels': [
    [
      ...shop(),
      {
        kind: 'NetworkPolicy',
        metadata: { name: 'old', namespace: 'books', creationTimestamp: ago(900_000) },
        spec: { podSelector: { matchLabels: { app: 'catalog' } }, policyTypes: ['Ingress'] },
      },
    ],
  ],
  'a disruption budget that allows none, and no drain': [
    [
      ...shop(),
      {
        kind: 'PodDisruptionBudget',
        metadata: { name: 'store', namespace: 'books' },
        spec: { selector: { matchLabels: { app: 'store' } }, minAvailable: 1 },
        status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 },
      },
    ],
  ],
  'a pod that is ending': [podOf('front', { metadata: { deletionTimestamp: ago(20) } })(shop())],
  'a Service without a selector, and a headless one': [
    [
      ...shop(),
      { kind: 'Service', metadata: { name: 'legacy', namespace: 'books' }, spec: { ports: [{ port: 80 }] } },
      {
        kind: 'Service',
        metadata: { name: 'store-all', namespace: 'books' },
        spec: { clusterIP: 'None', selector: { app: 'store' }, ports: [{ port: 5432 }] },
      },
    ],
  ],
  'programs that complain now and then': [
    shop(),
    {
      front: ['retry after connection refused', 'user not found: 404', 'slow query: 2 s'],
      catalog: ['WARN request timed out, retried'],
    },
  ],
  'a store that turned a scanner away': [
    shop(),
    { store: ["Access denied for user 'root'@'::1' (using password: NO)"] },
  ],
  'an autoscaler that has just been created': [
    [
      ...shop(),
      {
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'front', namespace: 'books', creationTimestamp: ago(30) },
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'front' } },
        status: {
          conditions: [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' }],
        },
      },
    ],
  ],
  'a hundred busy services': [Array.from({ length: 100 }, (_, i) => app(`service-${i}`, 9000 + i)).flat()],
};

const old = (objects: readonly Raw[]) =>
  objects.map((object) => ({
    ...object,
    metadata: { ...Object(object.metadata), creationTimestamp: ago(900_000) },
  }));
const served = (spec: object) =>
  change(shop(), 'Service', 'catalog', (one) => ({ spec: { ...Object(one.spec), ...spec } }));
/** Mismatches that nobody has minded for days. */
const ALWAYS_SO: Record<string, Raw[]> = {
  'a target port that is not declared': old(served({ ports: [{ port: 9000, targetPort: 9001 }] })),
  'a selector of something long gone': old(served({ selector: { app: 'catalog-v1' } })),
  'a variable with a port that no Service has': old([
    ...shop(),
    ...app('reader', 9300, { container: { env: [{ name: 'METRICS', value: 'catalog:9001' }] } }),
  ]),
};

describe('what was always so', () => {
  it.each(Object.entries(ALWAYS_SO))('%s is hardly worth a word', (_name, objects) => {
    expect(explain(snapshotOf(objects))[0]?.confidence ?? 0).toBeLessThan(0.45);
  });
});

describe('a cluster without a fault', () => {
  it.each(Object.entries(QUIET))('%s', (_name, [objects, logs = {}]) => {
    expect(verdictOf(objects, { logs })).toBeNull();
  });
});
