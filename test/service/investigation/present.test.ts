import { describe, expect, it } from 'vitest';
import { caseOf } from '../../../src/service/investigation/case.ts';
import { presentOf } from '../../../src/service/investigation/place/departures.ts';
import { locate } from '../../../src/service/investigation/place/locate.ts';
import { explain } from '../../../src/service/investigation/steps/explain.ts';
import { facts } from '../../../src/service/investigation/steps/facts.ts';
import { place } from '../../../src/service/investigation/steps/place.ts';
import type { Change, Edge, Measure, Series } from '../../../src/service/telemetry/model.ts';
import { viewOf } from '../../../src/service/telemetry/view.ts';

const SECOND = 1_000;
const TRIGGER = Date.UTC(2026, 2, 17, 12);
const EDGES: Edge[] = [
  { caller: 'web', callee: 'cart' },
  { caller: 'cart', callee: 'stock' },
];

interface Given {
  service: string;
  measure: Measure;
  /** By seconds before the trigger. */
  value: (ago: number) => number;
  unit?: string;
  limit?: number;
  edge?: Edge;
  /** Seconds of samples. */
  history?: number;
}

function series({ service, measure, value, unit = '1', limit, edge, history = 180 }: Given): Series {
  const agos = Array.from({ length: history / 5 + 1 }, (_, i) => history - i * 5);
  const points = {
    times: Float64Array.from(agos, (ago) => TRIGGER - ago * SECOND),
    values: Float64Array.from(agos, value),
  };
  return {
    signal: { id: measure, name: measure, label: measure, measure, unit, bad: 'high', metricType: 'gauge' },
    service,
    instance: null,
    edge: edge ? { ...edge, side: 'caller' } : null,
    labels: {},
    points,
    limit:
      limit === undefined
        ? null
        : { times: points.times, values: new Float64Array(points.times.length).fill(limit) },
    query: null,
    providerUrl: null,
    provider: 'test',
  };
}

const since = (began: number, usual: number, bad: number) => (ago: number) => (ago <= began ? bad : usual);
const errors = (service: string, value: Given['value']) => [
  series({ service, measure: 'errors', value }),
  series({ service, measure: 'requests', value: () => 6, unit: '{request}/s' }),
];
const latency = (service: string, value: Given['value']) =>
  series({ service, measure: 'latency', value, unit: 's' });

function found(recent: readonly Series[], named = 'web', text = '') {
  const present = presentOf(recent, [], TRIGGER);
  if (present === null) return null;
  const located = locate(present, { named, text, trigger: TRIGGER, edges: EDGES });
  return (
    located && { place: located.place, measure: located.shown.profile.measure, began: began(located.shown) }
  );
}

const began = ({ onset }: { onset: number }) => (TRIGGER - onset) / SECOND;

describe('with three minutes of history, one instance and few requests', () => {
  it('a third of requests failing is a fault within a minute, and begins where it began', () => {
    expect(found(errors('web', since(40, 0.002, 0.3)))).toStrictEqual({
      place: 'web',
      measure: 'errors',
      began: 40,
    });
  });

  it('two failures of eight are none', () => {
    const few = [
      series({ service: 'web', measure: 'errors', value: since(40, 0, 0.25) }),
      series({ service: 'web', measure: 'requests', value: () => 0.4, unit: '{request}/s' }),
    ];
    expect(found(few)).toBeNull();
  });

  it('two percent are a fault where they are of many requests, and chance where they are of few', () => {
    const of = (requests: number) => [
      series({ service: 'web', measure: 'errors', value: since(40, 0.002, 0.02) }),
      series({ service: 'web', measure: 'requests', value: () => requests, unit: '{request}/s' }),
    ];
    expect(found(of(80))).toMatchObject({ place: 'web', measure: 'errors' });
    expect(found(of(8))).toBeNull();
  });

  it('a series that does not move departs from nothing', () => {
    const idle = series({
      service: 'web',
      measure: 'connections',
      value: () => 0,
      limit: 10,
      unit: '{connection}',
    });
    expect(found([idle, ...errors('web', () => 0.002)])).toBeNull();
  });

  it('errors that were all there is are bad without a past to compare with', () => {
    expect(found(errors('web', () => 0.3).map((one) => one))?.place ?? null).toBeNull();
    const young = [
      series({ service: 'web', measure: 'errors', value: () => 0.3, history: 30 }),
      series({ service: 'web', measure: 'requests', value: () => 8, unit: '{request}/s', history: 30 }),
    ];
    expect(found(young)?.place).toBe('web');
  });

  it('an expired certificate is bad, whatever was usual', () => {
    const certificate = series({
      service: 'web',
      measure: 'certificate',
      value: (ago) => ago - 40,
      unit: 's',
    });
    expect(found([certificate, ...errors('web', since(35, 0.002, 0.9))])).toMatchObject({ place: 'web' });
    const present = presentOf([certificate], [], TRIGGER);
    expect(present?.own.get('web')?.map(began)).toEqual([40]);
  });

  it('what is over is not found', () => {
    const over = (ago: number) => (ago <= 120 && ago >= 60 ? 0.3 : 0.002);
    expect(found(errors('web', over))).toBeNull();
  });
});

describe('the place', () => {
  it('is the deepest service that departs itself, for as long as its callers do', () => {
    const slow = [
      latency('web', since(60, 0.05, 0.9)),
      latency('cart', since(60, 0.03, 0.87)),
      latency('stock', since(65, 0.02, 0.8)),
    ];
    expect(found(slow)).toStrictEqual({ place: 'stock', measure: 'latency', began: 65 });
  });

  it('is not a callee that is as before', () => {
    const slow = [
      latency('web', since(60, 0.05, 0.9)),
      latency('cart', since(60, 0.03, 0.87)),
      latency('stock', () => 0.02),
    ];
    expect(found(slow)?.place).toBe('cart');
  });

  it('is not a callee whose problem ended before', () => {
    const before = (ago: number) => (ago <= 170 && ago >= 100 ? 0.8 : 0.02);
    expect(found([latency('web', since(60, 0.05, 0.9)), latency('cart', before)])?.place).toBe('web');
  });

  it('is a callee that is down, by its target and by the calls to it', () => {
    const down = [
      ...errors('web', since(30, 0.002, 0.9)),
      ...errors('cart', since(30, 0.002, 0.9)),
      series({ service: 'stock', measure: 'up', value: since(30, 1, 0), unit: '{instance}' }),
    ];
    expect(found(down)).toStrictEqual({ place: 'stock', measure: 'up', began: 30 });
  });

  it('is a callee that reports nothing, by its caller’s calls', () => {
    const silent = [
      ...errors('web', since(30, 0.002, 0.5)),
      ...errors('cart', since(30, 0.002, 0.5)),
      series({
        service: 'cart',
        measure: 'errors',
        value: since(30, 0, 0.5),
        edge: { caller: 'cart', callee: 'stock' },
      }),
    ];
    expect(found(silent)?.place).toBe('stock');
  });

  it('of a surge is where it enters', () => {
    const requests = (service: string) =>
      series({ service, measure: 'requests', value: since(50, 7, 25), unit: '{request}/s' });
    expect(found([requests('web'), requests('cart'), requests('stock')], 'cart')?.place).toBe('web');
  });

  it('of memory that only grows is the service whose memory it is', () => {
    const grows = (ago: number) => 60e6 + (ago < 60 ? (60 - ago) * 3e6 : 0);
    const memory = series({ service: 'cart', measure: 'memory', value: grows, unit: 'By' });
    expect(found([memory, ...errors('stock', () => 0.002)], 'cart')).toStrictEqual({
      place: 'cart',
      measure: 'memory',
      began: 60,
    });
  });
});

/** The case of an issue about a service, of which no more is known than the newest samples. */
function known(
  recent: readonly Series[],
  named: string,
  {
    began = null,
    changes = [],
    alertedAgo = 0,
  }: { began?: number | null; changes?: readonly Change[]; alertedAgo?: number } = {},
) {
  const view = viewOf({
    window: { from: TRIGGER - 10_800 * SECOND, to: TRIGGER + 1 },
    trigger: TRIGGER,
    services: ['web', 'cart', 'stock'].map((name) => ({
      name,
      kind: 'service',
      aliases: [],
      workload: null,
    })),
    edges: EDGES,
    series: recent,
    recent,
    instances: [],
    logs: [],
    spans: [],
    changes,
    rule: null,
    gaps: [],
  });
  const issue = {
    title: '',
    description: '',
    environment: '',
    triggeredAt: TRIGGER - alertedAgo * SECOND,
    service: named,
    context: {},
  };
  const since = began === null ? null : TRIGGER - began * SECOND;
  const about = { named, unknown: null, text: '', open: new Set<string>(), alerted: [], since };
  return place(facts(caseOf(issue, view, about)));
}

describe("the alert's own measure, with half an hour of history", () => {
  it('says that something is wrong where requests fail, though they are too few to say so themselves', () => {
    const few = [
      series({ service: 'web', measure: 'errors', value: (ago) => (ago === 0 ? 0.3 : 0), history: 1800 }),
      series({ service: 'web', measure: 'requests', value: () => 0.8, unit: '{request}/s', history: 1800 }),
      series({ service: 'cart', measure: 'errors', value: () => 0, history: 1800 }),
    ];
    const placed = (named: string, began?: number) => {
      const { incident } = known(few, named, { began: began ?? null }).placed;
      return incident && { at: incident.symptom, onset: (TRIGGER - incident.primary.onset) / SECOND };
    };
    expect(placed('web')).toBeNull();
    expect(placed('web', 5)).toStrictEqual({ at: 'web', onset: 5 });
    expect(placed('cart', 5)).toBeNull();
  });
});

describe('a look after the alert is over', () => {
  const between = (from: number, to: number) => (ago: number) => (ago <= from && ago > to ? 0.3 : 0.002);
  const version = (to: string, before: string, ago: number): Change => ({
    at: TRIGGER - ago * SECOND,
    service: 'web',
    kind: 'deploy',
    title: `Deploy web ${to}`,
    version: to,
    before,
    ref: null,
    url: null,
    details: null,
  });

  it('is about what went on when it came, and takes the rollback that ended it as proof', () => {
    const changes = [version('1.1.0', '1.0.0', 150), version('1.0.0', '1.1.0', 90)];
    const { placed, changes: seen } = explain(
      known(errors('web', between(145, 80)), 'web', { changes, alertedAgo: 120 }),
    );
    expect(placed.incident?.primary).toMatchObject({
      onset: TRIGGER - 145 * SECOND,
      end: TRIGGER - 80 * SECOND,
    });
    expect(seen.blamed).toMatchObject({
      change: { version: '1.1.0' },
      proof: { kind: 'rollback', at: TRIGGER - 90 * SECOND },
    });
  });

  it('is not about what was over before it came, or came later', () => {
    expect(known(errors('web', between(170, 150)), 'web', { alertedAgo: 100 }).placed.incident).toBeNull();
    expect(known(errors('web', between(90, 60)), 'web', { alertedAgo: 120 }).placed.incident).toBeNull();
  });
});

describe('calls that fail to a service which is well', () => {
  const calls = series({
    service: 'web',
    measure: 'errors',
    value: since(120, 0, 0.3),
    edge: { caller: 'web', callee: 'cart' },
  });
  const recent = [
    ...errors('web', since(120, 0, 0.3)),
    ...errors('cart', () => 0),
    latency('cart', () => 0.02),
    calls,
  ];
  const change = (service: string, ago: number): Change => ({
    at: TRIGGER - ago * SECOND,
    service,
    kind: 'config',
    title: 'timeout 3000 → 20',
    version: null,
    ref: null,
    url: null,
    details: null,
  });
  const explained = (changes: readonly Change[] = []) => {
    const { hypotheses, changes: seen } = explain(known(recent, 'web', { changes }));
    const [best] = hypotheses;
    return {
      best: `${best?.kind.name} at ${best?.candidate.node.name}`,
      says: best?.assessment.observations.map(({ type }) => type),
      suspects: seen.suspects.map(({ service }) => service),
    };
  };

  it('are a broken connection, and after a change of the caller what that came with', () => {
    expect(explained()).toMatchObject({ best: 'broken edge at cart', suspects: [] });
    expect(explained([change('web', 125)])).toStrictEqual({
      best: 'configuration change at web',
      says: ['change', 'metric', 'metric'],
      suspects: ['web'],
    });
  });

  it('are not put down to a change that came after them', () => {
    expect(explained([change('web', 20)])).toMatchObject({ best: 'broken edge at cart', suspects: [] });
  });
});
