import { z } from 'zod';
import { emptyAlert } from '../../empty-alert.ts';
import { moment, receivedAlert, scalarText, webUrl } from '../../payload.ts';
import { severityOf } from '../../severity.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import { queryParameter } from '../../urls.ts';
import type { WebhookReading } from '../../webhook-format.ts';
import { stableUrl } from './issue-links.ts';
import { metricFingerprint, ruleIn } from './metric.ts';

const Rule = z
  .object({ id: scalarText, name: scalarText, environment: scalarText })
  .catch({ id: '', name: '', environment: '' });
const Incident = z.object({
  identifier: scalarText,
  title: scalarText,
  date_started: moment,
  projects: z.array(scalarText).catch([]),
  alert_rule: Rule,
});
const Data = z.object({
  metric_alert: Incident,
  description_title: scalarText,
  description_text: scalarText,
  web_url: webUrl,
});

/** A metric alert; `null` if the webhook is about none. Its identity is that of its message in Slack. */
export function readMetric(action: string, data: unknown): WebhookReading | null {
  const parsed = Data.safeParse(data);
  if (!parsed.success) return null;
  const { metric_alert: incident, description_title, description_text, web_url } = parsed.data;
  const { alert_rule: rule, projects } = incident;
  const named = description_title.replace(/^(?:critical|warning|resolved): ?/iu, '');
  const title = toTitle(named || rule.name || incident.title) ?? 'Metric alert';
  const word = action.toLowerCase();
  const number = queryParameter(web_url ?? '', 'alert') ?? incident.identifier;
  const [project] = projects;
  const alert = {
    ...emptyAlert('sentry'),
    kind: word === 'resolved' ? ('resolved' as const) : ('firing' as const),
    title,
    description: description_text || title,
    severity: severityOf(word),
    environment: rule.environment || null,
    service: projects.length === 1 && project ? project : null,
    triggeredAt: incident.date_started,
    alertUrl: web_url === null ? null : stableUrl(web_url),
    errorMessage: toErrorMessage(description_text),
    fingerprint: metricFingerprint(ruleIn(web_url ?? '') ?? rule.id, number),
  };
  const aliases = alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }];
  const said = { project: projects.slice(0, 10).join(','), environment: rule.environment, rule: rule.name };
  const labels = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''));
  return { kind: 'alerts', alerts: [receivedAlert({ alert, labels, aliases })] };
}
