import { z } from 'zod';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { InvestigationResults } from '../../../contract/schema/results.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import type { Rendered } from '../../render/rendered.ts';
import { renderResults } from '../../render/results/results.ts';
import { isShortened } from '../../render/results/texts.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { chartKey } from '../uploads/charts.ts';
import { fileFor, graphKey, type ShownFile, wantFile } from '../uploads/want.ts';
import { checklistView } from './checklist.ts';
import type { ContentSource } from './source.ts';
import { beforeItsCard } from './thread.ts';

const MOST_CHARTS = 2;
const Payload = z.looseObject({ version: z.number() });

export const result: ContentSource = async (row, { store, clock, simulated }) => {
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  const { version } = Payload.parse(JSON.parse(row.payload));
  const body = issue ? await store.results.get(issue.id, version) : null;
  const number = issue === null ? null : issueNumber(issue);
  if (!issue || body === null || number === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const results = InvestigationResults.parse(JSON.parse(body));
  const parts = renderResults({
    issueId: issue.id,
    number,
    version,
    title: displayName(issue),
    results,
    before: await versionBefore(issue.id, version, store),
    evidence: artifactPlaces(results).length > 0,
    charts: await chartsOf(issue.id, results, store),
    picture: await fileFor(store, graphKey(issue.id, version)),
    checklist: await checklistView(issue, results, row, store),
    simulated,
  });
  await wantBeside(row, issue, { version, results, parts }, clock.now(), store);
  const { settings } = await store.channels.get(issue.channel);
  return {
    kind: 'messages',
    parts,
    channel: issue.channel,
    threadTs: issue.threadTs,
    broadcast: settings.broadcast,
  };
};

/** The first metrics among what counts, those that can be shown. */
async function chartsOf(issueId: string, results: InvestigationResults, store: Store): Promise<ShownFile[]> {
  const metrics = artifactPlaces(results)
    .filter(({ use, dataType }) => use === 'counts' && dataType === 'metric')
    .slice(0, MOST_CHARTS);
  const files = await Promise.all(metrics.map(({ id }) => fileFor(store, chartKey(issueId, id))));
  return files.filter((file) => file !== null);
}

async function versionBefore(issueId: string, version: number, { results }: Store) {
  const older = await results.before(issueId, version);
  const kept = older && decodeStored(InvestigationResults, older.body);
  return older && kept && { version: older.version, results: kept };
}

/** What comes beside the words: the picture of the graph, and all of it as a file where they had to be cut. */
async function wantBeside(
  row: OutboxRow,
  issue: Issue,
  { version, results, parts }: { version: number; results: InvestigationResults; parts: Rendered[] },
  at: number,
  store: Store,
): Promise<void> {
  await wantFile(store, {
    key: graphKey(issue.id, version),
    issueId: issue.id,
    what: { picture: 'graph', issue: issue.id, version },
    shownBy: row.key,
    at,
  });
  const key = `file:results:${issue.id}:${version}`;
  const words = parts.map(({ blocks, plainer = blocks }) => ({ blocks: plainer }));
  if (!isShortened(words, results) || (await store.outbox.get(key))) return;
  await store.outbox.want({
    key,
    kind: 'file',
    channel: issue.channel,
    threadTs: issue.threadTs,
    issueId: issue.id,
    payload: JSON.stringify({ file: 'results', issue: issue.id, version, after: row.key }),
    at,
  });
}
