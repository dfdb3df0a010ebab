import { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { displayName } from '../../../lib/text.ts';
import { checklistOf } from '../../issues/checklist.ts';
import { readMetric } from '../../render/pictures/metric.ts';
import { writeupFile } from '../../render/results/writeup.ts';
import type { Content } from '../delivery/content.ts';
import { severityOf, statusOf } from './cards.ts';
import type { ContentDeps } from './source.ts';

/** The write-up of an issue, of what is stored when it is sent. */
export async function writeup(issueId: string, { store, simulated }: ContentDeps): Promise<Content> {
  const issue = await store.issues.get(issueId);
  const number = issue === null ? null : issueNumber(issue);
  if (issue === null || number === null || issue.state === 'gone') return { kind: 'nothing' };
  const latest = await store.results.latest(issueId);
  const results = latest === null ? null : decodeStored(InvestigationResults, latest.body);
  const steps = checklistOf(results ?? {}, await store.checklistSteps.ofIssue(issueId)).flat();
  const attached = await store.issues.numbersOf('joinedInto', issueId);
  const { text, ...named } = writeupFile({
    number,
    title: displayName(issue),
    severity: severityOf(issue).severity,
    environment: issue.environment,
    service: issue.service,
    status: statusOf(issue),
    filedAt: issue.createdAt,
    resolvedAt: issue.status === 'resolved' ? issue.statusSince : null,
    recoveredAt: issue.recoveredAt,
    repeats: issue.repeats,
    attached,
    results: results ?? {},
    peaks: await peaksOf(issueId, results ?? {}, { store }),
    steps,
    acts: await store.audit.of(issueId),
    notes: await store.notes.ofIssue(issueId),
    simulated,
  });
  const { channel, threadTs } = issue;
  return { kind: 'file', channel, threadTs, ...named, bytes: new TextEncoder().encode(text) };
}

/** The highest values of the metrics that the evidence refers to, as far as they are kept. */
async function peaksOf(
  issueId: string,
  results: InvestigationResults,
  { store }: Pick<ContentDeps, 'store'>,
) {
  const metrics = artifactPlaces(results).filter(
    ({ use, dataType }) => use === 'counts' && dataType === 'metric',
  );
  const peaks = await Promise.all(
    metrics.slice(0, 10).map(async ({ id }) => {
      const body = (await store.artifacts.get(issueId, id))?.body ?? null;
      const artifact = body === null ? null : decodeStored(Artifact, body);
      const metric = artifact === null ? null : readMetric(artifact);
      return metric === null ? [] : [{ id, metric }];
    }),
  );
  return peaks.flat();
}
