import type { Lifecycle } from '../../lib/lifecycle.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { programVersion } from '../../lib/version.ts';
import type { CompleteConfig } from './common.ts';

/** Starts tracing if it is configured; the libraries are only loaded then. */
export async function composeTracing({
  config,
  log,
  metrics,
  lifecycle,
}: {
  config: CompleteConfig;
  log: Logger;
  metrics: Metrics;
  lifecycle: Lifecycle;
}): Promise<void> {
  if (config.tracing === null) return;
  const { startTracing } = await import('../../lib/tracing/otlp.ts');
  const tracing = startTracing({
    ...config.tracing,
    version: programVersion(),
    onLost: (error, spans) => {
      metrics.count('gumshoe_spans_lost_total', {}, spans);
      log.warn({ err: error, spans }, 'could not send traces; check OTEL_EXPORTER_OTLP_ENDPOINT');
    },
  });
  lifecycle.onStop('tracing', () => tracing.stop());
}
