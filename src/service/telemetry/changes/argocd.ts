import { z } from 'zod';
import type { Budget } from '../budget.ts';
import { mergeAnswers, partialSource } from '../combined.ts';
import { askJson, createSourceClient, type SourceSettings } from '../http.ts';
import { type Answer, type Change, known, mapped, type Undo, type Window } from '../model.ts';
import type { OpenSource } from '../source.ts';
import { isName } from '../undo.ts';
import { type Contents, described, isCommit } from './contents.ts';
import type { Repositories } from './deployments.ts';

const ARGOCD = 'argocd';

const Origin = z.looseObject({
  targetRevision: z.string().nullish(),
  repoURL: z.string().nullish(),
  path: z.string().nullish(),
});
const Synced = z.looseObject({
  id: z.number().nullish(),
  revision: z.string().nullish(),
  deployedAt: z.string(),
  source: Origin.nullish(),
});
type Synced = z.infer<typeof Synced>;
const Application = z.looseObject({
  metadata: z.looseObject({ name: z.string(), namespace: z.string().nullish() }),
  status: z.looseObject({ history: z.array(Synced).nullish() }).nullish(),
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

  const fromArgo = async ({ name, namespace, revision }: Sync, budget: Budget): Promise<Answer<Contents>> => {
    const path = `/api/v1/applications/${encodeURIComponent(name)}/revisions/${revision}/metadata`;
    const parameters = namespace ? ([['appNamespace', namespace]] as const) : [];
    const answer = await askJson({ http, address }, { path, parameters }, Metadata, budget);
    return mapped(answer, ({ author = null, message }) => ({
      commits: [{ id: revision, title: message ?? '', author: author && nameIn(author) }],
      files: [],
      notes: [],
    }));
  };

  const withContents = async (sync: Sync, budget: Budget): Promise<Answer<Change[]>> => {
    const { change, revision, before, repository, path } = sync;
    if (!isCommit(revision) || revision === before) return known([change]);
    const compared =
      repository === null || !isCommit(before)
        ? null
        : (repositories
            .map((one) => one.compareAt(repository, { from: before, to: revision }, budget))
            .find((answer) => answer !== null) ?? null);
    const contents = await (compared ?? fromArgo(sync, budget));
    if (!contents.known)
      return known([change], [`What “${change.title}” changed could not be read: ${contents.reason}`]);
    const { details, ...rest } = described(below(contents.value, path));
    return known([{ ...change, ...rest, details: details ?? change.details }], contents.caveats);
  };

  return {
    ...partialSource({
      name: ARGOCD,
      changes: async (window, budget) => {
        const answer = await read(budget);
        if (!answer.known) return answer;
        const syncs = syncsIn(answer.value, window, http.base);
        const changes = await Promise.all(
          syncs.map((sync, i) =>
            i < syncs.length - MOST_READ ? known([sync.change]) : withContents(sync, budget),
          ),
        );
        const merged = mergeAnswers<Change>(changes);
        return merged.known ? known(merged.value, [...answer.caveats, ...merged.caveats]) : merged;
      },
      check: async (budget) => {
        const answer: Answer<z.infer<typeof Applications>> = await read(budget);
        if (!answer.known) return { name: ARGOCD, ok: false, summary: answer.reason, details: [] };
        const applications = answer.value.items ?? [];
        return {
          name: ARGOCD,
          ok: true,
          summary: `Argo CD at ${http.base} answers: ${applications.length} applications.`,
          details: [],
        };
      },
    }),
    close: http.close,
  };
}

/** A sync, and what is needed to read what it changed. */
interface Sync {
  change: Change;
  name: string;
  namespace: string | null;
  revision: string;
  before: string | null;
  repository: string | null;
  /** The folder of the application in the repository. */
  path: string | null;
}

function syncsIn({ items }: z.infer<typeof Applications>, window: Window, base: string): Sync[] {
  return (items ?? [])
    .flatMap(({ metadata: { name, namespace = null }, status }) => {
      const history = status?.history ?? [];
      const url = `${base}/applications/${namespace ? `${namespace}/` : ''}${name}`;
      const isPage = isName(name) && isName(namespace || 'argocd');
      return history.map((synced, i): Sync => {
        const { revision, deployedAt, source } = synced;
        const ran = history[i - 1];
        // Only what has been synced is in the history, so that the entry before the newest is what ran.
        const isNewest = i === history.length - 1;
        // The revision of another repository cannot be compared with this one's.
        const isSame = ran?.source?.repoURL === source?.repoURL;
        return {
          change: {
            at: Date.parse(deployedAt),
            service: name,
            kind: 'deploy',
            title: `Argo CD synced ${name} to ${shortRevision(synced) ?? 'a new revision'}`,
            version: versionOf(synced),
            ref: revision ?? null,
            url,
            details: source?.repoURL ?? null,
            ...(isNewest && ran !== undefined
              ? { before: versionOf(ran), undo: isPage ? rollbackPage(url, ran) : null }
              : {}),
          },
          name,
          namespace,
          revision: revision ?? '',
          before: isSame ? (ran?.revision ?? null) : null,
          repository: source?.repoURL ?? null,
          path: source?.path ?? null,
        };
      });
    })
    .filter(({ change: { at } }) => at >= window.from && at < window.to)
    .sort((a, b) => a.change.at - b.change.at);
}

/** An application is one folder of a repository that others share; what changed elsewhere in it is not this sync's. */
function below(contents: Contents, path: string | null): Contents {
  const folder = (path ?? '').replace(/^\.?\/+/u, '').replace(/\/+$/u, '');
  if (folder === '' || folder === '.' || contents.files.length === 0) return contents;
  const files = contents.files.filter((file) => file.path.startsWith(`${folder}/`));
  const left = contents.files.length - files.length;
  const notes = left === 0 ? [] : [`Files outside of ${folder} that changed as well: ${left}.`];
  return { ...contents, files, notes: [...contents.notes, ...notes] };
}

/** `Ada Lovelace <ada@example.com>` without the address. */
function nameIn(author: string): string {
  return author.replace(/\s*<[^>]*>\s*$/u, '');
}

function versionOf({ source }: Synced): string | null {
  const target = source?.targetRevision ?? null;
  return target !== null && /\d/u.test(target) ? target : null;
}

function shortRevision({ revision, source }: Synced): string | null {
  return revision?.slice(0, 10) ?? source?.targetRevision ?? null;
}

/** Argo CD's panel *History and rollback*, at the entry before the newest. */
function rollbackPage(url: string, ran: Synced): Undo | null {
  const revision = ran.revision ?? '';
  const isPlain = /^[\w.-]{1,80}$/u.test(revision);
  const at = Date.parse(ran.deployedAt);
  if ((!isPlain && ran.id == null) || Number.isNaN(at)) return null;
  const what = isPlain ? revision.slice(0, 10) : `entry ${ran.id}`;
  const when = `deployed at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    by: 'sync',
    type: 'info',
    content: `On ${url}?rollback=1 press Rollback at ${what}, ${when}. Automatic sync has to be off.`,
  };
}
