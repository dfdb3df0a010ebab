import { describe, expect, it } from 'vitest';
import { known, type Window } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { type PastProblem, pastAlert, problemsOf } from '../../../src/service/trial/past-alert.ts';
import { investigatePast, investigateThen, LATER } from '../../../src/service/trial/trial.ts';
import { type MadeSystem, madeSource } from '../../support/made-source.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { answerOf } from '../../support/telemetry.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 5, 1, 12);
/** The database slows down six minutes before the alert. */
const ONSET = NOON - 6 * MINUTE;
/** What nobody could know two minutes after the alert. */
const FUTURE = NOON + LATER + 1;

const wave = (at: number) => 1 + 0.1 * Math.sin(at / 700_000);
const past = (at: number, was: number, is: number, becomes: number) =>
  (at >= FUTURE ? becomes : at >= ONSET ? is : was) * wave(at);

/** A shop whose database is at fault, and in which later everything else breaks as well. */
function system(withFuture: boolean): MadeSystem {
  const end = withFuture ? Number.POSITIVE_INFINITY : FUTURE;
  const upTo = (value: (at: number) => number) => (at: number) => (at < end ? value(at) : null);
  return {
    services: [{ name: 'orders' }, { name: 'orders-db', kind: 'database' }, { name: 'search' }],
    edges: [{ caller: 'orders', callee: 'orders-db' }],
    metrics: [
      { service: 'orders', measure: 'latency', unit: 'ms', at: upTo((at) => past(at, 80, 900, 80)) },
      { service: 'orders', measure: 'errors', unit: '1', at: upTo((at) => past(at, 0.002, 0.15, 0.9)) },
      { service: 'orders-db', measure: 'latency', unit: 'ms', at: upTo((at) => past(at, 5, 600, 5)) },
      { service: 'search', measure: 'errors', unit: '1', at: upTo((at) => past(at, 0.001, 0.001, 0.95)) },
      { service: 'search', measure: 'latency', unit: 'ms', at: upTo((at) => past(at, 40, 40, 9_000)) },
    ],
    changes: withFuture
      ? [
          {
            at: FUTURE + MINUTE,
            service: 'orders-db',
            kind: 'deploy',
            title: 'a hotfix',
            version: '2.0.1',
            ref: null,
            url: null,
            details: null,
          },
        ]
      : [],
  };
}

/** It answers for a day more than it was asked for, as no source should. */
function leaking(source: TelemetrySource): TelemetrySource {
  const more = ({ from, to }: Window) => ({ from, to: to + 24 * 60 * MINUTE });
  return {
    ...source,
    series: (query, window, budget) => source.series(query, more(window), budget),
    logs: (service, window, budget) => source.logs(service, more(window), budget),
    changes: (window, budget) => source.changes(more(window), budget),
  };
}

const PROBLEM: PastProblem = {
  ...pastAlert(
    { name: 'OrdersSlow', labels: { alertname: 'OrdersSlow', service: 'orders' }, from: NOON, to: null },
    known([]),
  ),
  again: [],
};
const clock = manualClock(NOON + 14 * 24 * 60 * MINUTE);
const options = { limits: { requests: 300, ms: MINUTE }, clock, stop: new AbortController().signal };

/** What it says, without the names of the artifacts, which are new each time. */
async function verdictOn(source: TelemetrySource) {
  const row = await investigateThen(source, PROBLEM, options);
  const text = JSON.stringify(row);
  const ids = new Map(row.sources.map(({ artifact }, i) => [artifact, `artifact ${i}`]));
  return JSON.parse([...ids].reduce((all, [id, name]) => all.replaceAll(id, name), text));
}

describe('an alert of the past', () => {
  it('gets the verdict that it would have got then, whatever came later', async () => {
    const then = await verdictOn(madeSource(system(false)));
    expect(then).toMatchObject({ place: 'orders-db', verdict: expect.stringContaining('orders-db') });
    expect(await verdictOn(madeSource(system(true)))).toEqual(then);
    expect(await verdictOn(leaking(madeSource(system(true))))).toEqual(then);
  });

  it('is never asked about later than two minutes after its start', async () => {
    let latest = 0;
    const source = madeSource(system(true));
    const watched: TelemetrySource = {
      ...source,
      series: (query, window, budget) => {
        latest = Math.max(latest, window.to);
        return source.series(query, window, budget);
      },
      changes: (window, budget) => {
        latest = Math.max(latest, window.to);
        return source.changes(window, budget);
      },
    };
    await investigateThen(watched, PROBLEM, options);
    expect(latest).toBeGreaterThan(NOON);
    expect(latest).toBeLessThanOrEqual(NOON + LATER + 1);
  });

  it('is looked at again two minutes later where the first look came too early, as the service does', async () => {
    const justBegun = { ...PROBLEM, from: ONSET + 20_000 };
    const moments = new Set<number>();
    const source = madeSource(system(false));
    await investigateThen(
      {
        ...source,
        recent: async ({ to }, budget) => {
          const signals = await answerOf(source.signals({ from: 0, to }, budget));
          const lately = { from: to - 30 * MINUTE, to };
          return source.series({ signals: signals.map(({ id }) => id), stepMs: 15_000 }, lately, budget);
        },
        changes: (window, budget) => {
          moments.add(window.to - 1);
          return source.changes(window, budget);
        },
      },
      justBegun,
      options,
    );
    expect([...moments]).toEqual([justBegun.from, justBegun.from + LATER]);
  });

  it('is not investigated again if an earlier run did', async () => {
    const second = { ...PROBLEM, from: NOON + MINUTE };
    const done = await investigateThen(madeSource(system(false)), PROBLEM, options);
    const rows = [];
    for await (const { row, ...progress } of investigatePast(madeSource(system(false)), [PROBLEM, second], {
      ...options,
      done: [done],
    }))
      rows.push({ from: row.from, ...progress });
    expect(rows).toEqual([{ from: second.from, done: 2, of: 2, leftSeconds: 0 }]);
  });
});

describe('alerts that fire again', () => {
  const fired = (from: number, to: number | null, service = 'orders') =>
    pastAlert({ name: 'Slow', labels: { alertname: 'Slow', service }, from, to }, known([]));

  const told = (all: Parameters<typeof problemsOf>[0]) =>
    problemsOf(all).map(({ from, service, again }) => [from / MINUTE, service, again.length]);

  it('are looked at anew once their recovery has held, twice within half an hour, by all of their labels', () => {
    const all = [
      fired(0, 5 * MINUTE),
      fired(10 * MINUTE, 12 * MINUTE),
      fired(20 * MINUTE, null, 'search'),
      fired(21 * MINUTE, 22 * MINUTE),
      fired(41 * MINUTE, 42 * MINUTE),
      fired(90 * MINUTE, null),
    ];
    expect(told(all)).toEqual([
      [0, 'orders', 0],
      [10, 'orders', 1],
      [20, 'search', 0],
      [41, 'orders', 0],
      [90, 'orders', 0],
    ]);
  });

  it('are the same where they pause for less, or nothing says when they ended', () => {
    const short = [fired(0, 5 * MINUTE), fired(6 * MINUTE, 8 * MINUTE)];
    expect(told(short)).toEqual([[0, 'orders', 1]]);
    expect(told([fired(0, null), fired(20 * MINUTE, null)])).toEqual([[0, 'orders', 1]]);
  });

  it('are described by their labels, and by what their rule says of them', () => {
    const rule = {
      name: 'Slow',
      expression: 'x',
      threshold: null,
      labels: {},
      annotations: { summary: '{{ $labels.service }} takes {{ $value | humanize }}' },
      heldFor: 0,
    };
    const { description } = pastAlert(
      { name: 'Slow', labels: { alertname: 'Slow', service: 'orders' }, from: 0, to: null },
      known([rule]),
    );
    expect(description).toBe(
      'Labels:\n - alertname = Slow\n - service = orders\nAnnotations:\n - summary = orders takes …',
    );
  });
});
