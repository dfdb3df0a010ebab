import { z } from 'zod';
import type { Budget } from '../budget.ts';
import { askJson, createSourceClient } from '../http.ts';
import { known, mapped } from '../model.ts';
import type { OpenSource } from '../source.ts';
import { createDeploymentsSource, type Deployment, type Repositories } from './deployments.ts';

const Deployments = z.array(
  z.looseObject({
    id: z.number(),
    sha: z.string(),
    ref: z.string(),
    status: z.string(),
    created_at: z.string(),
    environment: z.looseObject({ name: z.string() }).nullish(),
    deployable: z.looseObject({ started_at: z.string().nullish() }).nullish(),
  }),
);

const Comparison = z.looseObject({
  commits: z
    .array(z.looseObject({ id: z.string(), title: z.string(), author_name: z.string().nullish() }))
    .nullish(),
  diffs: z
    .array(z.looseObject({ old_path: z.string(), new_path: z.string(), diff: z.string().nullish() }))
    .nullish(),
  compare_timeout: z.boolean().nullish(),
});

/** Others only wait, or were canceled before they did anything. */
const OUTCOMES: Readonly<Record<string, Deployment['outcome']>> = {
  success: 'success',
  running: 'running',
  failed: 'failed',
};

/** Deployments of projects, of gitlab.com or an own GitLab. */
export function createGitLabSource({
  url,
  projects,
  token,
}: {
  url: string;
  projects: readonly string[];
  token?: string | undefined;
}): OpenSource & Repositories {
  const address = {
    title: 'GitLab',
    variable: 'GITLAB',
    location: 'GITLAB_URL and GITLAB_PROJECTS, and that GITLAB_TOKEN has the scope read_api',
    credentials: 'that GITLAB_TOKEN has the scope read_api, and is of a member of GITLAB_PROJECTS',
    url,
    token,
  };
  const http = createSourceClient(address);
  const ask = <T>(
    project: string,
    path: string,
    parameters: readonly (readonly [string, string])[],
    schema: z.ZodType<T>,
    budget: Budget,
  ) =>
    askJson(
      { http, address },
      { path: `/api/v4/projects/${encodeURIComponent(project)}${path}`, parameters },
      schema,
      budget,
    );
  const newest = [
    ['order_by', 'created_at'],
    ['sort', 'desc'],
    ['per_page', '100'],
  ] as const;

  return createDeploymentsSource({
    name: 'gitlab',
    title: 'GitLab',
    hostname: new URL(url).hostname,
    noun: 'projects',
    repositories: projects,
    deployments: async (project, budget) =>
      mapped(await ask(project, '/deployments', newest, Deployments, budget), (all) =>
        all
          .flatMap(({ id, sha, ref, status, created_at, environment, deployable }) => {
            const outcome = OUTCOMES[status];
            // A deployment is created with its pipeline, which may wait for somebody to start the job.
            const at = Date.parse(deployable?.started_at ?? created_at);
            if (outcome === undefined || Number.isNaN(at)) return [];
            return { id, at, sha, ref, environment: environment?.name ?? null, outcome, description: null };
          })
          .sort((a, b) => b.at - a.at),
      ),
    followed: async (_project, deployment) => known(deployment),
    compare: async (project, { from, to }, budget) => {
      const parameters = [
        ['from', from],
        ['to', to],
        // From one tree to the other, so that a rollback is shown as well.
        ['straight', 'true'],
      ] as const;
      const reading = await ask(project, '/repository/compare', parameters, Comparison, budget);
      return mapped(reading, ({ commits, diffs, compare_timeout }) => ({
        commits: (commits ?? [])
          .map(({ id, title, author_name }) => ({ id, title, author: author_name ?? null }))
          .reverse(),
        files: (diffs ?? []).map(({ new_path, diff }) => ({ path: new_path, diff: diff ?? '' })),
        notes: compare_timeout === true ? ['GitLab gave up comparing them: files are missing here.'] : [],
      }));
    },
    commitPage: (project, commit) => `${http.base}/${project}/-/commit/${commit}`,
    close: http.close,
  });
}
