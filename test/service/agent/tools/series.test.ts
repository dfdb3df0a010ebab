import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../../src/service/agent/catalog/find.ts';
import { runsOf } from '../../../../src/service/agent/tools/runs.ts';
import { type Reader, rowsOf } from '../../../../src/service/agent/tools/series.ts';
import { restartsSince, startsSince, workloadOf } from '../../../../src/service/agent/tools/workload.ts';
import { known, type Series, unknown } from '../../../../src/service/telemetry/model.ts';
import { readSeries } from '../../../support/read-series.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 4, 12, 15);
const PAST = { from: NOW - 90 * MINUTE, to: NOW - 60 * MINUTE };

describe('what an expression gives', () => {
  const evaluate: Reader['evaluate'] = async (expression, { to }) =>
    known(
      expression === 'limits'
        ? [readSeries({ call: 'StartSession' }, to, 50)]
        : to < NOW
          ? [readSeries({ call: 'startsession' }, to, 1, 2, 9), readSeries({ call: 'Gone' }, to, 4)]
          : [
              readSeries({ call: 'StartSession' }, to, 7, 8),
              readSeries({ call: 'startsession' }, to, 3),
              readSeries({ call: 'Ended' }, to - 11 * MINUTE, 6),
              readSeries({ call: 'None' }, to, Number.NaN),
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
      readSeries(pod('x2v9k'), NOW, 3, 4, 4, 0, 2),
      readSeries(pod('b7n4t'), NOW, 5, 5, 5, 5, 5),
      readSeries({ pod: 'till-0', container: 'main' }, NOW, 1),
    ],
    kube_pod_status_ready: [
      readSeries({ ...pod('x2v9k'), condition: 'true' }, NOW, 0),
      readSeries({ ...pod('b7n4t'), condition: 'true' }, NOW, 1),
    ],
    kube_pod_container_status_waiting_reason: [
      readSeries({ ...pod('x2v9k'), reason: 'CrashLoopBackOff' }, NOW, 1),
      readSeries({ ...pod('b7n4t'), reason: 'ImagePullBackOff' }, NOW, 0),
    ],
    kube_pod_container_status_last_terminated_reason: [
      readSeries({ ...pod('x2v9k'), reason: 'OOMKilled' }, NOW, 1),
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
      kube_deployment_spec_replicas: [readSeries(deployment, NOW, 3)],
      kube_deployment_status_replicas_available: [readSeries(deployment, NOW, 1)],
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
    kube_cronjob_status_last_schedule_time: [readSeries({ cronjob: 'nightly' }, NOW, at(last))],
    kube_job_status_start_time: [
      readSeries(run('29930400'), NOW, at(first)),
      readSeries(run('29931840'), NOW, at(last)),
    ],
    kube_job_status_completion_time: [readSeries(run('29930400'), NOW, at(ended))],
    kube_job_complete: [readSeries({ ...run('29930400'), condition: 'true' }, NOW, 1)],
    kube_job_status_failed: [
      readSeries({ ...run('29931840'), reason: 'BackoffLimitExceeded' }, NOW, 1),
      readSeries({ ...run('29930400'), reason: 'DeadlineExceeded' }, NOW, 0),
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
    ['running', { kube_job_status_failed: [readSeries(run('29931840'), NOW, 0)] }],
    ['complete', { kube_job_complete: [readSeries({ ...run('29931840'), condition: 'true' }, NOW, 1)] }],
    [null, {}],
  ] as const)('are %s where that is exported', async (state, more) => {
    const { kube_job_status_failed: _, ...others } = cluster;
    const found = await runsOf('did nightly run?', [], exported({ ...others, ...more }));
    expect(found).toMatchObject({ state, reason: null });
  });

  it('are told by the program itself, where it exports when it began and ended', async () => {
    const own = exported({
      ledger_last_run_timestamp_seconds: [readSeries({}, NOW, at(last))],
      ledger_last_success_timestamp_seconds: [readSeries({}, NOW, at(ended))],
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

describe('what has started since then', () => {
  const boot = { name: 'node_boot_time_seconds', type: 'gauge', help: '', unit: 's', labels: {} } as const;
  const since = NOW - 60 * MINUTE;
  const facts = (evaluate: Reader['evaluate']): Reader => ({ catalog: indexOf([boot]), now: NOW, evaluate });

  it('is found by its own start time, the newest first', async () => {
    const asked: string[] = [];
    const evaluate: Reader['evaluate'] = async (expression) => {
      asked.push(expression);
      return known(
        [50, 1].map((ago) =>
          readSeries({ instance: `box-${ago}`, job: 'node' }, NOW, (NOW - ago * MINUTE) / 1000),
        ),
      );
    };
    expect(await startsSince(since, facts(evaluate))).toEqual([
      { of: 'box-1 (node)', at: NOW - MINUTE },
      { of: 'box-50 (node)', at: NOW - 50 * MINUTE },
    ]);
    expect(asked).toEqual([
      `max by (pod, instance, exported_job, job) ({__name__=~"node_boot_time_seconds"}) > ${since / 1000}`,
    ]);
  });

  it('is not known, and not none, where nothing says so or it cannot be read', async () => {
    const unread: Reader['evaluate'] = async () => unknown('It timed out.');
    expect(await startsSince(since, facts(unread))).toBeNull();
    const without = { ...facts(async () => known([])), catalog: indexOf([]) };
    expect(await startsSince(since, without)).toBeNull();
  });
});
