import type { Format, WebhookFormat } from '../format.ts';
import { contentOf, SlackMessage } from '../message.ts';
import { withRunbookOf } from '../runbook.ts';
import { type Alert, emptyAlert } from '../types.ts';
import { alertmanager } from './alertmanager.ts';
import { amazonq } from './amazonq.ts';
import { argocd } from './argocd.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { botkube } from './botkube.ts';
import { bugsnag } from './bugsnag.ts';
import { datadog } from './datadog.ts';
import { falco } from './falco.ts';
import { gatus } from './gatus.ts';
import { generic } from './generic/index.ts';
import { createGenericWebhook, type FieldMap } from './generic/webhook.ts';
import { githubActions } from './github-actions.ts';
import { grafana } from './grafana.ts';
import { healthchecks } from './healthchecks.ts';
import { honeycomb } from './honeycomb.ts';
import { jenkins } from './jenkins.ts';
import { kibana } from './kibana.ts';
import { kubewatch } from './kubewatch.ts';
import { netdata } from './netdata.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { robusta } from './robusta.ts';
import { rollbar } from './rollbar.ts';
import { sentry } from './sentry.ts';
import { splunk } from './splunk.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { uptimerobot } from './uptimerobot.ts';

/** Every format, in the order they are tried. The generic one reads what the others do not, so it stays last. */
export const formats: readonly Format[] = [
  alertmanager,
  grafana,
  datadog,
  sentry,
  netdata,
  uptimeKuma,
  healthchecks,
  uptimerobot,
  gatus,
  aws,
  amazonq,
  azure,
  pagerduty,
  opsgenie,
  honeycomb,
  splunk,
  rollbar,
  bugsnag,
  robusta,
  argocd,
  jenkins,
  githubActions,
  kibana,
  falco,
  botkube,
  kubewatch,
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
