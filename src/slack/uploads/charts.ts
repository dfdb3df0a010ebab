import { questionOf } from '../../store/artifacts.ts';
import type { Kept } from '../../watching/artifacts.ts';
import { wantFile } from './want.ts';

/** The graph of the results is drawn first: people see it without asking. */
const AFTER_GRAPH_MS = 3_000;

/** The key of the chart of a metric; `owner` as in the store's artifacts. */
export function chartKey(owner: string, artifactId: string): string {
  return `chart:${owner}:${artifactId}`;
}

/** A metric that is kept is to be seen as a chart, drawn from `at` on. */
export async function wantChart(
  tx: Parameters<typeof wantFile>[0],
  { owner, id, artifact, at }: Kept,
): Promise<void> {
  if (artifact.type !== 'metric') return;
  await wantFile(tx, {
    key: chartKey(owner, id),
    issueId: questionOf(owner) === null ? owner : null,
    what: { picture: 'chart', owner, artifact: id },
    at,
  });
}

/** The same, after what people see without asking. */
export async function wantChartLater(tx: Parameters<typeof wantChart>[0], kept: Kept): Promise<void> {
  await wantChart(tx, { ...kept, at: kept.at + AFTER_GRAPH_MS });
}
