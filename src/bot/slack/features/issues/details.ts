import type { EntityMetadata } from '@slack/types';
import { InvestigationResults } from '../../../../contract/answers.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import {
  detailsDeleted,
  detailsRestricted,
  detailsUnavailable,
} from '../../../render/issues/details-errors.ts';
import { issueDetails } from '../../../render/issues/entity.ts';
import { notAllowed } from '../../../render/notices.ts';
import { maySeeAlone } from '../../access/issue-rights.ts';
import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { aboutEntity, cardView } from '../../messages/card-view.ts';

/** A person's request for an issue's details in the flexpane. */
export interface DetailsAsked {
  userId: string;
  triggerId: string;
  /** The `external_ref.id`, which should be an issue's id at the service; untrusted. */
  ref: string;
}

type Presented = { metadata: EntityMetadata } | { error: ReturnType<typeof detailsRestricted> };

const METHOD = 'entity.presentDetails';

/**
 * Shows an issue in a person's flexpane if they may see it now, or an error if not. Best effort: after a restart the
 * trigger has expired, and Slack asks again when the person reopens the pane.
 */
export async function presentDetails(asked: DetailsAsked, deps: ListenerDeps): Promise<void> {
  const shown = await contentFor(asked, deps);
  try {
    await deps.client.entity.presentDetails({ trigger_id: asked.triggerId, ...shown });
    deps.metrics.count('gumshoe_slack_calls_total', { method: METHOD, outcome: 'ok' });
  } catch (error) {
    const failure = classifySlackError(error);
    const outcome = failure.kind === 'refused' ? failure.error : failure.kind;
    deps.metrics.count('gumshoe_slack_calls_total', { method: METHOD, outcome });
    deps.log.warn({ err: error }, 'the details of an issue could not be shown');
  }
}

async function contentFor({ userId, ref }: DetailsAsked, deps: ListenerDeps): Promise<Presented> {
  const refusal = await deps.people.refusal(userId);
  if (refusal !== null) return { error: detailsRestricted(notAllowed(refusal).text) };
  const issue = await deps.store.issues.byUuid(ref);
  const about = issue === null ? null : aboutEntity(issue, deps);
  if (issue === null || about === null) return { error: detailsRestricted() };
  try {
    if (!(await maySeeAlone(issue, userId, deps))) return { error: detailsRestricted() };
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id }, 'whether somebody may see an issue could not be asked');
    return { error: detailsUnavailable() };
  }
  if (issue.state === 'gone') return { error: detailsDeleted() };
  const latest = await deps.store.results.latest(issue.id);
  const results = latest === null ? null : decodeStored(InvestigationResults, latest.body);
  const view = await cardView(issue, issue.channel, deps);
  return { metadata: issueDetails(view, about, results?.rootCause?.rootCauseSummary ?? null) };
}
