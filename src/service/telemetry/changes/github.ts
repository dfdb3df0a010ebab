import { z } from 'zod';
import type { Budget } from '../budget.ts';
import { askJson, createSourceClient } from '../http.ts';
import { known, mapped } from '../model.ts';
import type { OpenSource } from '../source.ts';
import { type Contents, reversed } from './contents.ts';
import { createDeploymentsSource, type Deployment, type Repositories } from './deployments.ts';

/** GitHub rejects requests without a user agent. */
const HEADERS = { accept: 'application/vnd.github+json', 'user-agent': 'gumshoe' };

const Deployments = z.array(
  z.looseObject({
    id: z.number(),
    sha: z.string(),
    ref: z.string(),
    environment: z.string().nullish(),
    description: z.string().nullish(),
    created_at: z.string(),
  }),
);

const Statuses = z.array(z.looseObject({ state: z.string(), created_at: z.string() }));
type Statuses = z.infer<typeof Statuses>;

const OUTCOMES: Readonly<Record<string, Deployment['outcome']>> = {
  failure: 'failed',
  error: 'failed',
  in_progress: 'running',
  waiting: 'waiting',
  queued: 'waiting',
  pending: 'waiting',
};

const Comparison = z.looseObject({
  status: z.string(),
  behind_by: z.number().nullish(),
  total_commits: z.number().nullish(),
  commits: z.array(
    z.looseObject({
      sha: z.string(),
      commit: z.looseObject({
        message: z.string(),
        author: z.looseObject({ name: z.string().nullish() }).nullish(),
      }),
    }),
  ),
  files: z.array(z.looseObject({ filename: z.string(), patch: z.string().nullish() })).nullish(),
});
type Comparison = z.infer<typeof Comparison>;

/** Deployments of repositories, of github.com or a GitHub Enterprise. */
export function createGitHubSource({
  url,
  repositories,
  token,
}: {
  /** Of its API. */
  url: string;
  repositories: readonly string[];
  token?: string | undefined;
}): OpenSource & Repositories {
  const site = siteOf(url);
  const address = {
    title: 'GitHub',
    variable: 'GITHUB',
    location:
      'GITHUB_API_URL and GITHUB_REPOSITORIES, and that GITHUB_TOKEN may read their deployments and contents',
    credentials: 'that GITHUB_TOKEN may read the deployments and contents of GITHUB_REPOSITORIES',
    url,
    token,
  };
  const http = createSourceClient(address);
  const ask = <T>(path: string, schema: z.ZodType<T>, budget: Budget, perPage?: number) => {
    const parameters = perPage === undefined ? [] : ([['per_page', `${perPage}`]] as const);
    return askJson({ http, address }, { path, parameters, headers: HEADERS }, schema, budget);
  };
  const between = (repository: string, from: string, to: string, budget: Budget) =>
    ask(`/repos/${repository}/compare/${from}...${to}`, Comparison, budget);

  return createDeploymentsSource({
    name: 'github',
    title: 'GitHub',
    hostname: site.hostname,
    noun: 'repositories',
    repositories,
    deployments: async (repository, budget) =>
      mapped(await ask(`/repos/${repository}/deployments`, Deployments, budget, 100), (all) =>
        all
          .map(({ id, sha, ref, environment = null, description = null, created_at }) => ({
            id,
            at: Date.parse(created_at),
            sha,
            ref,
            environment,
            outcome: 'unknown' as const,
            description,
          }))
          .filter(({ at }) => !Number.isNaN(at))
          .sort((a, b) => b.at - a.at),
      ),
    followed: async (repository, deployment, budget) => {
      const path = `/repos/${repository}/deployments/${deployment.id}/statuses`;
      return mapped(await ask(path, Statuses, budget, 100), (all) => following(deployment, all));
    },
    compare: async (repository, { from, to }, budget) => {
      const reading = await between(repository, from, to, budget);
      if (!reading.known) return reading;
      const { status, behind_by } = reading.value;
      // Compared with its own past, a commit has nothing new: what a rollback changes is the way back.
      if (status === 'behind')
        return mapped(await between(repository, to, from, budget), (comparison) =>
          reversed({
            ...contentsOf(comparison),
            notes: [`Back to an earlier commit: these ${comparison.commits.length} commits are taken back.`],
          }),
        );
      const lost =
        status === 'diverged' && behind_by
          ? [`The version before has ${behind_by} more commits that this one lacks; they are not shown.`]
          : [];
      const contents = contentsOf(reading.value);
      return known({ ...contents, notes: [...lost, ...contents.notes] }, reading.caveats);
    },
    commitPage: (repository, commit) => `${site.href.replace(/\/$/u, '')}/${repository}/commit/${commit}`,
    close: http.close,
  });
}

/** Where people and git find what an API is of: `api.github.com`, `api.acme.ghe.com`, `github.example.com/api/v3`. */
function siteOf(api: string): URL {
  const site = new URL(api);
  site.hostname = site.hostname.replace(/^api\./u, '');
  site.pathname = site.pathname.replace(/\/api\/v3\/?$/u, '');
  return site;
}

/** Once a success, it ran, whatever replaced it; it began when work on it did, which may have waited for an approval. */
function following(deployment: Deployment, statuses: Statuses): Deployment {
  const inOrder = statuses
    .map(({ state, created_at }) => ({ state, at: Date.parse(created_at) }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => a.at - b.at);
  const begun = inOrder.find(({ state }) => state === 'in_progress' || state === 'success');
  const hasRun = inOrder.some(({ state }) => state === 'success');
  const outcome = hasRun ? 'success' : (OUTCOMES[inOrder.at(-1)?.state ?? ''] ?? 'unknown');
  return { ...deployment, outcome, at: begun?.at ?? deployment.at };
}

function contentsOf({ commits, files, total_commits }: Comparison): Contents {
  const missing = (total_commits ?? commits.length) - commits.length;
  return {
    commits: commits
      .map(({ sha, commit }) => ({ id: sha, title: commit.message, author: commit.author?.name ?? null }))
      .reverse(),
    files: (files ?? []).map(({ filename, patch }) => ({ path: filename, diff: patch ?? '' })),
    notes: missing > 0 ? [`GitHub lists ${commits.length} of ${total_commits} commits.`] : [],
  };
}
