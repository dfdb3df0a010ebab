import {
  containers,
  images,
  istio,
  kubernetes,
  linkerd,
  openTelemetry,
  operatorLabels,
  plain,
  podLabels,
  serviceGraph,
  spring,
  staticLabels,
} from '../conventions.ts';
import { GRID, LAB, MINUTE, made, ORBIT, type Scenario } from './scenario.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const MORE: readonly Scenario[] = [
  {
    name: 'Redis by a multi-target exporter: a cache is down, and its callers are slow',
    make: made(ORBIT, 'ground', { at: 'ephemeris', latency: 0.5, errors: 0.05 }, (world) => {
      openTelemetry(world);
      for (const one of world.instances.filter(({ part }) => part.name === 'ephemeris'))
        world.history.histogram(
          'db_client_operation_duration_seconds',
          {
            job: 'ground/ephemeris',
            instance: `i${one.index}`,
            db_system_name: 'redis',
            server_address: 'redis-frames',
            db_operation_name: 'GET',
          },
          one.rate,
          world.level(one.seed, 0.002, 0.4),
          SECONDS,
        );
      for (const host of ['redis-frames', 'redis-sessions']) {
        const labels = { job: 'redis_exporter', instance: `redis://${host}:6379` };
        const hit = host === 'redis-frames';
        world.history
          .gauge('redis_up', labels, (at) => (hit && at >= world.onset ? 0 : 1))
          .gauge('up', { job: 'redis_exporter', instance: `redis://${host}:6379` }, () => 1);
        world.during(world.from, hit ? world.onset : world.triggeredAt, (h) =>
          h
            .counter('redis_commands_processed_total', labels, () => 200)
            .gauge('redis_connected_clients', labels, () => 20)
            .counter('redis_keyspace_hits_total', labels, () => 150)
            .counter('redis_keyspace_misses_total', labels, () => 10),
        );
      }
    }),
    issue: { title: 'downlink slow', service: 'downlink' },
    expected: { place: 'redis-frames', kind: /cache|outage|down/iu },
  },
  {
    name: 'PostgreSQL under the exporter’s job: a database is out of connections, two calls from the alert',
    make: made(GRID, 'grid', { at: 'grid-ledger', latency: 1.5, errors: 0.2 }, (world) => {
      plain(world, operatorLabels);
      serviceGraph(world);
      world.history
        .counter(
          'traces_service_graph_request_total',
          { client: 'grid-ledger', server: 'pg-ledger', connection_type: 'database' },
          () => 80,
        )
        .counter(
          'traces_service_graph_request_failed_total',
          { client: 'grid-ledger', server: 'pg-ledger', connection_type: 'database' },
          world.level(3, 0.01, 12),
        );
      for (const host of ['pg-ledger', 'pg-roster']) {
        const labels = { job: 'postgres-exporter', instance: `${host}:9187`, server: `${host}:5432` };
        const hit = host === 'pg-ledger';
        world.history
          .gauge('up', { job: 'postgres-exporter', instance: `${host}:9187` }, () => 1)
          .gauge('pg_up', labels, () => 1)
          .gauge(
            'pg_stat_activity_count',
            { ...labels, datname: 'main', state: 'active' },
            world.level(1, 12, hit ? 100 : 12, 0.01),
          )
          .gauge('pg_settings_max_connections', labels, () => 100);
      }
    }),
    issue: { title: 'HighErrorRate', tags: ['namespace:grid', 'job:meter-intake'] },
    expected: { place: 'pg-ledger', kind: /connection/iu },
  },
  {
    name: 'plain metrics: the alert names nothing but its rule',
    make: made(GRID, 'grid', { at: 'outage-map', errors: 0.4 }, (world) =>
      plain(world, staticLabels, 'status_code'),
    ),
    issue: { title: 'TooManyServerErrors' },
    rules: {
      groups: [
        {
          name: 'g',
          rules: [
            {
              alert: 'TooManyServerErrors',
              expr: 'sum by (job) (rate(http_requests_total{status_code=~"5.."}[5m])) / sum by (job) (rate(http_requests_total[5m])) > 0.05',
              for: '1m',
            },
          ],
        },
      ],
    },
    expected: { place: 'outage-map', kind: /./u },
  },
  {
    name: 'span metrics with a service graph: the deepest service fails',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.5 }, (world) => {
      serviceGraph(world);
      for (const one of world.instances) {
        const labels = {
          service: one.part.name,
          span_name: 'POST /',
          span_kind: 'SPAN_KIND_SERVER',
          instance: `i${one.seed}`,
        };
        world.history
          .counter(
            'traces_spanmetrics_calls_total',
            { ...labels, status_code: 'STATUS_CODE_UNSET' },
            (at) => one.rate(at) * (1 - one.errors(at)),
          )
          .counter(
            'traces_spanmetrics_calls_total',
            { ...labels, status_code: 'STATUS_CODE_ERROR' },
            (at) => one.rate(at) * one.errors(at),
          )
          .histogram(
            'traces_spanmetrics_latency',
            { ...labels, status_code: 'STATUS_CODE_UNSET' },
            one.rate,
            one.latency,
            SECONDS,
          );
      }
    }),
    issue: { title: 'errors on downlink', service: 'downlink' },
    expected: { place: 'ephemeris', kind: /./u },
  },
  {
    name: 'Spring with an application tag under one job: a service fails',
    make: made(LAB, 'lab', { at: 'spectra-store', errors: 0.3 }, (world) =>
      spring(world, ({ part, address }) => ({
        job: 'spring-apps',
        application: part.name,
        instance: address,
      })),
    ),
    issue: { title: 'HttpErrors', tags: ['application:spectra-store', 'job:spring-apps'] },
    expected: { place: 'spectra-store', kind: /./u },
  },
  {
    name: 'Spring over Kubernetes: a new ReplicaSet alone tells of the deploy, and another was long before',
    make: made(LAB, 'lab', { at: 'assay-runner', errors: 0.3 }, (world) => {
      spring(world, podLabels);
      serviceGraph(world);
      kubernetes(world);
      containers(world);
      const rs = (name: string, at: number, replicas: number, from = world.from) =>
        world.during(from, world.triggeredAt, (h) =>
          h
            .gauge(
              'kube_replicaset_created',
              { job: 'kube-state-metrics', namespace: 'lab', replicaset: name },
              () => at / 1000,
            )
            .gauge(
              'kube_replicaset_spec_replicas',
              { job: 'kube-state-metrics', namespace: 'lab', replicaset: name },
              () => replicas,
            )
            .gauge(
              'kube_replicaset_owner',
              {
                job: 'kube-state-metrics',
                namespace: 'lab',
                replicaset: name,
                owner_kind: 'Deployment',
                owner_name: name.replace(/-[^-]+$/u, ''),
              },
              () => 1,
            ),
        );
      rs('assay-runner-7d9f8b6c5d', world.from - 9e8, 0);
      rs('assay-runner-5c8d7f9b4b', world.onset - 90_000, 3, world.onset - 60_000);
      rs('result-mailer-5c8d7f9b4b', world.onset - 50 * MINUTE, 2, world.onset - 49 * MINUTE);
    }),
    issue: { title: 'specimen-desk failing', tags: ['namespace:lab', 'deployment:specimen-desk'] },
    expected: { place: 'assay-runner', kind: /after a deploy/iu },
  },
  {
    name: 'OpenTelemetry with client metrics to short cluster names: the deepest service is slow',
    make: made(ORBIT, 'ground', { at: 'ephemeris', latency: 0.9 }, (world) => {
      openTelemetry(world, { graph: false });
      for (const one of world.instances)
        for (const callee of one.part.calls) {
          const to = world.instances.find(({ part }) => part.name === callee);
          if (to)
            world.history.histogram(
              'http_client_request_duration_seconds',
              {
                job: `ground/${one.part.name}`,
                instance: `i${one.seed}`,
                server_address: `${callee}.ground`,
                server_port: '80',
                http_response_status_code: '200',
              },
              one.rate,
              to.latency,
              SECONDS,
            );
        }
    }),
    issue: { title: 'downlink p95', service: 'downlink' },
    expected: { place: 'ephemeris', kind: /./u },
  },
  {
    name: 'gRPC with client metrics to addresses of pods: the deepest service fails',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.5 }, (world) => {
      for (const one of world.instances) {
        const labels = operatorLabels(one, world);
        world.history
          .gauge('up', labels, () => 1)
          .counter(
            'grpc_server_handled_total',
            { ...labels, grpc_code: 'OK', grpc_method: 'Get', grpc_service: 'x.Y', grpc_type: 'unary' },
            (at) => one.rate(at) * (1 - one.errors(at)),
          )
          .counter(
            'grpc_server_handled_total',
            {
              ...labels,
              grpc_code: 'Unavailable',
              grpc_method: 'Get',
              grpc_service: 'x.Y',
              grpc_type: 'unary',
            },
            (at) => one.rate(at) * one.errors(at),
          )
          .histogram(
            'grpc_server_handling_seconds',
            { ...labels, grpc_method: 'Get' },
            one.rate,
            one.latency,
            SECONDS,
          );
        for (const callee of one.part.calls)
          for (const to of world.instances.filter(({ part }) => part.name === callee))
            world.history.histogram(
              'http_client_request_duration_seconds',
              {
                ...labels,
                server_address: to.address.split(':')[0] ?? '',
                server_port: '8080',
                http_response_status_code: '200',
              },
              one.rate,
              to.latency,
              SECONDS,
            );
      }
    }),
    issue: { title: 'GrpcErrors', tags: ['namespace:ground', 'pod:downlink-7d9f8b6c5d-x2x4z'] },
    expected: { place: 'ephemeris', kind: /./u },
  },
  {
    name: 'Istio over Kubernetes, with kube-state-metrics under labels of its own: a new image fails',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.4 }, (world) => {
      world.honoursLabels = false;
      istio(world);
      kubernetes(world);
      containers(world);
      images(world, { of: 'ephemeris', at: world.onset - 2 * MINUTE, tag: '1.5.0' });
    }),
    issue: { title: 'Gateway5xx', tags: ['namespace:ground', 'pod:pass-planner-7d9f8b6c5d-x2x4z'] },
    expected: { place: 'ephemeris', kind: /after a deploy.*1\.5\.0/iu },
  },
  {
    name: 'Istio over Kubernetes: a quiet moment',
    make: made(ORBIT, 'ground', null, (world) => {
      istio(world);
      kubernetes(world);
      containers(world);
      images(world);
    }),
    issue: { title: 'SlowRequests', tags: ['namespace:ground', 'destination_workload:orbit-solver'] },
    expected: null,
  },
  {
    name: 'Istio over Kubernetes: more traffic than the first service can take',
    make: made(
      ORBIT,
      'ground',
      { at: 'downlink', traffic: 5, latency: 0.5, errors: 0.1, unfelt: true },
      (world) => {
        istio(world);
        kubernetes(world);
        containers(world, ({ part }) => (part.name === 'downlink' ? { cpu: [0.2, 0.9] } : {}));
        images(world);
      },
    ),
    issue: { title: 'SlowRequests', tags: ['namespace:ground', 'deployment:downlink'] },
    expected: { place: 'downlink', kind: /traffic/iu },
  },
  {
    name: 'Istio over Kubernetes: one pod of four fails, two calls from the alert',
    make: made(ORBIT, 'ground', { at: 'orbit-solver', errors: 0.8, instance: 2 }, (world) => {
      istio(world);
      kubernetes(world);
      containers(world);
      images(world);
    }),
    issue: { title: 'Errors', tags: ['namespace:ground', 'deployment:downlink'] },
    expected: { place: 'orbit-solver', kind: /instance/iu },
  },
  {
    name: 'Linkerd: the deepest service is slow',
    make: made(LAB, 'lab', { at: 'reagent-stock', latency: 0.8 }, linkerd),
    issue: { title: 'slow', tags: ['namespace:lab', 'deployment:specimen-desk'] },
    expected: { place: 'reagent-stock', kind: /./u },
  },
  {
    name: 'no convention at all: a service’s own metrics say that it fails',
    make: made(GRID, 'grid', null, (world) => {
      for (const one of world.instances) {
        const labels = staticLabels(one, world);
        const hit = one.part.name === 'tariff-engine';
        world.history
          .gauge('up', labels, () => 1)
          .counter('jobs_failed_total', labels, world.level(one.seed, 0.01, hit ? 5 : 0.01))
          .counter('jobs_done_total', labels, world.level(one.seed + 1, 10, hit ? 5 : 10))
          .gauge('job_wait_seconds', labels, world.level(one.seed + 2, 0.4, hit ? 40 : 0.4));
      }
    }),
    issue: { title: 'JobsWaiting', tags: ['job:tariff-engine'] },
    expected: { place: 'tariff-engine', kind: /./u },
  },
  {
    name: 'plain metrics in milliseconds: another service was deployed a minute before',
    make: made(GRID, 'grid', { at: 'grid-ledger', latency: 0.9 }, (world) => {
      serviceGraph(world);
      for (const one of world.instances) {
        const labels = operatorLabels(one, world);
        world.history
          .gauge('up', labels, () => 1)
          .counter('http_requests_total', { ...labels, status: '200' }, one.rate)
          .counter('http_requests_total', { ...labels, status: '500' }, (at) => one.rate(at) * one.errors(at))
          .histogram(
            'http_request_duration_ms',
            labels,
            one.rate,
            (at) => one.latency(at) * 1000,
            SECONDS.map((s) => s * 1000),
          );
      }
      images(world, { of: 'crew-roster', at: world.onset - MINUTE, tag: '9.9.9' });
    }),
    issue: { title: 'slow meter-intake', service: 'meter-intake' },
    expected: { place: 'grid-ledger', kind: /^(?!.*9\.9\.9)/u },
  },
  {
    name: 'plain metrics with the application in front of each name: the one below fails',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.4, latency: 0.3 }, (world) => {
      serviceGraph(world);
      for (const one of world.instances) {
        const labels = staticLabels(one, world);
        const app = one.part.name.replaceAll('-', '_');
        const rate = (share: (at: number) => number) => (at: number) => one.rate(at) * share(at);
        world.history
          .gauge('up', labels, () => 1)
          .counter(
            `${app}_requests_total`,
            { ...labels, result: 'ok' },
            rate((at) => 1 - one.errors(at)),
          )
          .counter(`${app}_requests_total`, { ...labels, result: 'error' }, rate(one.errors))
          .histogram(`${app}_request_latency_seconds`, labels, one.rate, one.latency, SECONDS);
      }
    }),
    issue: { title: 'Errors', tags: ['job:downlink'] },
    expected: { place: 'ephemeris', kind: /errors|latency/iu },
  },
];
