import { z } from 'zod';
import type { Budget } from '../budget.ts';
import { mergeReadings, partialSource } from '../combined.ts';
import { askJson, createSourceClient, type SourceSettings } from '../http.ts';
import { type Change, known, mapped, type Reading } from '../model.ts';
import { healthBy, type OpenSource } from '../source.ts';
import { type ChangedSource, HistoryEntry, type Sync, syncsOf } from './argocd-history.ts';
import { below, type Contents, described, isCommit, together } from './contents.ts';
import type { Repositories } from './deployments.ts';

const ARGOCD = 'argocd';

const Application = z.looseObject({
  metadata: z.looseObject({ name: z.string(), namespace: z.string().nullish() }),
  status: z.looseObject({ history: z.array(HistoryEntry).nullish() }).nullish(),
});
const Applications = z.looseObject({ items: z.array(Application).nullish() });
const Metadata = z.looseObject({ author: z.string().nullish(), message: z.string().nullish() });

/** The newest syncs of all applications whose contents are read: what broke something was synced shortly before. */
const MOST_READ = 10;

/**
 * Deploys, from the history of every application in Argo CD. What a sync changed is read from the configured git host
 * that has its repository; of any other, Argo CD knows the author and the message of the commit.
 */
export function createArgoCdSource(
  settings: SourceSettings,
  { repositories = [] }: { repositories?: readonly Repositories[] | undefined } = {},
): OpenSource {
  const address = { title: 'Argo CD', variable: 'ARGOCD', ...settings };
  const http = createSourceClient(address);
  const read = (budget: Budget) =>
    askJson({ http, address }, { path: '/api/v1/applications' }, Applications, budget);

  const fromArgo = async (
    { name, namespace, entry }: Sync,
    { index, revision }: ChangedSource,
    budget: Budget,
  ): Promise<Reading<Contents>> => {
    const path = `/api/v1/applications/${encodeURIComponent(name)}/revisions/${revision}/metadata`;
    const parameters = [
      ...(namespace ? ([['appNamespace', namespace]] as const) : []),
      // Which of several sources the revision is of, as they were at that sync.
      ...(index === null ? [] : ([['sourceIndex', `${index}`]] as const)),
      ...(index === null || entry === null ? [] : ([['versionId', `${entry}`]] as const)),
    ];
    const reading = await askJson({ http, address }, { path, parameters }, Metadata, budget);
    return mapped(reading, ({ author = null, message }) => ({
      commits: [{ id: revision, title: message ?? '', author: author && nameIn(author) }],
      files: [],
      notes: [],
    }));
  };

  const contentsOf = async (
    sync: Sync,
    changed: ChangedSource,
    budget: Budget,
  ): Promise<Reading<Contents>> => {
    const { revision, before, repository, paths } = changed;
    if (!isCommit(revision)) {
      const notes = before === null ? [] : [`${changed.title}: ${before} → ${revision}.`];
      return known({ commits: [], files: [], notes });
    }
    const compared =
      repository === null || !isCommit(before)
        ? null
        : (repositories
            .map((one) => one.compareAt(repository, { from: before, to: revision }, budget))
            .find((reading) => reading !== null) ?? null);
    return mapped(await (compared ?? fromArgo(sync, changed, budget)), (contents) => below(contents, paths));
  };

  const withContents = async (sync: Sync, budget: Budget): Promise<Reading<Change[]>> => {
    const { change, changed } = sync;
    const all = await Promise.all(changed.map((one) => contentsOf(sync, one, budget)));
    const reasons = all.flatMap((one) =>
      one.known ? one.caveats : [`What “${change.title}” changed could not be read: ${one.reason}`],
    );
    const { details, ...rest } = described(together(all.flatMap((one) => (one.known ? [one.value] : []))));
    return known([{ ...change, ...rest, details: details ?? change.details }], [...new Set(reasons)]);
  };

  return {
    ...partialSource({
      name: ARGOCD,
      changes: async (window, budget) => {
        const reading = await read(budget);
        if (!reading.known) return reading;
        const syncs = (reading.value.items ?? [])
          .flatMap(({ metadata: { name, namespace = null }, status }) =>
            syncsOf({ name, namespace }, status?.history ?? [], http.base),
          )
          .filter(({ change: { at } }) => at >= window.from && at < window.to)
          .sort((a, b) => a.change.at - b.change.at);
        const changes = await Promise.all(
          syncs.map((sync, i) =>
            i < syncs.length - MOST_READ ? known([sync.change]) : withContents(sync, budget),
          ),
        );
        const merged = mergeReadings<Change>(changes);
        return merged.known ? known(merged.value, [...reading.caveats, ...merged.caveats]) : merged;
      },
      check: async (budget) => {
        const reading: Reading<z.infer<typeof Applications>> = await read(budget);
        return healthBy(ARGOCD, reading, ({ items }) => ({
          summary: `Argo CD at ${http.base} answers: ${items?.length ?? 0} applications.`,
        }));
      },
    }),
    close: http.close,
  };
}

/** `Ada Lovelace <ada@example.com>` without the address. */
function nameIn(author: string): string {
  return author.replace(/\s*<[^>]*>\s*$/u, '');
}
