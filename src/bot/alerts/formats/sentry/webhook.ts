import { isRecord, scalarText } from '../../payload.ts';
import type { WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { readEvent } from './webhook-event.ts';
import { readIssue } from './webhook-issue.ts';
import { readMetric } from './webhook-metric.ts';

/** Sentry's integration platform: issues, issue alerts and metric alerts. The header says which; else the body does. */
export const sentryWebhook: WebhookFormat = { name: 'sentry', tool: 'Sentry', read };

function read(payload: unknown, headers: Readonly<Record<string, string>>): WebhookReading {
  if (!isRecord(payload) || !isRecord(payload.data))
    return { kind: 'refused', reason: 'The body has no `data`, which each of Sentry’s webhooks has.' };
  const { data } = payload;
  const action = scalarText.parse(payload.action);
  const resource = headers['sentry-hook-resource'] ?? '';
  if (resource === 'installation' || resource === 'comment')
    return {
      kind: 'nothing',
      reason: `It is about ${resource === 'comment' ? 'a comment' : 'the installation'}.`,
    };
  const reading = readMetric(action, data) ?? readEvent(data) ?? readIssue(action, data, payload.actor);
  return (
    reading ?? {
      kind: 'nothing',
      reason: `It is about no alert${resource ? ` (${resource.slice(0, 60)})` : ''}.`,
    }
  );
}
