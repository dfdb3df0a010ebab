import { z } from 'zod';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { percentDecoded } from '../../../lib/text.ts';
import { alertOf } from '../../filing/occurrence.ts';
import { causeKeyOf } from '../../issues/cause.ts';
import type { RunbookLink, RunbookView } from '../../render/views.ts';
import { answersTo, evidenceOf } from '../../runbooks/answered.ts';
import type { Runbooks } from '../../runbooks/index.ts';
import { type Subject, servicesOf } from '../../runbooks/match.ts';
import type { Runbook } from '../../runbooks/page.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';

interface RunbookDeps {
  store: Store;
  runbooks?: Runbooks;
}

/** The alert's own link, and the runbooks that people read somewhere. */
export async function runbookLinks(issue: Issue, deps: RunbookDeps): Promise<RunbookLink[]> {
  // A card does not wait for another host.
  const results = await deps.store.results.newest(issue.id);
  const { address, found } = await runbooksOf(issue, results && causeKeyOf(results), deps, {
    fetches: false,
  });
  const pages = found.flatMap(({ title, url }) => (url === null ? [] : [{ title, url }]));
  const isNamed = pages.some(({ url }) => url === address);
  return [...(address === null || isNamed ? [] : [{ title: null, url: address }]), ...pages];
}

/** The runbooks that have steps, with what of them the results answer. */
export async function runbookViews(
  issue: Issue,
  results: InvestigationResults,
  deps: RunbookDeps,
): Promise<RunbookView[]> {
  const cause = causeKeyOf(results);
  const { subject, found } = await runbooksOf(issue, cause, deps);
  const shown = found.filter(({ steps }) => steps.length > 0);
  if (shown.length === 0) return [];
  const queries = await queriesOf(issue, results, deps.store);
  return shown.map((runbook) => {
    const { title, url, steps } = runbook;
    const evidence = evidenceOf(results, servicesOf(runbook, subject), queries);
    return { title, url, steps: steps.map((step) => ({ ...step, answers: answersTo(step.text, evidence) })) };
  });
}

async function runbooksOf(
  issue: Issue,
  cause: string | null,
  { store, runbooks }: RunbookDeps,
  how: { fetches: boolean } = { fetches: true },
): Promise<{ address: string | null; subject: Subject; found: Runbook[] }> {
  const [message] = await store.alerts.ofIssue(issue.id, 1, issue.channel);
  const alert = message === undefined ? null : alertOf(message);
  const address = alert?.runbookUrl ?? null;
  const subject = { titles: [issue.title, alert?.title ?? ''], service: issue.service, cause };
  return { address, subject, found: (await runbooks?.about(subject, address, how)) ?? [] };
}

const Asked = z.object({ providerUrl: z.string().optional().catch(undefined) });

/** How the metrics among the evidence were asked for, as far as they are fetched, by id. */
async function queriesOf(
  { id: owner }: Issue,
  results: InvestigationResults,
  store: Store,
): Promise<Map<string, string>> {
  const metrics = artifactPlaces(results).filter(({ dataType }) => dataType === 'metric');
  const queries = await Promise.all(
    metrics.map(async ({ id }): Promise<[string, string]> => {
      const body = (await store.artifacts.get(owner, id))?.body ?? null;
      const artifact = body === null ? null : decodeStored(Asked, body);
      const address = artifact?.providerUrl ?? '';
      return [id, percentDecoded(address) ?? address];
    }),
  );
  return new Map(queries);
}
