import { webhookFormats } from '../../bot/alerts/formats/webhooks.ts';
import type { Config } from '../../bot/config.ts';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { alertmanagerHeaders } from '../../bot/webhooks/alertmanager-headers.ts';
import { createAuthentication } from '../../bot/webhooks/authentication.ts';
import { systemClock } from '../../lib/clock.ts';

const PATIENCE_MS = 15_000;

/** Whether each source that something is configured for is on, and has a route. No call is made. */
export function checkWebhooks({
  webhooks,
  alertRoutes,
}: Pick<Config, 'webhooks' | 'alertRoutes'>): CheckResult[] {
  const { isOn } = createAuthentication({
    settings: webhooks,
    clock: systemClock,
    fetchText: () => Promise.reject(new Error('the doctor fetches no certificates')),
  });
  const known = new Set([...webhookFormats.map(({ name }) => name), ...webhooks.maps.keys()]);
  const routed = new Set(alertRoutes.map(({ source }) => source));
  const named = new Set([...webhooks.secrets.keys(), ...webhooks.maps.keys(), ...routed]);
  if (webhooks.topics.length > 0) named.add('cloudwatch');
  if (webhooks.token !== null) for (const name of known) named.add(name);
  named.delete('*');
  return [...named].sort().map((source) => {
    const name = `webhooks of ${source}`;
    if (!known.has(source)) {
      return failed(
        name,
        'there is no such source',
        `correct its name (${[...known].sort().join(', ')}), or describe its payloads in ALERT_MAP_${source.toUpperCase()}`,
      );
    }
    if (!isOn(source)) {
      const secret =
        source === 'cloudwatch' ? 'ALERT_SNS_TOPICS' : `ALERT_WEBHOOK_SECRET_${source.toUpperCase()}`;
      return failed(
        name,
        'the source is off: no secret is configured for it',
        `set ${secret} or ALERT_WEBHOOK_TOKEN`,
      );
    }
    if (!routed.has(source) && !routed.has('*')) {
      return failed(
        name,
        'no route names a channel for its alerts, so they are kept without being posted',
        `add ${source}->CHANNEL_ID to ALERT_ROUTES`,
      );
    }
    return passed(name, `POST /alerts/${source} takes them`);
  });
}

/** Whether the Alertmanager answers `GET /api/v2/status`. */
export async function checkAlertmanager(alertmanager: Config['alertmanager']): Promise<CheckResult[]> {
  if (alertmanager === null) return [];
  const { url } = alertmanager;
  const name = 'Alertmanager';
  try {
    const response = await fetch(`${url}/api/v2/status`, {
      headers: alertmanagerHeaders(alertmanager),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.ok) return [passed(name, 'it answers')];
    const fix =
      response.status === 401 || response.status === 403
        ? 'check ALERTMANAGER_TOKEN, or ALERTMANAGER_USER and ALERTMANAGER_PASSWORD'
        : 'check ALERTMANAGER_URL: /api/v2/status must be below it';
    return [failed(name, `it answers with ${response.status}`, fix)];
  } catch {
    return [failed(name, 'it cannot be reached', 'check ALERTMANAGER_URL and that it is up')];
  }
}
