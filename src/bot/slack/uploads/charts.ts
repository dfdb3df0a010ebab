import { questionOf } from '../../store/artifacts.ts';
import type { Aggregates } from '../../store/open.ts';
import type { Kept } from '../../watching/artifacts.ts';
import { wantFile } from './want.ts';

/** The graph of the results is drawn first: people see it without asking. */
const AFTER_GRAPH_MS = 3_000;

/** The key of the chart of a metric; `owner` as in the store's artifacts. */
export function chartKey(owner: string, artifactId: string): string {
  return `chart:${owner}:${artifactId}`;
}

/** A metric that is kept is to be seen as a chart, drawn from `at` on; `shownBy` as in `wantFile`. */
export async function wantChart(
  tx: Parameters<typeof wantFile>[0],
  { owner, id, artifact, at }: Kept,
  shownBy?: string,
): Promise<void> {
  if (artifact.type !== 'metric') return;
  await wantFile(tx, {
    key: chartKey(owner, id),
    issueId: questionOf(owner) === null ? owner : null,
    what: { picture: 'chart', owner, artifact: id },
    ...(shownBy === undefined ? {} : { shownBy }),
    at,
  });
}

/** The same for what results refer to: after what people see without asking, and in their message too. */
export async function wantChartLater(tx: Aggregates, kept: Kept): Promise<void> {
  const issue = await tx.issues.get(kept.owner);
  const shownBy = issue === null ? undefined : `result:${issue.id}:${issue.endedVersion}`;
  await wantChart(tx, { ...kept, at: kept.at + AFTER_GRAPH_MS }, shownBy);
}
