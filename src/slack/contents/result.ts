import { z } from 'zod';
import { renderResults } from '../../render/results.ts';
import { InvestigationResults } from '../../service/schema/results.ts';
import { checklistView } from './checklist.ts';
import type { ContentSource } from './source.ts';
import { beforeItsCard } from './thread.ts';

const Payload = z.looseObject({ version: z.number() });

export const result: ContentSource = async (row, { store, simulated }) => {
  const issue = row.issue_id === null ? null : await store.issues.get(row.issue_id);
  const { version } = Payload.parse(JSON.parse(row.payload));
  const body = issue ? await store.results.get(issue.id, version) : null;
  if (!issue || body === null || issue.number === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const results = InvestigationResults.parse(JSON.parse(body));
  const parts = renderResults({
    issueId: issue.id,
    number: issue.number,
    version,
    title: issue.title,
    results,
    checklist: await checklistView(issue, results, row, store),
    simulated,
  });
  const { settings } = await store.channels.get(issue.channel);
  return {
    kind: 'messages',
    parts,
    channel: issue.channel,
    threadTs: issue.thread_ts,
    broadcast: settings.broadcast,
  };
};
