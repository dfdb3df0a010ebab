import type { Config } from '../../bot/config.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';

const PATIENCE_MS = 15_000;
const NAME = 'OpenTelemetry';

/** Whether the receiver of the traces accepts an export without spans. */
export async function checkTracing(tracing: Config['tracing']): Promise<CheckResult[]> {
  if (tracing === null) return [];
  try {
    const response = await fetch(`${tracing.endpoint.replace(/\/+$/u, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...tracing.headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok) return [passed(NAME, 'the receiver accepts traces')];
    const fix =
      response.status === 401 || response.status === 403
        ? 'check OTEL_EXPORTER_OTLP_HEADERS'
        : 'check OTEL_EXPORTER_OTLP_ENDPOINT: v1/traces must be below it, for OTLP over HTTP (often port 4318)';
    return [failed(NAME, `the receiver answers with ${response.status}`, fix)];
  } catch {
    return [
      failed(NAME, 'the receiver cannot be reached', 'check OTEL_EXPORTER_OTLP_ENDPOINT and that it is up'),
    ];
  }
}
