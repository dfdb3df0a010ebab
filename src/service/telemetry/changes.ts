import { z } from 'zod';
import type { ReportedChange } from '../store/changes.ts';
import type { Budget } from './budget.ts';
import { mergeAnswers, partialSource } from './combined.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import { type Answer, type Change, known, mapped, type Undo, type Window } from './model.ts';
import type { OpenSource, TelemetrySource } from './source.ts';
import { isName } from './undo.ts';

const GITHUB = 'github';
/** GitHub rejects requests without a user agent. */
const HEADERS = { accept: 'application/vnd.github+json', 'user-agent': 'gumshoe' };

const Deployments = z.array(
  z.looseObject({
    sha: z.string(),
    ref: z.string(),
    environment: z.string().nullish(),
    description: z.string().nullish(),
    created_at: z.string(),
  }),
);

/** Deployments of repositories; each is attributed to the service of the repository's name. */
export function createGitHubSource(
  { repositories, token }: { repositories: readonly string[]; token: string | null },
  url = 'https://api.github.com',
): OpenSource {
  const address = {
    title: 'GitHub',
    variable: 'GITHUB',
    location: 'GITHUB_REPOSITORIES, and that GITHUB_TOKEN may read their deployments',
    credentials: 'that GITHUB_TOKEN may read the deployments of GITHUB_REPOSITORIES',
    url,
    ...(token !== null && { token }),
  };
  const http = createSourceClient(address);

  const read = async (repository: string, budget: Budget): Promise<Answer<Change[]>> => {
    const request = {
      path: `/repos/${repository}/deployments`,
      parameters: [['per_page', '100']] as const,
      headers: HEADERS,
    };
    const answer = await askJson({ http, address }, request, Deployments, budget);
    return mapped(answer, (all) => all.map((one) => deployed(one, repository)));
  };
  const readAll = async (budget: Budget) =>
    mergeAnswers(await Promise.all(repositories.map((repository) => read(repository, budget))));

  return {
    ...partialSource({
      name: GITHUB,
      changes: async (window, budget) => {
        const answer = await readAll(budget);
        return mapped(answer, (all) => within(all, window));
      },
      check: async (budget) => {
        const answer = await readAll(budget);
        return answer.known
          ? {
              name: GITHUB,
              ok: answer.caveats.length === 0,
              summary: `GitHub answers: ${answer.value.length} deployments of ${repositories.length} repositories.`,
              details: answer.caveats,
            }
          : { name: GITHUB, ok: false, summary: answer.reason, details: [] };
      },
    }),
    close: http.close,
  };
}

function deployed(
  { sha, ref, environment, description, created_at }: z.infer<typeof Deployments>[number],
  repository: string,
): Change {
  const service = repository.slice(repository.indexOf('/') + 1);
  return {
    at: Date.parse(created_at),
    service,
    kind: 'deploy',
    title: `Deployed ${service} ${ref === sha ? sha.slice(0, 10) : ref}${environment ? ` to ${environment}` : ''}`,
    version: /\d/u.test(ref) && ref !== sha ? ref : null,
    ref: sha,
    url: `https://github.com/${repository}/commit/${sha}`,
    details: description ? description : null,
  };
}

function within(changes: readonly Change[], { from, to }: Window): Change[] {
  return changes.filter(({ at }) => at >= from && at < to).sort((a, b) => a.at - b.at);
}

const ARGOCD = 'argocd';

const Origin = z.looseObject({ targetRevision: z.string().nullish(), repoURL: z.string().nullish() });
const Applications = z.looseObject({
  items: z
    .array(
      z.looseObject({
        metadata: z.looseObject({ name: z.string(), namespace: z.string().nullish() }),
        status: z
          .looseObject({
            history: z
              .array(
                z.looseObject({
                  id: z.number().nullish(),
                  revision: z.string().nullish(),
                  deployedAt: z.string(),
                  source: Origin.nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

/** Deploys, from the history of every application in Argo CD. */
export function createArgoCdSource(settings: SourceSettings): OpenSource {
  const address = { title: 'Argo CD', variable: 'ARGOCD', ...settings };
  const http = createSourceClient(address);
  const read = (budget: Budget) =>
    askJson({ http, address }, { path: '/api/v1/applications' }, Applications, budget);

  return {
    ...partialSource({
      name: ARGOCD,
      changes: async (window, budget) => {
        const answer = await read(budget);
        return mapped(answer, (all) => changesIn(all, window, http.base));
      },
      check: async (budget) => {
        const answer: Answer<z.infer<typeof Applications>> = await read(budget);
        return answer.known
          ? {
              name: ARGOCD,
              ok: true,
              summary: `Argo CD at ${http.base} answers: ${answer.value.items?.length ?? 0} applications.`,
              details: [],
            }
          : { name: ARGOCD, ok: false, summary: answer.reason, details: [] };
      },
    }),
    close: http.close,
  };
}

function changesIn({ items }: z.infer<typeof Applications>, window: Window, base: string): Change[] {
  return (items ?? [])
    .flatMap(({ metadata, status }) => {
      const history = status?.history ?? [];
      const url = `${base}/applications/${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
      const isPage = isName(metadata.name) && isName(metadata.namespace || 'argocd');
      return history.map((synced, i): Change => {
        const { revision, deployedAt } = synced;
        const ran = history[i - 1];
        // Only what has been synced is in the history, so that the entry before the newest is what ran.
        const isNewest = i === history.length - 1;
        return {
          at: Date.parse(deployedAt),
          service: metadata.name,
          kind: 'deploy',
          title: `Argo CD synced ${metadata.name} to ${shortRevision(synced) ?? 'a new revision'}`,
          version: versionOf(synced),
          ref: revision ?? null,
          url,
          details: synced.source?.repoURL ?? null,
          ...(isNewest && ran !== undefined
            ? { before: versionOf(ran), undo: isPage ? rollbackPage(url, ran) : null }
            : {}),
        };
      });
    })
    .filter(({ at }) => at >= window.from && at < window.to)
    .sort((a, b) => a.at - b.at);
}

type Synced = NonNullable<
  NonNullable<NonNullable<z.infer<typeof Applications>['items']>[number]['status']>['history']
>[number];

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

/** The version that ran before was reported at most this long ago. */
const REPORTED_BEFORE_MS = 14 * 24 * 3_600_000;

/** Changes reported by pipelines (`POST /changes`), as another source. */
export function createReportedChanges(store: {
  within(window: { from: number; to: number }): Promise<ReportedChange[]>;
}): TelemetrySource {
  return partialSource({
    name: 'changes',
    changes: async (window) =>
      known(
        (await store.within({ ...window, from: window.from - REPORTED_BEFORE_MS }))
          .map(({ at, service, kind, title, version, url }, i, all) => ({
            at,
            service,
            kind,
            title,
            version,
            ref: null,
            url,
            details: null,
            before: all.findLast(
              (other, j) =>
                j < i && other.service === service && other.kind === kind && other.version !== null,
            )?.version,
          }))
          .filter(({ at }) => at >= window.from)
          .map(({ before, ...change }) =>
            change.version === null || before == null || before === change.version
              ? change
              : { ...change, before },
          ),
      ),
    check: async () => ({
      name: 'changes',
      ok: true,
      summary: 'Changes are taken at POST /changes.',
      details: [],
    }),
  });
}
