import { IssueContext, type IssueCreate } from '../../contract/schema.ts';
import type { Organization } from '../../lib/issue-number.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { Alert, Severity } from '../alerts/types.ts';
import { describeAlert, type Earlier } from './description.ts';
import { canonicalEnvironment } from './identity.ts';
import { withReference } from './reference.ts';

/** The contract's limit (2.5). */
const MAX_TITLE = 500;

/** Where a message is in Slack. */
export interface Origin {
  issueId: string;
  channel: string;
  ts: string;
  permalink: string | null;
  /** Where it is filed; the default organisation if not given. */
  organization?: Organization;
}

export type { Earlier };

/** Values for what the message does not state, and what else is known. */
export interface RequestDefaults {
  environment: string;
  severity: Severity;
  earlier: Earlier | null;
}

/**
 * The create request for an alert (contract 2.5): everything the message states, and the way back to it. `triggeredAt`
 * is the time that the message states, otherwise Slack's `ts`.
 */
export function requestForAlert(alert: Alert, origin: Origin, defaults: RequestDefaults): IssueCreate {
  const stated = [alert.title, alert.errorMessage].map((words) => oneLine(words ?? '')).find(Boolean);
  const title = cutAtWord(stated ?? 'Alert without a title', MAX_TITLE);
  const context = {
    alertUrl: alert.alertUrl,
    service: alert.service,
    traceId: alert.traceId,
    spanId: alert.spanId,
    errorType: alert.errorType,
    errorMessage: alert.errorMessage,
    host: alert.host,
    region: alert.region,
    version: alert.version,
    tags: alert.tags.length > 0 ? alert.tags : null,
    metadata: {
      source: alert.format,
      ...(alert.fingerprint ? { fingerprint: alert.fingerprint } : {}),
      channel: origin.channel,
      slackTs: origin.ts,
    },
  };
  return {
    title,
    description: withReference(
      describeAlert(alert, title, defaults.earlier, origin.organization),
      origin.issueId,
      origin.permalink,
    ),
    environment: canonicalEnvironment(alert.environment?.trim() || defaults.environment),
    severity: alert.severity ?? defaults.severity,
    triggeredAt: alert.triggeredAt ?? timeOf(origin.ts),
    context: IssueContext.parse(
      Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null)),
    ),
  };
}

/** Slack's `ts` as an ISO 8601 time. */
function timeOf(ts: string): string {
  return new Date(Number(ts) * 1000).toISOString();
}
