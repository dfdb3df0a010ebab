import { isShortened, renderResults } from '../../render/results/results.ts';
import { questionOf } from '../../store/artifacts.ts';
import { resultsFileIntent } from '../../store/intents/issue-intents.ts';
import { answerKey } from '../../store/intents/keys.ts';
import type { Aggregates } from '../../store/open.ts';
import type { StoredArtifact } from '../../watching/artifacts.ts';
import type { OnResults } from '../../watching/sync-issue.ts';
import { resultsInWords } from '../messages/results.ts';

/** A metric that is kept is shown, and can be asked again, in the message that refers to it. */
export async function showMetric(tx: Aggregates, { owner, artifact }: StoredArtifact): Promise<void> {
  if (artifact.type !== 'metric') return;
  const question = questionOf(owner);
  if (question !== null) return tx.outbox.again(answerKey(question));
  await tx.outbox.resultsAgain(owner);
}

/** All results as a file, asked for when they are stored, where their message has to shorten them. */
export function wantBesideResults({ simulated }: { simulated: boolean }): OnResults {
  return async (tx, { issueId, version, results, at, isFolded }) => {
    const issue = await tx.issues.get(issueId);
    if (issue === null || isFolded) return;
    const words = renderResults(
      await resultsInWords(issue, { version, results, isNew: true, simulated }, tx),
    );
    if (!isShortened(words, results)) return;
    const intent = resultsFileIntent(issue, version, at);
    if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
  };
}
