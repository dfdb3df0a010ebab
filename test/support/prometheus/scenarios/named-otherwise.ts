import { plain, staticLabels } from '../conventions.ts';
import { type Fault, type Part, World } from '../world.ts';
import { GRID, made, ORBIT, type Scenario } from './scenario.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LEDGER_FAILS: Fault = { at: 'grid-ledger', errors: 0.3, latency: 0.3, unfelt: true };

/** The same services several times, told apart by one label. */
function copies(parts: readonly Part[], label: string, faults: Readonly<Record<string, Fault | null>>) {
  return (triggeredAt: number): World => {
    const [first, ...rest] = Object.entries(faults).map(([value, fault]) => {
      const world = new World(parts, { triggeredAt, namespace: 'grid', fault });
      return plain(world, (one, made) => ({ ...staticLabels(one, made), [label]: value }));
    });
    if (first === undefined) throw new Error('There is no copy.');
    for (const world of rest) first.history.add(world.history);
    return first;
  };
}

/** Systems whose labels or metrics are not what conventions say. */
export const NAMED_OTHERWISE: readonly Scenario[] = [
  {
    name: 'a Prometheus that scrapes another: exported_job names the services',
    make: made(
      GRID,
      'grid',
      LEDGER_FAILS,
      (world) =>
        void plain(world, ({ part, address }) => ({
          job: 'federate',
          instance: 'prometheus-eu:9090',
          exported_job: part.name,
          exported_instance: address,
        })),
    ),
    issue: { title: 'HighErrorRate', tags: ['exported_job:grid-ledger', 'job:federate'] },
    expected: { place: 'grid-ledger', kind: /errors went .* to (?:29|30|31)/u },
  },
  {
    name: 'recording rules alone',
    make: made(GRID, 'grid', LEDGER_FAILS, (world) => {
      for (const part of world.parts) {
        const own = world.instances.filter((one) => one.part === part);
        const [first] = own;
        if (first === undefined) continue;
        const labels = { job: part.name };
        world.history
          .gauge('up', { ...labels, instance: first.address }, () => 1)
          .gauge('job:http_requests:rate5m', labels, (at) => own.reduce((sum, one) => sum + one.rate(at), 0))
          .gauge('job:http_requests_errors:ratio_rate5m', labels, first.errors)
          .gauge('job:http_request_duration_seconds:p99_5m', labels, (at) => 2 * first.latency(at));
      }
    }),
    issue: { title: 'HighErrorRate', tags: ['job:grid-ledger'] },
    expected: { place: 'grid-ledger', kind: /errors|latency/u },
  },
  {
    name: 'counters without a suffix, in workers of one job',
    make: made(ORBIT, 'ground', { at: 'ephemeris', errors: 0.3, latency: 0.2, unfelt: true }, (world) => {
      for (const one of world.instances) {
        const labels = { job: 'workers', service_name: one.part.name, instance: one.address };
        world.history
          .gauge('up', { job: 'workers', instance: one.address }, () => 1)
          .counter('pipeline_request', { ...labels, operation: 'Poll' }, one.rate)
          .counter(
            'pipeline_request_failure',
            { ...labels, operation: 'Poll' },
            (at) => one.rate(at) * one.errors(at),
          )
          .histogram('pipeline_request_latency_seconds', labels, one.rate, one.latency, SECONDS);
      }
    }),
    issue: { title: 'RequestsFail', tags: ['service_name:ephemeris'] },
    expected: { place: 'ephemeris', kind: /errors|latency/u },
  },
  {
    name: 'two clusters: the alert is of the ill one',
    make: copies(GRID, 'cluster', { eu: null, us: LEDGER_FAILS }),
    issue: { title: 'HighErrorRate', tags: ['job:grid-ledger', 'cluster:us'] },
    expected: { place: 'grid-ledger', kind: /errors went .* to (?:29|30|31)/u },
  },
  {
    name: 'two clusters: the alert is of the healthy one',
    make: copies(GRID, 'k8s_cluster_name', { eu: null, us: LEDGER_FAILS }),
    issue: { title: 'HighErrorRate', tags: ['job:grid-ledger', 'cluster:eu'] },
    expected: null,
  },
  {
    name: 'three regions: the alert says nothing of them',
    make: copies(GRID, 'region', { asia: null, eu: null, us: LEDGER_FAILS }),
    issue: { title: 'HighErrorRate', tags: ['job:grid-ledger'] },
    expected: { place: 'grid-ledger', kind: /to (?:29|30|31).*This is in region us\.$/su },
  },
];
