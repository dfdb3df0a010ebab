import { Hono } from 'hono';
import type { Clock } from '../../lib/clock.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { onBudget } from '../telemetry/budget.ts';
import type { SourceHealth, TelemetrySource } from '../telemetry/source.ts';

interface OperationsOptions {
  sources: SourceChecks;
  metrics: ServiceMetrics;
  /** Why the database does not accept writes; null if it does. */
  problem: () => Promise<string | null>;
}

/** How long a check of the sources is cached: probes come every few seconds, and each check costs requests. */
const KEEP_MS = 30_000;
const CHECK_LIMITS = { requests: 120, ms: 5_000 };

/** Whether each source answers, as of half a minute ago at most. */
export type SourceChecks = () => Promise<readonly SourceHealth[]>;

export function createSourceChecks(telemetry: TelemetrySource, clock: Clock): SourceChecks {
  let checked: { at: number; health: Promise<SourceHealth> } | null = null;
  return async () => {
    const now = clock.now();
    if (checked === null || now - checked.at > KEEP_MS)
      checked = { at: now, health: onBudget(CHECK_LIMITS, { clock }, telemetry.check) };
    const health = await checked.health;
    return health.parts ?? [health];
  };
}

/**
 * `/healthz`, `/readyz` and `/metrics`, without a key. Ready means that issues can be accepted; a failing source only
 * degrades it, since investigations continue with the others.
 */
export function operations({ sources, metrics, problem }: OperationsOptions): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const [checked, wrong] = await Promise.all([sources(), problem()]);
    const reasons = wrong === null ? [] : [wrong];
    const degraded = checked.flatMap(({ ok, summary }) => (ok ? [] : [summary]));
    const body = { ready: reasons.length === 0, reasons, degraded };
    return c.json(body, body.ready ? 200 : 503);
  });
  app.get('/metrics', async (c) => c.text(await metrics.text()));
  return app;
}
