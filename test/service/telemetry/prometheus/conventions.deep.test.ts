import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/lib/clock.ts';
import { createBudget } from '../../../../src/service/telemetry/budget.ts';
import {
  createPrometheusClient,
  type PrometheusClient,
} from '../../../../src/service/telemetry/prometheus/client.ts';
import { CONVENTIONS, signalQueriesOf } from '../../../../src/service/telemetry/prometheus/conventions.ts';
import { regrouped } from '../../../../src/service/telemetry/prometheus/expression.ts';
import {
  INSTANCE_LABELS,
  labelsOf,
  type ServiceLabels,
} from '../../../../src/service/telemetry/prometheus/promql.ts';
import { History } from '../../../support/prometheus/history.ts';
import {
  hasPrometheus,
  startPrometheus,
  type TestPrometheus,
} from '../../../support/prometheus/prometheus.ts';

const byInstance = (query: string, place: ServiceLabels) =>
  regrouped(query, labelsOf(place), { more: INSTANCE_LABELS });

/** Has every name: what a convention asks about is there. */
class EveryName extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/** Of those that look through all names. Recorded metrics count only where those that they were made of are not kept. */
const NAMES = new Map([
  ['recording rules', ['job:http_requests:rate5m', 'job:http_request_errors:ratio_rate5m']],
  [
    'runtimes',
    ['jvm_memory_used_bytes', 'jvm_memory_max_bytes', 'jvm_gc_pause_seconds_sum', 'jvm_gc_overhead'],
  ],
]);
/** What a convention asks about. */
const namesFor = ({ name }: (typeof CONVENTIONS)[number]) =>
  NAMES.has(name) ? new Set(NAMES.get(name)) : new EveryName();

const offers = CONVENTIONS.flatMap((convention) =>
  signalQueriesOf(convention, namesFor(convention)).map((offer) => ({
    convention: convention.name,
    ...offer,
  })),
);

describe('the conventions', () => {
  it('have names of their own', () => {
    expect(new Set(CONVENTIONS.map(({ name }) => name)).size).toBe(CONVENTIONS.length);
  });

  it.each(CONVENTIONS)(
    '$name: offers something where its metrics are, and nothing where they are not',
    (convention) => {
      expect(signalQueriesOf(convention, namesFor(convention)).length).toBeGreaterThan(0);
      expect(signalQueriesOf(convention, new Set())).toEqual([]);
      expect(signalQueriesOf(convention, new Set(['some_other_metric_total', 'go_goroutines']))).toEqual([]);
    },
  );

  it.each(offers.filter(({ edge }) => edge === undefined))(
    '$convention: $label can be asked of each instance',
    ({ query, place }) => {
      expect(byInstance(query('2m'), place)).toMatch(/by \((?=[^)]*\bpod\b)[^)]*\binstance\b[^)]*\)/u);
    },
  );

  it.each(offers)('$convention: $label has a unit that fits what it measures', ({ measure, unit, place }) => {
    if (measure === 'latency') expect(['s', 'ms', 'us']).toContain(unit);
    if (['errors', 'success', 'throttling', 'cache-hits'].includes(measure)) expect(unit).toBe('1');
    if (measure === 'requests') expect(unit).toMatch(/^\{\w+\}\/s$/u);
    expect(place.labels.length).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasPrometheus())('every query of the conventions', () => {
  let prometheus: TestPrometheus;
  let client: PrometheusClient;
  const now = Date.UTC(2026, 5, 1);

  beforeAll(async () => {
    const history = new History({ from: now - 600_000, to: now }).gauge('up', { job: 'x' }, () => 1);
    prometheus = await startPrometheus(history);
    client = createPrometheusClient({ title: 'Prometheus', variable: 'PROMETHEUS', url: prometheus.url });
  });
  afterAll(async () => {
    await client?.close();
    await prometheus?.stop();
  });

  it.each(offers)('$convention: $label is one that Prometheus evaluates', async ({ query, limit, place }) => {
    const budget = createBudget({ requests: 10, ms: 60_000 }, { clock: systemClock });
    const expressions = [query('2m'), byInstance(query('2m'), place), ...(limit ? [limit('2m')] : [])];
    for (const expression of expressions) {
      const answer = await client.query(expression, now, budget);
      expect({ expression, answer }).toMatchObject({ answer: { known: true } });
    }
    budget.end();
  });
});
