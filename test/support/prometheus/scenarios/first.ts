import {
  containers,
  images,
  istio,
  kubernetes,
  openTelemetry,
  operatorLabels,
  plain,
  podLabels,
  serviceGraph,
  spring,
  staticLabels,
} from '../conventions.ts';
import { GRID, LAB, MINUTE, made, ORBIT, type Scenario } from './scenario.ts';

export const FIRST: readonly Scenario[] = [
  {
    name: 'plain metrics without edges: one service fails after a new version',
    make: made(GRID, 'grid', { at: 'grid-ledger', errors: 0.3, latency: 0.3, unfelt: true }, (world) => {
      plain(world, staticLabels, 'status');
      const info = (version: string) => ({
        job: 'grid-ledger',
        instance: '10.0.4.2:8080',
        version,
        goversion: 'go1.24',
      });
      const rollout = world.onset - MINUTE;
      world.during(world.from, rollout, (history) =>
        history.gauge('ledger_build_info', info('2.7.0'), () => 1),
      );
      world.during(rollout, world.triggeredAt, (history) =>
        history.gauge('ledger_build_info', info('2.8.0'), () => 1),
      );
    }),
    issue: { title: 'HighErrorRate', tags: ['job:grid-ledger', 'instance:10.0.4.2:8080'] },
    expected: { place: 'grid-ledger', kind: /after a deploy/iu },
  },
  {
    name: 'plain metrics without edges: one of several instances fails',
    make: made(GRID, 'grid', { at: 'tariff-engine', errors: 0.6, instance: 1, unfelt: true }, (world) =>
      plain(world, staticLabels),
    ),
    issue: { title: 'TooMany5xx tariff-engine' },
    expected: { place: 'tariff-engine', kind: /instance/iu },
  },
  {
    name: 'plain metrics without edges: a service vanished',
    make: made(GRID, 'grid', { at: 'crew-roster', vanishes: true }, (world) => plain(world, staticLabels)),
    issue: { title: 'TargetDown', tags: ['job:crew-roster'] },
    expected: { place: 'crew-roster', kind: /down|gone|outage|unavailable|disappear|not running|stopped/iu },
  },
  {
    name: 'plain metrics of the operator: nothing can be scraped of a service that others call',
    make: made(GRID, 'grid', { at: 'grid-ledger', vanishes: true }, (world) => {
      plain(world, operatorLabels);
      for (const one of world.instances.filter(({ part }) => part.name === 'grid-ledger'))
        world.during(world.onset, world.triggeredAt, (history) =>
          history.gauge('up', operatorLabels(one, world), () => 0),
        );
    }),
    issue: { title: 'TargetDown', tags: ['job:grid-ledger', 'namespace:grid'] },
    expected: { place: 'grid-ledger', kind: /down|gone|outage|unavailable|disappear|not running|stopped/iu },
  },
  {
    name: 'plain metrics of the operator: a quiet moment',
    make: made(GRID, 'grid', null, (world) => {
      plain(world, operatorLabels);
      kubernetes(world);
      containers(world);
      images(world);
    }),
    issue: { title: 'HighLatency', tags: ['namespace:grid', 'deployment:tariff-engine'] },
    expected: null,
  },
  {
    name: 'OpenTelemetry with a service graph: more traffic',
    make: made(LAB, 'lab', { at: 'specimen-desk', traffic: 4, latency: 0.25, unfelt: true }, (world) => {
      openTelemetry(world);
    }),
    issue: { title: 'specimen-desk is slow', service: 'specimen-desk' },
    expected: { place: 'specimen-desk', kind: /traffic/iu },
  },
  {
    name: 'OpenTelemetry with a service graph: a slow database two calls away',
    make: made(LAB, 'lab', { at: 'spectra-store', latency: 0.9 }, (world) => {
      openTelemetry(world);
      for (const one of world.instances.filter(({ part }) => part.name === 'spectra-store')) {
        const labels = {
          job: 'lab/spectra-store',
          instance: `i${one.index}`,
          db_system_name: 'postgresql',
          db_namespace: 'spectra',
          server_address: 'pg-spectra.lab.svc.cluster.local',
          db_operation_name: 'SELECT',
        };
        world.history.histogram(
          'db_client_operation_duration_seconds',
          labels,
          one.rate,
          world.level(one.seed, 0.008, 0.85),
          [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
        );
      }
      const exporter = { job: 'pg-spectra', instance: 'pg-spectra:9187', namespace: 'lab' };
      world.history
        .gauge('pg_up', exporter, () => 1)
        .gauge(
          'pg_stat_activity_count',
          { ...exporter, datname: 'spectra', state: 'active' },
          world.level(1, 6, 40),
        )
        .gauge('pg_settings_max_connections', exporter, () => 200)
        .gauge(
          'pg_stat_activity_max_tx_duration',
          { ...exporter, datname: 'spectra', state: 'active' },
          world.level(2, 0.1, 30),
        )
        .counter('pg_stat_database_xact_commit', { ...exporter, datname: 'spectra' }, world.level(3, 60, 35));
    }),
    issue: { title: 'High latency on specimen-desk', service: 'specimen-desk' },
    expected: { place: 'pg-spectra', kind: /slow quer|database/iu },
  },
  {
    name: 'OpenTelemetry with client metrics: an outside host is slow',
    make: made(LAB, 'lab', { at: 'result-mailer', latency: 2 }, (world) => {
      openTelemetry(world);
      for (const one of world.instances.filter(({ part }) => part.name === 'result-mailer')) {
        const labels = {
          job: 'lab/result-mailer',
          instance: `i${one.index}`,
          server_address: 'api.postbote.example.net',
          server_port: '443',
          http_request_method: 'POST',
        };
        world.history
          .histogram(
            'http_client_request_duration_seconds',
            { ...labels, http_response_status_code: '200' },
            one.rate,
            world.level(one.seed, 0.04, 2),
            [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
          )
          .histogram(
            'http_client_request_duration_seconds',
            { ...labels, http_response_status_code: '504', error_type: '504' },
            world.level(one.seed + 1, 0.001, 0.6),
            world.level(one.seed, 0.04, 5),
            [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
          );
      }
    }),
    issue: { title: 'result-mailer: p99 latency above 1s', service: 'result-mailer' },
    expected: { place: 'api.postbote.example.net', kind: /external/iu },
  },
  {
    name: 'Istio over Kubernetes: the CPU limit starves one workload',
    make: made(ORBIT, 'ground', { at: 'orbit-solver', latency: 1.2 }, (world) => {
      istio(world);
      kubernetes(world);
      images(world);
      containers(world, ({ part }) =>
        part.name === 'orbit-solver' ? { cpu: [0.5, 0.99], throttled: [0.2, 9] } : {},
      );
    }),
    issue: { title: 'SlowRequests', tags: ['namespace:ground', 'deployment:downlink'] },
    expected: { place: 'orbit-solver', kind: /cpu/iu },
  },
  {
    name: 'Istio over Kubernetes: a new image fails',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.4 }, (world) => {
      istio(world);
      kubernetes(world);
      containers(world);
      images(world, { of: 'ephemeris', at: world.onset - 2 * MINUTE, tag: '1.5.0' });
    }),
    issue: { title: 'Gateway5xx', tags: ['namespace:ground', 'pod:pass-planner-7d9f8b6c5d-x2x4z'] },
    expected: { place: 'ephemeris', kind: /after a deploy.*1\.5\.0/iu },
  },
  {
    name: 'Spring over Kubernetes with pod labels alone: a memory leak, killed and restarted',
    make: made(LAB, 'lab', { at: 'assay-runner', errors: 0.15, latency: 0.4 }, (world) => {
      spring(world, podLabels);
      kubernetes(world);
      images(world);
      containers(world, ({ part, seed }) => {
        if (part.name !== 'assay-runner') return {};
        const begun = world.triggeredAt - 100 * MINUTE;
        // Fills within 20 minutes, is killed, and fills again.
        const phase = (at: number) => ((at - begun + (seed % 7) * MINUTE) % (20 * MINUTE)) / (20 * MINUTE);
        return {
          memory: (at) => (at < begun ? 2e8 : 2e8 + 3e8 * phase(at)),
          restarts: (at) => (at < begun ? 0 : Math.floor((at - begun + (seed % 7) * MINUTE) / (20 * MINUTE))),
        };
      });
      for (const { pod, part } of world.instances)
        if (part.name === 'assay-runner')
          world.history.gauge(
            'kube_pod_container_status_last_terminated_reason',
            { job: 'kube-state-metrics', namespace: 'lab', pod, container: 'main', reason: 'OOMKilled' },
            () => 1,
          );
    }),
    issue: {
      title: 'KubePodCrashLooping',
      tags: [
        'namespace:lab',
        'pod:assay-runner-7d9f8b6c5d-qk7bd',
        'container:main',
        'job:kube-state-metrics',
      ],
    },
    expected: { place: 'assay-runner', kind: /memory|oom/iu },
  },
  {
    name: 'Spring over Kubernetes with pod labels alone: the connection pool is used up',
    make: made(LAB, 'lab', { at: 'reagent-stock', latency: 3, errors: 0.2 }, (world) => {
      spring(world, podLabels);
      serviceGraph(world);
      kubernetes(world);
      images(world);
      containers(world);
      for (const one of world.instances) {
        const labels = { ...podLabels(one, world), pool: 'HikariPool-1' };
        const hit = one.part.name === 'reagent-stock';
        world.history
          .gauge(
            'hikaricp_connections_active',
            labels,
            world.level(one.seed, 3, hit ? 10 : 3, hit ? 0 : 0.04),
          )
          .gauge('hikaricp_connections_max', labels, () => 10)
          .gauge('hikaricp_connections_pending', labels, world.level(one.seed + 5, 0, hit ? 25 : 0));
      }
    }),
    issue: { title: 'assay-runner slow', tags: ['namespace:lab', 'deployment:assay-runner'] },
    expected: { place: 'reagent-stock', kind: /connection.pool/iu },
  },
  {
    name: 'Kafka: a consumer group falls behind',
    make: made(GRID, 'grid', null, (world) => {
      plain(world, operatorLabels);
      for (const [group, topic, hit] of [
        ['meter-reader', 'readings', true],
        ['invoice-writer', 'invoices', false],
      ] as const)
        for (const partition of ['0', '1', '2']) {
          const labels = {
            job: 'kafka-exporter',
            instance: 'kafka-exporter:9308',
            consumergroup: group,
            topic,
            partition,
          };
          world.history
            .gauge(
              'kafka_consumergroup_lag',
              labels,
              (at) =>
                (hit && at > world.onset ? ((at - world.onset) / 1000) * 20 : 5) *
                world.level(Number(partition), 1)(at),
            )
            .counter(
              'kafka_consumergroup_current_offset',
              labels,
              world.level(Number(partition) + 5, 30, hit ? 2 : 30),
            );
        }
    }),
    issue: {
      title: 'KafkaConsumerLag',
      tags: ['consumergroup:meter-reader', 'topic:readings', 'job:kafka-exporter'],
    },
    expected: { place: 'meter-reader', kind: /backlog|lag/iu },
  },
  {
    name: 'RabbitMQ: a queue fills up',
    make: made(ORBIT, 'ground', null, (world) => {
      plain(world, operatorLabels);
      for (const [queue, hit] of [
        ['telemetry.raw', true],
        ['mail.out', false],
      ] as const) {
        const labels = { job: 'rabbitmq', instance: 'rabbit-0:15692', queue, vhost: '/' };
        world.history
          .gauge(
            'rabbitmq_queue_messages_ready',
            labels,
            (at) => (hit && at > world.onset ? ((at - world.onset) / 1000) * 50 : 3) * world.level(4, 1)(at),
          )
          .gauge('rabbitmq_queue_consumers', labels, world.level(5, 4, hit ? 0 : 4, 0));
      }
    }),
    issue: { title: 'RabbitmqQueueFilling', tags: ['queue:telemetry.raw'] },
    expected: { place: 'telemetry.raw', kind: /backlog|queue/iu },
  },
  {
    name: 'the kubelet: a volume is full',
    make: made(LAB, 'lab', { at: 'spectra-store', errors: 0.5 }, (world) => {
      istio(world);
      kubernetes(world);
      images(world);
      containers(world);
      for (const claim of ['data-spectra-store-0', 'data-reagent-stock-0']) {
        const labels = { job: 'kubelet', namespace: 'lab', persistentvolumeclaim: claim, node: 'node-0' };
        const hit = claim.includes('spectra');
        world.history
          .gauge('kubelet_volume_stats_capacity_bytes', labels, () => 100e9)
          .gauge('kubelet_volume_stats_available_bytes', labels, (at) =>
            hit ? Math.max(0, 60e9 - ((at - world.from) / (world.onset - world.from)) * 60e9) : 60e9,
          )
          .gauge('kubelet_volume_stats_used_bytes', labels, (at) =>
            hit ? Math.min(100e9, 40e9 + ((at - world.from) / (world.onset - world.from)) * 60e9) : 40e9,
          );
      }
    }),
    issue: {
      title: 'KubePersistentVolumeFillingUp',
      tags: ['namespace:lab', 'persistentvolumeclaim:data-spectra-store-0', 'job:kubelet'],
    },
    expected: { place: 'data-spectra-store-0', kind: /disk/iu },
  },
  {
    name: 'the node exporter: a disk is full',
    make: made(GRID, 'grid', { at: 'grid-ledger', errors: 0.5, unfelt: true }, (world) => {
      plain(world, staticLabels);
      for (const node of ['ledger-host:9100', 'edge-host:9100'])
        for (const mountpoint of ['/', '/var/lib/ledger']) {
          const labels = { job: 'node', instance: node, mountpoint, fstype: 'ext4', device: '/dev/sda1' };
          const hit = node.startsWith('ledger') && mountpoint !== '/';
          world.history
            .gauge('node_filesystem_size_bytes', labels, () => 500e9)
            .gauge('node_filesystem_avail_bytes', labels, (at) =>
              hit ? Math.max(0, 200e9 * (1 - (at - world.from) / (world.onset - world.from))) : 200e9,
            );
        }
    }),
    issue: {
      title: 'NodeFilesystemAlmostOutOfSpace',
      host: 'ledger-host:9100',
      tags: ['mountpoint:/var/lib/ledger', 'job:node'],
    },
    expected: { place: 'ledger-host', kind: /disk/iu },
  },
  {
    name: 'the blackbox exporter: a certificate has expired',
    make: made(ORBIT, 'ground', { at: 'downlink', traffic: 0.05 }, (world) => {
      plain(world, operatorLabels);
      for (const target of ['https://downlink.example.org', 'https://status.example.org']) {
        const labels = { job: 'blackbox', instance: target };
        const hit = target.includes('downlink');
        world.history
          .gauge('probe_success', labels, world.level(1, 1, hit ? 0 : 1, 0))
          .gauge('probe_ssl_earliest_cert_expiry', labels, () =>
            hit ? world.onset / 1000 : world.onset / 1000 + 60 * 86_400,
          )
          .gauge('probe_duration_seconds', labels, world.level(2, 0.1));
      }
    }),
    issue: { title: 'BlackboxProbeFailed', host: 'https://downlink.example.org', tags: ['job:blackbox'] },
    expected: { place: 'downlink.example.org', kind: /certificate/iu },
  },
];
