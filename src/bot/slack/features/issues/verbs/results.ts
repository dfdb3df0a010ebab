import { InvestigationResults } from '../../../../../contract/answers.ts';
import { ServiceError } from '../../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../../../lib/decode-stored.ts';
import { atService, type IssueNumber } from '../../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../../filing/privacy.ts';
import { noResults, onlyInItsChannel } from '../../../../render/issues/issue-sentences.ts';
import { serviceFailure } from '../../../../render/notices.ts';
import type { Rendered } from '../../../../render/rendered.ts';
import { renderResults } from '../../../../render/results/results.ts';
import type { Viewer } from '../../../access/issue-access.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';
import { type Found, findIssue, nameOf } from './find.ts';

/** `results <n> [v<k>]`: shows an investigation's results privately; the newest version by default. */
export async function resultsOf(
  number: IssueNumber,
  version: number | null,
  viewer: Viewer,
  deps: ListenerDeps,
): Promise<Rendered[]> {
  const found = await findIssue(number, viewer, deps);
  if ('refused' in found) return [found.refused];
  const { detail, ours } = found;
  if (ours !== null && !(await mayBeShownIn(deps.store, ours.channel, viewer.channel))) {
    return [onlyInItsChannel(number)];
  }
  const title = nameOf(found);
  const latest = detail.latestVersion ?? ours?.version ?? 1;
  try {
    const results =
      version !== null && version > latest
        ? null
        : await fetchResults(number, found, version ?? latest, deps);
    if (results === null) return [noResults({ number, title }, { version, latest, status: detail.status })];
    const view = { issueId: ours?.id ?? '', number, title, results, version: version ?? latest };
    return renderResults({ ...view, simulated: deps.simulated });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error, number, version }, 'could not fetch results');
    return [serviceFailure(explainServiceError(error))];
  }
}

/** From the store if they are there and readable, else from the service (contract 4.6); `null` if it has none. */
async function fetchResults(
  number: IssueNumber,
  { detail, ours }: Found,
  version: number,
  { store, services }: ListenerDeps,
): Promise<InvestigationResults | null> {
  const body = ours === null ? null : await store.results.get(ours.id, version);
  const kept = body === null ? null : decodeStored(InvestigationResults, body);
  if (kept !== null) return kept;
  try {
    const { issues } = services.for(atService(number).organization);
    const results = await issues.results(detail.uuid, { version });
    // A running investigation may have empty results.
    const isUnderWay = detail.status === 'investigating' && version === (detail.latestVersion ?? version);
    return isUnderWay && !results.rootCause?.rootCauseSummary ? null : results;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}
