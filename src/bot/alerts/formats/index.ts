import type { Format, WebhookFormat } from '../format.ts';
import { contentOf, SlackMessage } from '../message.ts';
import { formatOf } from '../row.ts';
import { withRunbookOf } from '../runbook.ts';
import { type Alert, emptyAlert } from '../types.ts';
import { alertmanager } from './alertmanager.ts';
import { aws } from './aws.ts';
import { datadog } from './datadog.ts';
import { generic } from './generic/index.ts';
import { createGenericWebhook, type FieldMap } from './generic/webhook.ts';
import { grafana } from './grafana.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { sentry } from './sentry.ts';
import { table } from './table.ts';

/** Every format, in the order they are tried. The generic one reads what the others do not, so it stays last. */
export const formats: readonly Format[] = [
  alertmanager,
  grafana,
  datadog,
  sentry,
  aws,
  pagerduty,
  opsgenie,
  ...table.map((row) => formatOf(row)),
  generic,
];

/** What the first format makes of a message that claims it. */
export function readMessage(message: SlackMessage): Alert {
  const content = contentOf(message);
  for (const format of formats) {
    const alert = format.extract(content);
    if (alert) return withRunbookOf(alert, content);
  }
  return emptyAlert('generic');
}

/** A source with a field map (`ALERT_MAP_<NAME>`). */
export function mappedSource(name: string, map: FieldMap | null): WebhookFormat {
  return createGenericWebhook(name, map, (message) => {
    const sent = SlackMessage.safeParse({ ...message, subtype: 'bot_message', bot_id: 'B0' });
    return sent.success ? readMessage(sent.data) : null;
  });
}

/** Every source whose webhooks are understood; a field map adds others. */
export const webhookFormats: readonly WebhookFormat[] = [
  ...formats.flatMap(({ webhook }) => webhook ?? []),
  mappedSource('generic', null),
];

/** The format of a source; `null` if there is none of this name. */
export function webhookFormatNamed(name: string): WebhookFormat | null {
  return webhookFormats.find((format) => format.name === name) ?? null;
}
