import { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { renderResults } from '../../render/results/results.ts';
import { slackChart } from '../../render/results/slack-chart.ts';
import type { ChartView, ResultsView } from '../../render/views.ts';
import { chartKey, graphKey } from '../../store/intents/keys.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import { fileFor } from '../uploads/shown-file.ts';
import { checklistView } from './checklist.ts';
import type { ContentSource } from './source.ts';
import { beforeItsCard } from './thread.ts';

const MOST_CHARTS = 2;

export const result: ContentSource = async (row, { store, simulated }) => {
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  const { version } = payloadOf('result', row);
  const body = issue ? await store.results.get(issue.id, version) : null;
  if (!issue || body === null || issueNumber(issue) === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const results = InvestigationResults.parse(JSON.parse(body));
  const isNew = row.deliveredAt === 0;
  const words = await resultsInWords(issue, { version, results, isNew, simulated }, store);
  const parts = renderResults({
    ...words,
    charts: await chartsOf(issue.id, results, store),
    picture: await fileFor(store, graphKey(issue.id, version)),
  });
  const { settings } = await store.channels.get(issue.channel);
  return {
    kind: 'messages',
    parts,
    channel: issue.channel,
    threadTs: issue.threadTs,
    broadcast: settings.broadcast,
    // Steps done in an earlier version are attributed in an edit, which notifies nobody.
    editFollows: isNew && (words.checklist?.progress?.done ?? 0) > 0,
  };
};

/** Results without pictures; `isNew` while their message is yet to be posted. */
export async function resultsInWords(
  issue: Issue,
  of: { version: number; results: InvestigationResults; isNew: boolean; simulated: boolean },
  store: Aggregates,
): Promise<ResultsView> {
  const { version, results, isNew, simulated } = of;
  return {
    issueId: issue.id,
    number: issueNumber(issue) ?? 0,
    version,
    title: displayName(issue),
    results,
    before: await versionBefore(issue.id, version, store),
    evidence: artifactPlaces(results).length > 0,
    checklist: await checklistView(issue, results, isNew, store),
    simulated,
  };
}

/** The first metrics among the evidence that can be shown: as pictures, else as Slack charts. */
async function chartsOf(issueId: string, results: InvestigationResults, store: Store): Promise<ChartView[]> {
  const metrics = artifactPlaces(results)
    .filter(({ use, dataType }) => use === 'counts' && dataType === 'metric')
    .slice(0, MOST_CHARTS);
  const charts = await Promise.all(metrics.map(({ id }) => chartOf(issueId, id, store)));
  return charts.filter(({ picture, drawn }) => picture !== null || drawn !== null);
}

/** Empty while a picture may still follow. */
async function chartOf(issueId: string, id: string, store: Store): Promise<ChartView> {
  const key = chartKey(issueId, id);
  const picture = await fileFor(store, key);
  if (picture === null && (await store.files.get(key))?.state !== 'failed') return { picture, drawn: null };
  const body = (await store.artifacts.get(issueId, id))?.body ?? null;
  const artifact = body === null ? null : decodeStored(Artifact, body);
  return { picture, drawn: artifact && slackChart(artifact) };
}

async function versionBefore(issueId: string, version: number, { results }: Pick<Aggregates, 'results'>) {
  const older = await results.before(issueId, version);
  const kept = older && decodeStored(InvestigationResults, older.body);
  return older && kept && { version: older.version, results: kept };
}
