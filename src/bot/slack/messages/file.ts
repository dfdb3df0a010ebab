import { Artifact } from '../../../contract/schema/artifact.ts';
import { InvestigationResults } from '../../../contract/schema/results.ts';
import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { rawJsonOf } from '../../render/evidence/raw-json.ts';
import { resultsFile } from '../../render/results/results-file.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import type { Content } from '../delivery/content.ts';
import type { ContentDeps, ContentSource } from './source.ts';

interface Made {
  name: string;
  title: string;
  bytes: Uint8Array;
}

/** A file in a thread: what a message was too short for. */
export const file: ContentSource = async (row, deps): Promise<Content> => {
  const payload = payloadOf('file', row);
  if (payload.file === 'results' && !(await standsWhole(payload.after, deps))) return { kind: 'later' };
  const made = payload.file === 'results' ? await results(payload, deps) : await rawJson(payload, deps);
  return made ? { kind: 'file', channel: row.channel, threadTs: row.threadTs, ...made } : { kind: 'nothing' };
};

async function results(
  { issue: issueId, version }: Extract<Payload<'file'>, { file: 'results' }>,
  { store, simulated }: ContentDeps,
): Promise<Made | null> {
  const issue = await store.issues.get(issueId);
  const body = await store.results.get(issueId, version);
  const number = issue === null ? null : issueNumber(issue);
  if (!issue || number === null || body === null) return null;
  const found = InvestigationResults.parse(JSON.parse(body));
  const title = displayName(issue);
  const { text, ...named } = resultsFile({ issueId, number, title, version, results: found, simulated });
  return { ...named, bytes: new TextEncoder().encode(text) };
}

async function rawJson(
  { owner, id }: Extract<Payload<'file'>, { file: 'artifact' }>,
  { store }: ContentDeps,
): Promise<Made | null> {
  const row = await store.artifacts.get(owner, id);
  return row?.body ? rawJsonOf(Artifact.parse(JSON.parse(row.body))) : null;
}

/** Whether all parts of the message that it belongs to stand, or never will. */
async function standsWhole(key: string | undefined, { store }: ContentDeps): Promise<boolean> {
  const row = key === undefined ? null : await store.outbox.get(key);
  return row === null || row.state === 'dead' || row.done > 0;
}
