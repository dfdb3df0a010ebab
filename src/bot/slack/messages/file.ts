import { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { rawJsonOf } from '../../render/evidence/evidence-modal.ts';
import { resultsFile } from '../../render/results/results-file.ts';
import type { OutboxKey } from '../../store/intents/keys.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content } from '../delivery/content.ts';
import type { ContentDeps, ContentSource } from './source.ts';
import { beforeItsCard } from './thread.ts';

/** A file in a thread, with what did not fit into the message. */
export const file: ContentSource = async (row, deps): Promise<Content> => {
  const payload = payloadOf('file', row);
  return payload.file === 'results' ? results(payload, deps) : rawJson(payload, row, deps);
};

/** Goes to the issue's current thread, like the message that it follows. */
async function results(
  { issue: issueId, version, after }: Extract<Payload<'file'>, { file: 'results' }>,
  deps: ContentDeps,
): Promise<Content> {
  const { store, simulated } = deps;
  if (!(await standsWhole(after, deps))) return { kind: 'later' };
  const issue = await store.issues.get(issueId);
  const body = await store.results.get(issueId, version);
  const number = issue === null ? null : issueNumber(issue);
  if (!issue || number === null || body === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const found = InvestigationResults.parse(JSON.parse(body));
  const title = displayName(issue);
  const { text, ...named } = resultsFile({ issueId, number, title, version, results: found, simulated });
  const { channel, threadTs } = issue;
  return { kind: 'file', channel, threadTs, ...named, bytes: new TextEncoder().encode(text) };
}

async function rawJson(
  { owner, id }: Extract<Payload<'file'>, { file: 'artifact' }>,
  { channel, threadTs }: OutboxRow,
  { store }: ContentDeps,
): Promise<Content> {
  const row = await store.artifacts.get(owner, id);
  if (!row?.body) return { kind: 'nothing' };
  return { kind: 'file', channel, threadTs, ...rawJsonOf(Artifact.parse(JSON.parse(row.body))) };
}

/** Whether every part of the message that it belongs to is posted, or never will be. */
async function standsWhole(key: OutboxKey | undefined, { store }: ContentDeps): Promise<boolean> {
  const row = key === undefined ? null : await store.outbox.get(key);
  return row === null || row.state === 'dead' || row.done > 0;
}
