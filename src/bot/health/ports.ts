import type { RequestListener } from 'node:http';
import type { Metrics } from '../../lib/metrics.ts';
import type { Health } from './health.ts';
import { healthListener, type Listening, listen, notFound, probeListener } from './server.ts';

/**
 * Serves everything on one port, or metrics and health details on a second one; the first then answers probes with a
 * bare status.
 */
export async function serve(
  { port, host, metricsPort }: { port: number; host: string; metricsPort: number | null },
  health: Health,
  metrics: Metrics,
  events: RequestListener | null,
  webhooks: RequestListener = notFound,
): Promise<Listening[]> {
  const slack: RequestListener = (req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const listener = path === '/slack/events' ? events : path.startsWith('/alerts/') ? webhooks : null;
    if (listener === null) return notFound(req, res);
    // During startup and shutdown, the sender should try again later.
    if (health.phase !== 'running') return void res.writeHead(503, { 'retry-after': '5' }).end();
    listener(req, res);
  };
  if (metricsPort === null) return [await listen(healthListener(health, metrics, slack), port, host)];
  const main = await listen(probeListener(health, slack), port, host);
  try {
    return [main, await listen(healthListener(health, metrics, notFound), metricsPort, host, 'METRICS_PORT')];
  } catch (error) {
    await main.close();
    throw error;
  }
}
