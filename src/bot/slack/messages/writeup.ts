import { Artifact, type InvestigationResults } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { createMasking } from '../../../lib/masking.ts';
import { displayName } from '../../../lib/text.ts';
import { causeKeyOf } from '../../issues/cause.ts';
import { checklistOf } from '../../issues/checklist.ts';
import { readMetric } from '../../render/charts/metric.ts';
import { type WriteupIssue, writeupFile } from '../../render/results/writeup.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { Reader } from '../access/may-read.ts';
import type { Content } from '../delivery/content.ts';
import { severityOf } from './cards.ts';
import type { ContentDeps } from './source.ts';

type WriteupDeps = Pick<ContentDeps, 'store' | 'mayRead' | 'nameOf' | 'permalink' | 'simulated'>;

const MOST_METRICS = 10;

/** The write-up in the thread of the issue that it was asked for, of what is stored when it is sent. */
export async function writeup(issueId: string, deps: WriteupDeps): Promise<Content> {
  const issue = await deps.store.issues.get(issueId);
  if (issue === null || issue.state !== 'created' || issueNumber(issue) === null) return { kind: 'nothing' };
  const { channel, threadTs } = issue;
  const { text, ...named } = await writeupOf(issue, { channel }, deps);
  const bytes = new TextEncoder().encode(text);
  return { kind: 'file', channel, threadTs, ...named, bytes };
}

/** It is copied to wherever people keep such documents. */
const masking = createMasking();

/** The write-up of an issue, and of those with the same cause, as far as its readers may know of them. */
export async function writeupOf(
  issue: Issue,
  reader: Reader,
  deps: WriteupDeps,
): Promise<{ name: string; title: string; text: string }> {
  const { store } = deps;
  const [first, ...others] = await issuesOf(issue, reader, deps);
  const latest = await lastOf(first, store);
  const results = latest?.results ?? {};
  const file = writeupFile({
    issues: [
      await viewOf(first, results, deps),
      ...(await Promise.all(others.map((other) => viewOf(other, results, deps)))),
    ],
    results,
    verdictAt: latest === null ? null : await store.results.at(first.id, latest.version),
    peaks: await peaksOf(first.id, results, store),
    simulated: deps.simulated,
  });
  return { ...file, text: masking.text(file.text) };
}

/** The newest that tells of the time before it was over: a later look tells of what came then. */
async function lastOf({ id, recoveredAt }: Issue, { results }: Store) {
  const all = (await results.all(id)).toReversed();
  const isOfLater = (timeline: InvestigationResults['timeline'] = []) => {
    const signs = timeline.filter(({ type }) => type !== 'change' && type !== 'alert');
    const isAfter = ({ timestamp }: (typeof signs)[number]) =>
      Date.parse(timestamp ?? '') > (recoveredAt ?? Number.POSITIVE_INFINITY);
    return signs.length > 0 && signs.every(isAfter);
  };
  return all.find((one) => !isOfLater(one.results?.timeline)) ?? all[0] ?? null;
}

/** The one that was investigated first, or others are attached to, begins. */
async function issuesOf(
  issue: Issue,
  reader: Reader,
  { store, mayRead }: WriteupDeps,
): Promise<[Issue, ...Issue[]]> {
  const leaderId = issue.joinedInto ?? issue.symptomOf;
  const leader = leaderId === null ? null : await store.issues.get(leaderId);
  const isShown = leader?.state === 'created' && (await mayRead(reader, leader));
  const first = isShown && leader !== null ? leader : issue;
  const others: Issue[] = [];
  for (const other of await store.issues.about(first.id)) {
    if (other.id === issue.id || (await mayRead(reader, other))) others.push(other);
  }
  return [first, ...others];
}

async function viewOf(issue: Issue, shown: InvestigationResults, deps: WriteupDeps): Promise<WriteupIssue> {
  const { store, permalink } = deps;
  const results = (await store.results.newest(issue.id)) ?? {};
  const ticks = await store.checklistSteps.ofIssue(issue.id);
  const acts = await store.audit.of(issue.id);
  const notes = await store.notes.ofIssue(issue.id);
  const named = await namesOf(
    [...acts, ...ticks, ...notes].map(({ who }) => who),
    deps,
  );
  const nameOf = (id: string) => named.get(id) ?? id;
  return {
    number: issueNumber(issue) ?? 0,
    title: displayName(issue),
    severity: severityOf(issue).severity,
    environment: issue.environment,
    service: issue.service,
    channel: await deps.nameOf(issue.channel),
    url: issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
    filedAt: issue.createdAt,
    resolvedAt: issue.status === 'resolved' ? issue.statusSince : null,
    recoveredAt: issue.recoveredAt,
    repeats: issue.repeats,
    isAttached: issue.joinedInto !== null,
    isReport: issue.source === null,
    steps: checklistOf(results, ticks)
      .flat()
      .map((step) => ({ ...step, done: step.done && { ...step.done, by: nameOf(step.done.by) } })),
    acts: acts.map((act) => ({ ...act, who: nameOf(act.who) })),
    notes: notes.map((note) => ({ ...note, who: nameOf(note.who) })),
    otherVerdicts: await otherVerdicts(issue, shown, store),
  };
}

/** What a later investigation, or another issue's, took the place of. */
async function otherVerdicts({ id }: Issue, shown: InvestigationResults, { results }: Store) {
  const verdicts = await Promise.all(
    (await results.all(id)).map(async ({ version, results: found }) => {
      const at = await results.at(id, version);
      const key = found === null ? null : causeKeyOf(found);
      return found === null || at === null || key === null || key === causeKeyOf(shown)
        ? []
        : [{ key, at, results: found }];
    }),
  );
  // Each cause as it was found first.
  const found = verdicts.flat().toReversed();
  return [...new Map(found.map(({ key, ...verdict }) => [key, verdict])).values()];
}

/** How people are called; who Slack does not name keeps the id. */
async function namesOf(ids: readonly string[], { nameOf }: WriteupDeps): Promise<Map<string, string>> {
  const all = await Promise.all(
    [...new Set(ids)].map(async (id): Promise<[string, string]> => {
      if (id.startsWith('mcp:')) return [id, `the key ${id.slice(4)}`];
      return [id, /^[UW][A-Z0-9]+$/u.test(id) ? `@${(await nameOf(id)) ?? id}` : id];
    }),
  );
  return new Map(all);
}

/** The metrics that the evidence refers to, as far as they are kept. */
async function peaksOf(issueId: string, results: InvestigationResults, store: Store) {
  const peaks = await Promise.all(
    metricsIn(results, MOST_METRICS).map(async (id) => {
      const body = (await store.artifacts.get(issueId, id))?.body ?? null;
      const artifact = body === null ? null : decodeStored(Artifact, body);
      const metric = artifact === null ? null : readMetric(artifact);
      return metric === null ? [] : [{ id, metric }];
    }),
  );
  return peaks.flat();
}

function metricsIn(results: InvestigationResults, most: number): string[] {
  return artifactPlaces(results)
    .filter(({ use, dataType }) => use === 'counts' && dataType === 'metric')
    .slice(0, most)
    .map(({ id }) => id);
}
