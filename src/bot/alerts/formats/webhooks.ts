import type { WebhookFormat } from '../webhook-format.ts';
import { alertmanagerWebhook } from './alertmanager/webhook.ts';
import { cloudwatchWebhook } from './aws/webhook.ts';
import { datadogWebhook } from './datadog/webhook.ts';
import { genericWebhook } from './generic/webhook.ts';
import { grafanaWebhook } from './grafana/webhook.ts';
import { opsgenieWebhook } from './opsgenie/webhook.ts';
import { pagerdutyWebhook } from './pagerduty/webhook.ts';
import { sentryWebhook } from './sentry/webhook.ts';

/** Every source whose webhooks are understood; a field map (`ALERT_MAP_<NAME>`) adds others. */
export const webhookFormats: readonly WebhookFormat[] = [
  alertmanagerWebhook,
  grafanaWebhook,
  pagerdutyWebhook,
  datadogWebhook,
  sentryWebhook,
  opsgenieWebhook,
  cloudwatchWebhook,
  genericWebhook,
];

/** The format of a source; `null` if there is none of this name. */
export function webhookFormatNamed(name: string): WebhookFormat | null {
  return webhookFormats.find((format) => format.name === name) ?? null;
}
