import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../../src/service/agent/catalog/find.ts';
import { runsOf } from '../../../../src/service/agent/tools/runs.ts';
import { type Reader, rowsOf } from '../../../../src/service/agent/tools/series.ts';
import { restartsSince, workloadOf } from '../../../../src/service/agent/tools/workload.ts';
import { known, type Series, unknown } from '../../../../src/service/telemetry/model.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 4, 12, 15);
const PAST = { from: NOW - 90 * MINUTE, to: NOW - 60 * MINUTE };

/** A series with these values, a minute apart, the last of them at `to`. */
function series(labels: Record<string, string>, to: number, ...values: number[]): Series {
  return {
    service: '',
    instance: null,
    edge: null,
    labels,
    signal: {
      id: 'x',
      name: 'x',
      label: 'x',
      measure: 'other',
      metricType: 'gauge',
      bad: 'high',
      unit: '',
    },
    points: {
      times: Float64Array.from(values, (_, i) => to - (values.length - 1 - i) * MINUTE),
      values: Float64Array.from(values),
    },
    limit: null,
    query: null,
    providerUrl: null,
    provider: 'prometheus',
  };
}

describe('what an expression gives', () => {
  const evaluate: Reader['evaluate'] = async (expression, { to }) =>
    known(
      expression === 'limits'
        ? [series({ call: 'StartSession' }, to, 50)]
        : to < NOW
          ? [series({ call: 'startsession' }, to, 1, 2, 9), series({ call: 'Gone' }, to, 4)]
          : [
              series({ call: 'StartSession' }, to, 7, 8),
              series({ call: 'startsession' }, to, 3),
              series({ call: 'Ended' }, to - 11 * MINUTE, 6),
              series({ call: 'None' }, to, Number.NaN),
            ],
    );
  const read = async (how: Parameters<typeof rowsOf>[2]) =>
    (await rowsOf('calls', { evaluate, now: NOW }, how))?.map(({ labels, now, before, beside }) => [
      labels.call,
      now,
      before,
      beside,
    ]);

  it('is there now, by each value of its labels', async () => {
    expect(await read({})).toEqual([
      ['StartSession', 8, null, null],
      ['startsession', 3, null, null],
      ['Ended', null, null, null],
      ['None', null, null, null],
    ]);
  });

  it('is compared with what was, and with its limit; a value in two writings is one', async () => {
    expect(await read({ past: PAST, beside: 'limits', adds: true })).toEqual([
      ['StartSession', 11, 2, 50],
      ['Ended', null, null, null],
      ['None', null, null, null],
      ['Gone', null, 4, null],
    ]);
  });

  it('is not nothing where it cannot be read', async () => {
    expect(await rowsOf('calls', { evaluate: async () => unknown('no answer'), now: NOW })).toBeNull();
  });
});

/** What exporters say of a cluster, and a program of itself: the series of each metric. */
function exported(all: Readonly<Record<string, readonly Series[]>>): Reader {
  const matching = (expression: string) => {
    const name = Object.keys(all).find((one) => new RegExp(`\\b${one}\\b`, 'u').test(expression)) ?? '';
    const matchers = [...expression.matchAll(/(\w+)=(~?)"([^"]*)"/gu)];
    return (all[name] ?? []).filter(({ labels }) =>
      matchers.every(([, label = '', isLike, value = '']) =>
        isLike === '' ? labels[label] === value : new RegExp(`^(?:${value})$`, 'u').test(labels[label] ?? ''),
      ),
    );
  };
  const metrics = Object.entries(all).map(([name, some]) => {
    const labels = Object.groupBy(
      some.flatMap((one) => Object.entries(one.labels)),
      ([label]) => label,
    );
    const values = Object.entries(labels).map(([label, own = []]) => [label, own.map(([, value]) => value)]);
    return { name, type: 'gauge' as const, help: '', unit: '', labels: Object.fromEntries(values) };
  });
  return {
    catalog: indexOf(metrics),
    now: NOW,
    evaluate: async (expression) => known([...matching(expression)]),
  };
}

const at = (ms: number) => ms / 1000;

describe('the pods of a workload', () => {
  const pod = (id: string) => ({ pod: `oven-6d8f4c9-${id}`, container: 'main' });
  const cluster = {
    kube_pod_container_status_restarts_total: [
      series(pod('x2v9k'), NOW, 3, 4, 4, 0, 2),
      series(pod('b7n4t'), NOW, 5, 5, 5, 5, 5),
      series({ pod: 'till-0', container: 'main' }, NOW, 1),
    ],
    kube_pod_status_ready: [
      series({ ...pod('x2v9k'), condition: 'true' }, NOW, 0),
      series({ ...pod('b7n4t'), condition: 'true' }, NOW, 1),
    ],
    kube_pod_container_status_waiting_reason: [
      series({ ...pod('x2v9k'), reason: 'CrashLoopBackOff' }, NOW, 1),
      series({ ...pod('b7n4t'), reason: 'ImagePullBackOff' }, NOW, 0),
    ],
    kube_pod_container_status_last_terminated_reason: [
      series({ ...pod('x2v9k'), reason: 'OOMKilled' }, NOW, 1),
    ],
  };
  const view = { node: () => undefined };

  it('are as ready as they say, and restarted as often as counters rose, or began anew', async () => {
    const since = NOW - 4 * MINUTE;
    expect(await workloadOf('oven', since, { ...exported(cluster), view })).toEqual({
      service: 'oven',
      pods: 2,
      ready: { count: 1, of: 2 },
      restarts: { count: 3, since, last: NOW },
      waiting: ['CrashLoopBackOff'],
      ended: ['OOMKilled'],
    });
  });

  it('are as many as the deployment wants, where it says so', async () => {
    const deployment = { deployment: 'oven' };
    const facts = exported({
      ...cluster,
      kube_deployment_spec_replicas: [series(deployment, NOW, 3)],
      kube_deployment_status_replicas_available: [series(deployment, NOW, 1)],
    });
    const found = await workloadOf('oven', NOW, { ...facts, view });
    expect(found?.ready).toEqual({ count: 1, of: 3 });
  });

  it('of what has none, nothing is said', async () => {
    expect(await workloadOf('mill', NOW, { ...exported(cluster), view })).toBeNull();
  });

  it('that restarted are listed with their reasons, where restarts are exported', async () => {
    const [kind] = cluster.kube_pod_container_status_restarts_total;
    const restarts = exported({
      ...cluster,
      kube_pod_container_status_restarts_total: kind === undefined ? [] : [kind],
    });
    expect(await restartsSince(NOW - 60 * MINUTE, restarts)).toEqual([
      { pod: 'oven-6d8f4c9-x2v9k', count: 2, ended: 'OOMKilled' },
    ]);
    expect(await restartsSince(NOW - 60 * MINUTE, exported({}))).toBeNull();
  });
});

describe('the runs of a job', () => {
  const run = (id: string) => ({ job_name: `nightly-${id}` });
  const [first, last] = [NOW - 24 * 60 * MINUTE, NOW - 30 * MINUTE];
  const ended = NOW - 23 * 60 * MINUTE;
  const cluster = {
    kube_cronjob_status_last_schedule_time: [series({ cronjob: 'nightly' }, NOW, at(last))],
    kube_job_status_start_time: [
      series(run('29930400'), NOW, at(first)),
      series(run('29931840'), NOW, at(last)),
    ],
    kube_job_status_completion_time: [series(run('29930400'), NOW, at(ended))],
    kube_job_complete: [series({ ...run('29930400'), condition: 'true' }, NOW, 1)],
    kube_job_status_failed: [
      series({ ...run('29931840'), reason: 'BackoffLimitExceeded' }, NOW, 1),
      series({ ...run('29930400'), reason: 'DeadlineExceeded' }, NOW, 0),
    ],
  };

  it('are as the last of them went, with the last that succeeded', async () => {
    expect(await runsOf('did nightly run?', [], exported(cluster))).toEqual({
      name: 'nightly',
      started: last,
      state: 'failed',
      reason: 'BackoffLimitExceeded',
      succeeded: ended,
    });
  });

  it.each([
    ['running', { kube_job_status_failed: [series(run('29931840'), NOW, 0)] }],
    ['complete', { kube_job_complete: [series({ ...run('29931840'), condition: 'true' }, NOW, 1)] }],
    [null, {}],
  ] as const)('are %s where that is exported', async (state, more) => {
    const { kube_job_status_failed: _, ...others } = cluster;
    const found = await runsOf('did nightly run?', [], exported({ ...others, ...more }));
    expect(found).toMatchObject({ state, reason: null });
  });

  it('are told by the program itself, where it exports when it began and ended', async () => {
    const own = exported({
      ledger_last_run_timestamp_seconds: [series({}, NOW, at(last))],
      ledger_last_success_timestamp_seconds: [series({}, NOW, at(ended))],
    });
    expect(await runsOf('did the ledger run?', [], own)).toEqual({
      name: 'ledger',
      started: last,
      state: null,
      reason: null,
      succeeded: ended,
    });
    expect(await runsOf('did the mill run?', [], own)).toBeNull();
  });
});
