import { z } from 'zod';
import { resultsFile } from '../../render/results-file.ts';
import { InvestigationResults } from '../../service/schema/results.ts';
import type { Content } from '../delivery/content.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** `after`: the message that it is to follow. */
const Payload = z.discriminatedUnion('file', [
  z.looseObject({
    file: z.literal('results'),
    issue: z.string(),
    version: z.number(),
    after: z.string().optional(),
  }),
]);
type Payload = z.infer<typeof Payload>;

interface Made {
  name: string;
  title: string;
  bytes: Uint8Array;
}

type Maker<K> = (payload: Extract<Payload, { file: K }>, deps: ContentDeps) => Promise<Made | null>;

const makers: { [K in Payload['file']]: Maker<K> } = {
  results: async ({ issue: issueId, version }, { store, simulated }) => {
    const issue = await store.issues.get(issueId);
    const body = await store.results.get(issueId, version);
    if (!issue || issue.number === null || body === null) return null;
    const results = InvestigationResults.parse(JSON.parse(body));
    const { number, title } = issue;
    const { text, ...named } = resultsFile({ issueId, number, title, version, results, simulated });
    return { ...named, bytes: new TextEncoder().encode(text) };
  },
};

/** A file in a thread: what a message was too short for. */
export const file: ContentSource = async (row, deps): Promise<Content> => {
  const payload = Payload.parse(JSON.parse(row.payload));
  if (!(await standsWhole(payload.after, deps))) return { kind: 'later' };
  const made = await makers[payload.file](payload, deps);
  return made
    ? { kind: 'file', channel: row.channel, threadTs: row.thread_ts, ...made }
    : { kind: 'nothing' };
};

/** Whether all parts of the message that it belongs to stand, or never will. */
async function standsWhole(key: string | undefined, { store }: ContentDeps): Promise<boolean> {
  const row = key === undefined ? null : await store.outbox.get(key);
  return row === null || row.state === 'dead' || row.done > 0;
}
