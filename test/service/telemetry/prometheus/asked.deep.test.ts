import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../../src/lib/clock.ts';
import { investigate } from '../../../../src/service/investigation/investigate.ts';
import { type Budget, createBudget } from '../../../../src/service/telemetry/budget.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import type { TelemetrySource } from '../../../../src/service/telemetry/source.ts';
import {
  type Asked,
  pointsAsked,
  type WatchedSource,
  watchSource,
} from '../../../bench/systems/watched-source.ts';
import { hasPrometheus, startPrometheus } from '../../../support/prometheus/prometheus.ts';
import { SCENARIOS } from '../../../support/prometheus/scenarios/index.ts';

const TRIGGERED_AT = Date.UTC(2026, 9, 14, 13, 20);
const PREFIX = '/tenants/grid/prometheus';

/** What undici says of a request, before it is sent. */
const Sent = z.object({ request: z.object({ origin: z.union([z.string(), z.instanceof(URL)]) }) });

/** Counts the requests sent to an address, those included that never arrive: a busy machine may not connect in time. */
function countSent(origin: string): { sent: number; stop(): void } {
  const count = (message: unknown) => {
    if (new URL(Sent.parse(message).request.origin).origin === origin) counter.sent++;
  };
  const counter = { sent: 0, stop: () => void unsubscribe('undici:request:create', count) };
  subscribe('undici:request:create', count);
  return counter;
}

/** What a whole system is asked, behind a path prefix. */
async function askedBy(work: (source: TelemetrySource, budget: Budget) => Promise<unknown>) {
  const system = SCENARIOS.find(({ name }) => name.includes('used up'));
  if (system === undefined) throw new Error('There is no such system.');
  const prometheus = await startPrometheus(system.make(TRIGGERED_AT).history);
  const watched = await watchSource(prometheus.url, PREFIX);
  const clock = { ...systemClock, now: () => TRIGGERED_AT };
  const source = createPrometheusSource({ url: `${watched.url}/` }, { clock });
  const budget = createBudget({ requests: 300, ms: 60_000 }, { clock: systemClock });
  const counter = countSent(new URL(watched.url).origin);
  try {
    await work(source, budget);
  } finally {
    counter.stop();
    budget.end();
    await source.close();
    await watched.close();
    await prometheus.stop();
  }
  return { watched, sent: counter.sent, spent: budget.spent() };
}

function isAllowed({ method, path }: Asked): boolean {
  return (
    ['GET', 'POST'].includes(method) &&
    (path === `${PREFIX}/-/ready` || path.startsWith(`${PREFIX}/api/v1/`)) &&
    !path.startsWith(`${PREFIX}/api/v1/admin/`)
  );
}

function expectModest({ asked, mostAtOnce }: WatchedSource): void {
  expect(asked.filter((one) => !isAllowed(one))).toEqual([]);
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
  expect(mostAtOnce()).toBeLessThanOrEqual(8);
  expect(Math.max(...asked.map(pointsAsked))).toBeLessThanOrEqual(200);
}

describe.skipIf(!hasPrometheus())('of Prometheus, behind a path prefix,', () => {
  let whole: Awaited<ReturnType<typeof askedBy>>;

  beforeAll(async () => {
    const context = { tags: ['namespace:lab', 'deployment:assay-runner'] };
    whole = await askedBy((source, budget) =>
      investigate(
        {
          title: 'SlowRequests',
          description: '',
          environment: 'production',
          triggeredAt: TRIGGERED_AT,
          service: null,
          context,
        },
        source,
        { id: randomUUID, now: TRIGGERED_AT, budget },
      ),
    );
  });

  it('an investigation uses GET and POST below /api/v1/ alone, eight at a time at most', () => {
    expectModest(whole.watched);
    expect(whole.watched.asked.length).toBeGreaterThan(20);
  });

  it('an investigation asks as often as its budget counts', () => {
    expect(whole.sent).toBe(whole.spent.requests);
    expect(whole.watched.received()).toBeLessThanOrEqual(whole.sent);
    expect(whole.spent.requests).toBeLessThanOrEqual(300);
  });

  it('an investigation asks nothing later than the moment of the alert', () => {
    const ends = whole.watched.asked.flatMap(({ parameters: { end, time } }) => [end, time]);
    const latest = Math.max(...ends.map((text) => Number(text ?? 0)));
    expect(latest).toBeLessThanOrEqual((TRIGGERED_AT + 1) / 1000);
  });

  it('the check behind npm run doctor and /readyz uses no more', async () => {
    const { watched } = await askedBy((source, budget) => source.check(budget));
    expectModest(watched);
  });
});
