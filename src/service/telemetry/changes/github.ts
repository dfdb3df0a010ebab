import { z } from 'zod';
import { askJson } from '../ask-json.ts';
import type { Budget } from '../budget.ts';
import { createSourceClient } from '../http.ts';
import { mergeAnswers } from '../merge-answers.ts';
import { type Answer, type Change, known, type Window } from '../model.ts';
import { partialSource } from '../partial-source.ts';
import type { TelemetrySource } from '../source.ts';

const NAME = 'github';
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
): TelemetrySource & { close(): Promise<void> } {
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
    return answer.known ? known(answer.value.map((one) => changeOf(one, repository))) : answer;
  };
  const readAll = async (budget: Budget) =>
    mergeAnswers(await Promise.all(repositories.map((repository) => read(repository, budget))));

  return {
    ...partialSource({
      name: NAME,
      changes: async (window, budget) => {
        const answer = await readAll(budget);
        return answer.known ? known(within(answer.value, window), answer.caveats) : answer;
      },
      check: async (budget) => {
        const answer = await readAll(budget);
        return answer.known
          ? {
              name: NAME,
              ok: answer.caveats.length === 0,
              summary: `GitHub answers: ${answer.value.length} deployments of ${repositories.length} repositories.`,
              details: answer.caveats,
            }
          : { name: NAME, ok: false, summary: answer.reason, details: [] };
      },
    }),
    close: http.close,
  };
}

function changeOf(
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
