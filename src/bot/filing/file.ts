import { InvestigationResults } from '../../contract/answers.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import { issueNumber, mayBeToldTo, type Organization } from '../../lib/issue-number.ts';
import type { Alert } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { eyesIntent } from '../store/intents/issue-intents.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { addIssue } from './add-issue.ts';
import { type AlertIdentity, environmentOf, severityOf } from './alert-identity.ts';
import type { DecideOptions } from './channel-message.ts';
import { mayBeShownIn, organizationFor } from './privacy.ts';
import { issueIdOf } from './reference.ts';
import { type Earlier, requestForAlert } from './request.ts';

/** A message that becomes an issue. */
export interface ToFile {
  channel: string;
  ts: string;
  threadTs: string | null;
  permalink: string | null;
  alert: Alert;
  /** `null` if repeats cannot be recognised. */
  problem: AlertIdentity | null;
  /** Who requested it; `null` if it is filed automatically. */
  requestedBy: string | null;
  /** Tells apart issues that one message caused at different times. */
  again?: string;
  /** Whether to react to the message with 👀. */
  eyes: boolean;
}

/** Files a message: stores the issue to be created, and requests its card and the 👀. Returns the issue's id. */
export async function fileAlert(
  tx: Aggregates,
  message: ToFile,
  settings: ChannelSettings,
  options: Pick<DecideOptions, 'clock' | 'defaultEnvironment'>,
): Promise<string> {
  const { channel, ts, alert, problem } = message;
  const now = options.clock.now();
  const id = issueIdOf(channel, ts, ...(message.again === undefined ? [] : [message.again]));
  const organization = await organizationFor(tx, channel);
  const earlier = problem === null ? null : await earlierOf(tx, problem.identity, channel, organization);
  const request = requestForAlert(
    alert,
    { issueId: id, channel, ts, permalink: message.permalink, organization },
    {
      environment: environmentOf(alert, settings, options.defaultEnvironment),
      severity: severityOf(alert, settings),
      earlier,
    },
  );
  await addIssue(tx, {
    id,
    identity: problem?.identity ?? null,
    request,
    channel,
    threadTs: message.threadTs ?? ts,
    requestedBy: message.requestedBy,
    organization,
    source: alert.format,
    earlier,
    now,
  });
  if (message.eyes) {
    await tx.outbox.want(eyesIntent(id, message, now));
  }
  return id;
}

/** The earlier issue of the same alert. One that belongs to another, private channel is not named. */
async function earlierOf(
  tx: Aggregates,
  identity: string,
  channel: string,
  organization: Organization,
): Promise<Earlier | null> {
  const last = await tx.issues.lastClosed(identity);
  const number = last === null ? null : issueNumber(last);
  if (last === null || number === null || last.joinedInto !== null) return null;
  if (!mayBeToldTo(last.organization, organization)) return null;
  if (!(await mayBeShownIn(tx, last.channel, channel))) return null;
  return { number, resolvedAt: last.statusSince, rootCause: await rootCauseOf(tx, last) };
}

async function rootCauseOf(tx: Aggregates, issue: Issue): Promise<string | null> {
  const body = issue.endedVersion > 0 ? await tx.results.get(issue.id, issue.endedVersion) : null;
  if (body === null) return null;
  return decodeStored(InvestigationResults, body)?.rootCause?.rootCauseSummary ?? null;
}
