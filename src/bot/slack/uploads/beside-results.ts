import { isShortened, renderResults } from '../../render/results/results.ts';
import { resultsFileIntent } from '../../store/intents/issue-intents.ts';
import { graphKey, resultKey } from '../../store/intents/keys.ts';
import type { OnResults } from '../../watching/sync-issue.ts';
import { resultsInWords } from '../messages/result.ts';

/**
 * What comes beside the message of results, asked for when they are stored: the picture of their graph, and all of them
 * as a file where the message has to shorten them.
 */
export function wantBesideResults({ simulated }: { simulated: boolean }): OnResults {
  return async (tx, { issueId, version, results, at }) => {
    const issue = await tx.issues.get(issueId);
    if (issue === null) return;
    await tx.files.want({
      key: graphKey(issueId, version),
      issueId,
      what: { picture: 'graph', issue: issueId, version },
      shownBy: resultKey(issueId, version),
      at,
    });
    const words = renderResults(
      await resultsInWords(issue, { version, results, isNew: true, simulated }, tx),
    );
    if (!isShortened(words, results)) return;
    const intent = resultsFileIntent(issue, version, at);
    if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
  };
}
