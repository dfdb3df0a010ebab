import { questionOf } from '../../store/artifacts.ts';
import { chartKey, type OutboxKey, resultKey } from '../../store/intents/keys.ts';
import type { Aggregates } from '../../store/open.ts';
import type { StoredArtifact } from '../../watching/artifacts.ts';

/** The graph of the results is drawn first: people see it without asking. */
const AFTER_GRAPH_MS = 3_000;

/** A metric that is kept is shown as a chart, drawn from `at` on; `shownBy`: the message that shows it. */
export async function wantChart(
  { files }: Pick<Aggregates, 'files'>,
  { owner, id, artifact, at }: StoredArtifact,
  shownBy: OutboxKey | null = null,
): Promise<void> {
  if (artifact.type !== 'metric') return;
  await files.want({
    key: chartKey(owner, id),
    issueId: questionOf(owner) === null ? owner : null,
    what: { picture: 'chart', owner, artifact: id },
    shownBy,
    at,
  });
}

/** The same for what results refer to: after what people see without asking, and in their message too. */
export async function wantChartLater(tx: Aggregates, kept: StoredArtifact): Promise<void> {
  const issue = await tx.issues.get(kept.owner);
  const shownBy = issue === null ? null : resultKey(issue.id, issue.endedVersion);
  await wantChart(tx, { ...kept, at: kept.at + AFTER_GRAPH_MS }, shownBy);
}
