import type { WebhookFormat } from '../webhook-format.ts';
import { alertmanagerWebhook } from './alertmanager/webhook.ts';

/** Every source whose webhooks are understood without a field map. */
export const webhookFormats: readonly WebhookFormat[] = [alertmanagerWebhook];

/** The format of a source; `null` if there is none of this name. */
export function webhookFormatNamed(name: string): WebhookFormat | null {
  return webhookFormats.find((format) => format.name === name) ?? null;
}
