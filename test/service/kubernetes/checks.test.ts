import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/service/kubernetes/explain.ts';
import {
  ago,
  app,
  broken,
  change,
  crashing,
  event,
  NOON,
  node,
  type Raw,
  shop,
  snapshotOf,
  unscheduled,
  verdictOf,
  waiting,
} from './support.ts';

const withNode = (name: string, spec: object) => (objects: Raw[]) =>
  change(objects, 'Node', name, () => ({ spec }));
const template = (more: object) => (deployment: Raw) => {
  const spec = Object(deployment.spec);
  const { containers } = spec.template.spec;
  return {
    spec: { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, ...more, containers } } },
  };
};
const refused = (message: string) => [
  ...change(change(shop(), 'Pod', 'catalog-7d9-x', null), 'Deployment', 'catalog', () => ({
    status: { replicas: 0 },
  })),
  event(
    'ReplicaSet',
    'catalog-7d9',
    'FailedCreate',
    `Error creating: pods "catalog-7d9-" is forbidden: ${message}`,
  ),
];
const pending = (message: string, spec: object = {}, objects = shop()) => [
  ...broken(objects, 'catalog', unscheduled, { nodeName: undefined, ...spec }),
  event('Pod', 'catalog-7d9-x', 'FailedScheduling', message),
];
const unpulled = (message: string, image?: string) => {
  const stuck = broken(shop(), 'catalog', waiting('catalog', 'ImagePullBackOff'));
  const reference = image ?? 'registry.books.example/catalog:1.4.0';
  return [
    ...change(stuck, 'Pod', 'catalog-7d9-x', (pod) => ({
      spec: { ...Object(pod.spec), containers: [{ name: 'catalog', image: reference }] },
    })),
    event('Pod', 'catalog-7d9-x', 'Failed', `Failed to pull image "${reference}": ${message}`),
  ];
};
const claimed = (
  claim: object,
  volumes: object[],
  said = 'no persistent volumes available for this claim and no storage class is set',
) => [
  ...pending('0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.', {
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'shelf' } }],
  }),
  {
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'shelf', namespace: 'books' },
    spec: claim,
    status: { phase: 'Pending' },
  },
  ...volumes.map((spec, i) => ({
    kind: 'PersistentVolume',
    metadata: { name: `volume-${i}` },
    spec,
    status: { phase: 'Available' },
  })),
  event('PersistentVolumeClaim', 'shelf', 'FailedBinding', said),
];
const unhealthy = (probe: object, message: string, kind: 'Liveness' | 'Readiness' = 'Readiness') => {
  const status =
    kind === 'Readiness'
      ? {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'False' }],
          containerStatuses: [
            { name: 'basket', ready: false, restartCount: 0, state: { running: { startedAt: ago(500) } } },
          ],
        }
      : crashing('basket', { exitCode: 137, startedAt: ago(100) });
  const key = kind === 'Readiness' ? 'readinessProbe' : 'livenessProbe';
  const container = { name: 'basket', ports: [{ containerPort: 9100 }], [key]: probe };
  const stuck = broken(shop(), 'basket', status, { containers: [container] });
  return [
    ...change(stuck, 'Deployment', 'basket', (deployment) => {
      const spec = Object(deployment.spec);
      return { spec: { ...spec, template: { ...spec.template, spec: { containers: [container] } } } };
    }),
    event('Pod', 'basket-7d9-x', 'Unhealthy', `${kind} probe failed: ${message}`),
    ...(kind === 'Liveness'
      ? [
          event(
            'Pod',
            'basket-7d9-x',
            'Killing',
            'Container basket failed liveness probe, will be restarted',
            40,
          ),
        ]
      : []),
  ];
};
const gb = (storage: string, more: object = {}) => ({
  capacity: { storage },
  accessModes: ['ReadWriteOnce'],
  ...more,
});
const asked = (more: object) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  ...more,
});
const service = (spec: object) =>
  change(
    change(shop(), 'Service', 'catalog', (one) => ({ spec: { ...Object(one.spec), ...spec } })),
    'EndpointSlice',
    'catalog-abc',
    () => ({ endpoints: [] }),
  );
const variable = (value: string) => [
  ...shop(),
  ...app('reader', 9300, { container: { env: [{ name: 'UPSTREAM', value }] } }),
];
const loop = () => broken(shop(), 'basket', crashing('basket'));

/** What is wrong, and what is said of it. */
const FAULTS: Record<string, [objects: Raw[], verdict: string, logs?: Record<string, string[]>]> = {
  'a quota of CPU': [
    refused(
      'exceeded quota: small, requested: requests.cpu=1, used: requests.cpu=4, limited: requests.cpu=4',
    ),
    'namespace/books namespace_cpu_quota_exceeded',
  ],
  'a quota of several, of which one is used up': [
    refused(
      'exceeded quota: small, requested: pods=1,requests.memory=2Gi, used: pods=3,requests.memory=3Gi, limited: pods=10,requests.memory=4Gi',
    ),
    'namespace/books namespace_memory_quota_exceeded',
  ],
  'a quota of Services': [
    [
      ...change(shop(), 'Service', 'catalog', null),
      {
        kind: 'ResourceQuota',
        metadata: { name: 'small', namespace: 'books' },
        spec: { hard: { services: '3' } },
        status: { hard: { services: '3' }, used: { services: '3' } },
      },
    ],
    'namespace/books namespace_service_quota_exceeded',
  ],
  'a limit range': [
    refused('maximum cpu usage per Container is 1, but limit is 2'),
    'namespace/books namespace_limit_range_exceeded',
  ],
  'a quota that asks for requests': [
    refused('failed quota: small: must specify requests.cpu'),
    'app/catalog missing_resource_requests',
  ],
  'no service account': [
    change(
      refused('error looking up service account books/catalog: serviceaccount "catalog" not found'),
      'ServiceAccount',
      'catalog',
      null,
    ),
    'app/catalog missing_service_account',
  ],
  'a webhook that does not answer': [
    refused('failed calling webhook "check.books.example": connection refused'),
    'app/catalog admission_webhook_unavailable',
  ],
  'a webhook that denies': [
    refused('admission webhook "check.books.example" denied the request: no'),
    'app/catalog admission_webhook_denied',
  ],
  'a Pod Security standard': [
    refused('violates PodSecurity "restricted:latest"'),
    'app/catalog pod_security_violation',
  ],
  'a node selector': [
    pending(
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.",
      { nodeSelector: { disk: 'fast' } },
    ),
    'app/catalog node_selector_mismatch',
  ],
  'a node affinity': [
    pending(
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.",
    ),
    'app/catalog node_affinity_mismatch',
  ],
  'a cordoned worker that alone has the label': [
    pending(
      "0/3 nodes are available: 2 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector.",
      { nodeSelector: { disk: 'fast' } },
      change(shop(), 'Node', 'worker-1', () => ({
        metadata: { name: 'worker-1', labels: { disk: 'fast' } },
        spec: { unschedulable: true },
      })),
    ),
    'app/catalog node_cordon_mismatch',
  ],
  'a taint': [
    pending(
      '0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated taint {team: ml}.',
      {},
      ['worker-1', 'worker-2'].reduce(
        (all, name) => withNode(name, { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] })(all),
        shop(),
      ),
    ),
    'app/catalog taint_toleration_mismatch',
  ],
  'too little CPU': [
    pending('0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.', {
      containers: [{ name: 'catalog', resources: { requests: { cpu: '6' } } }],
    }),
    'app/catalog cpu_capacity_mismatch',
  ],
  'too little memory': [
    pending('0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient memory.', {
      containers: [{ name: 'catalog', resources: { requests: { memory: '9Gi' } } }],
    }),
    'app/catalog memory_capacity_mismatch',
  ],
  'anti-affinity': [
    pending(
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match pod anti-affinity rules.",
    ),
    'app/catalog pod_anti_affinity_conflict',
  ],
  'a host port': [
    pending(
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't have free ports for the requested pod ports.",
    ),
    'app/catalog host_port_conflict',
  ],
  'a volume elsewhere': [
    pending(
      '0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had volume node affinity conflict.',
    ),
    'app/catalog volume_node_affinity_conflict',
  ],
  'a scheduler that says nothing': [
    broken(shop(), 'catalog', { phase: 'Pending', containerStatuses: [] }, { nodeName: undefined }),
    'node/control kube_scheduler_unavailable',
  ],
  'a scheduler of another name': [
    broken(
      shop(),
      'catalog',
      { phase: 'Pending', containerStatuses: [] },
      { nodeName: undefined, schedulerName: 'mine' },
    ),
    'app/catalog scheduler_name_mismatch',
  ],
  'a claim that is too large': [
    claimed(asked({ resources: { requests: { storage: '5Gi' } } }), [gb('1Gi')]),
    'app/catalog pvc_capacity_mismatch',
  ],
  'a claim of another access mode': [
    claimed(asked({ accessModes: ['ReadWriteMany'] }), [gb('1Gi')]),
    'app/catalog pvc_access_mode_mismatch',
  ],
  'a claim of another class': [
    claimed(asked({ storageClassName: 'fast' }), [gb('1Gi')], 'storageclass.storage.k8s.io "fast" not found'),
    'app/catalog pvc_storage_class_mismatch',
  ],
  'a claim that selects': [
    claimed(asked({ selector: { matchLabels: { tier: 'gold' } } }), [gb('1Gi')]),
    'app/catalog pvc_selector_mismatch',
  ],
  'a volume that is taken': [
    claimed(asked({ volumeName: 'volume-0' }), [
      gb('1Gi', { claimRef: { name: 'other', namespace: 'books' } }),
    ]),
    'app/catalog pv_binding_occupied',
  ],
  'a claim that is not there': [
    pending('0/3 nodes are available: persistentvolumeclaim "shelf" not found.', {
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'shelf' } }],
    }),
    'app/catalog missing_pvc',
  ],
  'an image that does not exist': [
    unpulled('rpc error: code = NotFound desc = manifest unknown'),
    'app/catalog incorrect_image_reference',
  ],
  'an official image that does not exist': [
    unpulled('pull access denied: 403 Forbidden', 'postgers:17'),
    'app/catalog incorrect_image_reference',
  ],
  'an image of a private registry': [
    unpulled('failed to authorize: 401 Unauthorized', 'vault.example/secret/catalog:1'),
    'app/catalog missing_image_pull_secret',
  ],
  'a registry without a name': [
    unpulled('dial tcp: lookup registry.books.example: no such host'),
    'app/catalog image_registry_dns_failure',
  ],
  'a registry without a certificate': [
    unpulled('x509: certificate signed by unknown authority'),
    'app/catalog image_registry_certificate_invalid',
  ],
  'no Secret': [
    [
      ...broken(
        shop(),
        'basket',
        waiting('basket', 'CreateContainerConfigError', 'secret "basket-postgres" not found'),
      ),
      event('Pod', 'basket-7d9-x', 'Failed', 'Error: secret "basket-postgres" not found'),
    ],
    'app/basket missing_secret_binding',
  ],
  'no key in a ConfigMap': [
    broken(
      shop(),
      'basket',
      waiting('basket', 'CreateContainerConfigError', "couldn't find key url in ConfigMap books/basket"),
    ),
    'app/basket missing_config_map_key',
  ],
  'a command that is not there': [
    broken(
      shop(),
      'basket',
      waiting('basket', 'RunContainerError', 'exec: "serv": executable file not found in $PATH'),
    ),
    'app/basket incorrect_container_command',
  ],
  'a volume that may not be read': [
    [
      ...broken(shop(), 'basket', waiting('basket', 'ContainerCreating')),
      event(
        'Pod',
        'basket-7d9-x',
        'FailedMount',
        'MountVolume.SetUp failed for volume "data": mount failed: permission denied',
      ),
    ],
    'app/basket volume_mount_permission_denied',
  ],
  'a memory limit': [
    broken(shop(), 'basket', crashing('basket', { reason: 'OOMKilled', exitCode: 137 })),
    'app/basket oom_killed',
  ],
  'wrong credentials': [
    loop(),
    'app/basket postgres_invalid_credentials',
    { basket: ['FATAL: password authentication failed for user "basket"'] },
  ],
  'a port where nothing listens': [
    loop(),
    'app/basket postgres_invalid_port',
    { basket: ['psycopg.OperationalError: connection refused'] },
  ],
  'a store without connections': [
    loop(),
    'app/store db_connection_exhaustion',
    { basket: ['FATAL: sorry, too many clients already (postgres at store)'] },
  ],
  'a store that is read-only': [
    shop(),
    'app/store db_read_only',
    { basket: ['ERROR: cannot execute INSERT in a read-only transaction (postgres)'] },
  ],
  'a host name that is not known': [
    loop(),
    'app/basket service_dns_resolution_failure',
    { basket: ['getaddrinfo ENOTFOUND store'] },
  ],
  'a port that another container has': [
    broken(shop(), 'basket', crashing('basket'), { containers: [{ name: 'basket' }, { name: 'proxy' }] }),
    'app/basket sidecar_port_conflict',
    { basket: ['listen tcp :9100: bind: address already in use'] },
  ],
  'a file that may not be written': [
    broken(shop(), 'basket', crashing('basket'), { volumes: [{ name: 'data' }] }),
    'app/basket volume_mount_permission_denied',
    { basket: ["mkdir: can't create directory '/data/x': Permission denied"] },
  ],
  'no rights': [
    loop(),
    'app/basket rbac_permission_denied',
    { basket: ['User "system:serviceaccount:books:basket" cannot list resource "pods"'] },
  ],
  'a crash that nobody describes': [loop(), 'app/basket postgres_invalid_credentials'],
  'a probe on another port': [
    unhealthy({ httpGet: { port: 9999 } }, 'Get "http://10.1.0.1:9999/": connection refused'),
    'app/basket readiness_probe_incorrect_port',
  ],
  'a probe on another path': [
    unhealthy({ httpGet: { port: 9100, path: '/nope' } }, 'HTTP probe failed with statuscode: 404'),
    'app/basket readiness_probe_incorrect_path',
  ],
  'a probe in another protocol': [
    unhealthy(
      { httpGet: { port: 9100 } },
      'Get "http://10.1.0.1:9100/": malformed HTTP response "\\x00"',
      'Liveness',
    ),
    'app/basket liveness_probe_incorrect_protocol',
  ],
  'a probe that does not wait': [
    unhealthy(
      { httpGet: { port: 9100 }, periodSeconds: 1, failureThreshold: 2 },
      'context deadline exceeded',
      'Liveness',
    ),
    'app/basket liveness_probe_incorrect_timing',
  ],
  'zero replicas': [
    [
      ...change(change(shop(), 'Pod', 'catalog-7d9-x', null), 'Deployment', 'catalog', (one) => ({
        spec: { ...Object(one.spec), replicas: 0 },
        status: {},
      })),
      event(
        'Deployment',
        'catalog',
        'ScalingReplicaSet',
        'Scaled down replica set catalog-7d9 from 1 to 0',
        200,
        'Normal',
      ),
    ],
    'app/catalog deployment_zero_replicas',
  ],
  'a selector': [service({ selector: { app: 'catalogue' } }), 'app/catalog service_selector_mismatch'],
  'a selector for the pods of another': [
    service({ selector: { app: 'front' } }),
    'app/catalog service_selector_mismatch',
  ],
  'a target port': [
    service({ ports: [{ port: 9000, targetPort: 9001 }] }),
    'app/catalog service_port_mapping_mismatch',
  ],
  'a named port': [
    change(service({ ports: [{ port: 9000, targetPort: 'web' }] }), 'EndpointSlice', 'catalog-abc', () => ({
      endpoints: [],
    })),
    'app/catalog service_port_mapping_mismatch',
  ],
  'a protocol': [
    service({ ports: [{ port: 9000, targetPort: 9000, protocol: 'UDP' }] }),
    'app/catalog service_protocol_mismatch',
  ],
  'a variable with another port': [
    variable('http://catalog:9001/books'),
    'app/reader service_env_var_address_mismatch',
  ],
  'a variable with a slip in the host': [
    variable('catalgo:9000'),
    'app/reader service_env_var_address_mismatch',
  ],
  'no Service for a workload that others need': [
    change(shop(), 'Service', 'catalog', null),
    'app/catalog missing_service',
  ],
  'an Ingress to nowhere': [
    [
      ...shop(),
      {
        kind: 'Ingress',
        metadata: { name: 'web', namespace: 'books' },
        spec: {
          rules: [
            {
              http: {
                paths: [{ path: '/', backend: { service: { name: 'frontend', port: { number: 80 } } } }],
              },
            },
          ],
        },
      },
    ],
    'app/front ingress_backend_mismatch',
  ],
  'name servers of its own': [
    change(
      loop(),
      'Deployment',
      'basket',
      template({ dnsPolicy: 'None', dnsConfig: { nameservers: ['192.0.2.1'] } }),
    ),
    'app/basket service_dns_resolution_failure',
  ],
  'a network policy that is felt': [
    [
      ...shop(),
      {
        kind: 'NetworkPolicy',
        metadata: { name: 'shut', namespace: 'books' },
        spec: { podSelector: { matchLabels: { app: 'catalog' } }, policyTypes: ['Ingress'] },
      },
    ],
    'app/catalog network_policy_block',
    { front: ['dial catalog:9000: i/o timeout'] },
  ],
  'a new network policy that shuts in what nothing owns': [
    [
      ...shop(),
      {
        kind: 'Pod',
        metadata: {
          name: 'client',
          namespace: 'tools',
          creationTimestamp: ago(600),
          labels: { app: 'client' },
        },
        spec: { containers: [{ name: 'client' }], nodeName: 'worker-1' },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [{ name: 'client', ready: true, restartCount: 0, state: { running: {} } }],
        },
      },
      {
        kind: 'NetworkPolicy',
        metadata: { name: 'deny-egress', namespace: 'tools', creationTimestamp: ago(240) },
        spec: { podSelector: {}, policyTypes: ['Egress'], egress: [] },
      },
    ],
    'app/client network_policy_block',
  ],
  'a kubelet that is silent': [
    change(shop(), 'Node', 'worker-1', () => ({
      status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] },
    })),
    'node/worker-1 kubelet_unavailable',
  ],
  'a container runtime': [
    [
      ...change(shop(), 'Node', 'worker-1', () => ({
        status: { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }] },
      })),
      event(
        'Node',
        'worker-1',
        'ContainerGCFailed',
        'rpc error: dial unix /run/containerd/containerd.sock: connect: no such file or directory',
      ),
    ],
    'node/worker-1 containerd_unavailable',
  ],
  'a full disk': [
    change(shop(), 'Node', 'worker-1', () => ({
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'True', message: 'kubelet has disk pressure' },
        ],
      },
    })),
    'node/worker-1 node_disk_pressure',
  ],
  'a condition that is True on one node and False on the others': [
    ['worker-1', 'worker-2', 'control'].reduce(
      (objects, name) =>
        change(objects, 'Node', name, () => ({
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'ClockSkewed', status: name === 'worker-1' ? 'True' : 'False', reason: 'NtpOffset' },
            ],
          },
        })),
      shop(),
    ),
    'node/worker-1 clock_skewed',
  ],
  'a condition of one node alone whose name says what it should be': [
    change(shop(), 'Node', 'worker-2', () => ({
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'StorageReady', status: 'False', reason: 'VolumeIOPSExceeded' },
        ],
      },
    })),
    'node/worker-2 storage_not_ready',
  ],
  'a condition of one node alone whose reason says what is wrong': [
    change(shop(), 'Node', 'worker-2', () => ({
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'KernelDeadlock', status: 'True', reason: 'DockerHung' },
        ],
      },
    })),
    'node/worker-2 kernel_deadlock',
  ],
  'pods of one node that reach nothing': [
    change(shop(), 'Pod', 'catalog-7d9-x', (pod) => ({
      spec: { ...Object(pod.spec), nodeName: 'worker-2' },
    })),
    'node/worker-1 kube_proxy_unavailable',
    { front: ['code = Unavailable desc = dial tcp 10.0.0.0:9000 lookup catalog: i/o timeout'] },
  ],
};

describe('the state of a cluster', () => {
  it.each(Object.entries(FAULTS))('%s', (_name, [objects, verdict, logs = {}]) => {
    expect(verdictOf(objects, { logs })).toBe(verdict);
  });

  it('says both sides of a mismatch, and what shows and mends it', () => {
    expect(explain(snapshotOf(service({ selector: { app: 'catalogue' } })))[0]).toEqual({
      object: 'app/catalog',
      cause: 'service_selector_mismatch',
      namespace: 'books',
      workload: { namespace: 'books', kind: 'Deployment', name: 'catalog' },
      sentence: 'Service `catalog` selects `app=catalogue`; the pods have `app=catalog`.',
      evidence: [
        'the selector of Service `catalog` is `app=catalogue`',
        'the pods of `catalog` have `app=catalog`',
        'the Service has no endpoint',
      ],
      show: 'kubectl describe service catalog -n books',
      mend: 'kubectl edit service catalog -n books',
      confidence: 0.96,
    });
  });

  it('puts a node before what runs on it, and a store before its clients', () => {
    const dead = change(loop(), 'Node', 'worker-1', () => ({
      status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
    }));
    const verdicts = explain(snapshotOf(dead)).map(({ object, cause }) => `${object} ${cause}`);
    expect(verdicts[0]).toBe('node/worker-1 kubelet_unavailable');
  });

  it('is less sure where a program says nothing of why it ended', () => {
    const silent = explain(snapshotOf(loop()))[0]?.confidence ?? 1;
    const told =
      explain(snapshotOf(loop(), { logs: { basket: ['password authentication failed'] } }))[0]?.confidence ??
      0;
    expect({ silent: silent < 0.5, told: told > 0.8 }).toEqual({ silent: true, told: true });
  });

  it('judges the network of an app by who waits for it', () => {
    const times = Array.from({ length: 20 }, (_, i) => NOON - 200_000 + i * 10_000);
    const steps = (before: number, during: number) => times.map((_, i) => (i < 10 ? before : during));
    const series = new Map(
      Object.entries({
        front: { p50latency: steps(20, 30), p90latency: steps(30, 900) },
        catalog: { p50latency: steps(5, 6), p90latency: steps(8, 9) },
        basket: { p50latency: steps(10, 700), p90latency: steps(15, 800) },
        store: { p50latency: steps(2, 3), p90latency: steps(4, 1200) },
      }),
    );
    expect(verdictOf(shop(), { metrics: { times, series } })).toBe('app/store pod_network_delay');
  });

  it('asks for nothing that a node which is not the problem would do: a well node has no finding', () => {
    expect(verdictOf([...shop(), node('worker-3')])).toBeNull();
  });
});
