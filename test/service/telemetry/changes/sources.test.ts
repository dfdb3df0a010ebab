import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createArgoCdSource, createGitHubSource } from '../../../../src/service/telemetry/changes.ts';
import { Refusal, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

it('Argo CD tells of the deploys of every application', async () => {
  const sync = (revision: string, deployedAt: string) => ({
    id: 1,
    revision,
    deployedAt,
    source: { repoURL: 'https://git.example.com/print.git', path: 'press', targetRevision: 'HEAD' },
  });
  const history = [sync('0123456789abcdef', minutesAgo(10)), sync('fff', minutesAgo(90))];
  const { url } = await scriptedSource({
    '/api/v1/applications': {
      answer: () => ({ items: [{ metadata: { name: 'press', namespace: 'argocd' }, status: { history } }] }),
    },
  });
  const source = createArgoCdSource({ url, token: 'hush' });
  onTestFinished(() => source.close());
  expect(await answerOf(source.changes(WINDOW, UNLIMITED))).toEqual([
    {
      at: NOON - 600_000,
      service: 'press',
      kind: 'deploy',
      title: 'Argo CD synced press to 0123456789',
      version: null,
      ref: '0123456789abcdef',
      url: `${url}/applications/argocd/press`,
      details: 'https://git.example.com/print.git',
    },
  ]);
  expect(await source.check(UNLIMITED)).toMatchObject({ ok: true });
});

it('GitHub tells of the deployments of each repository, and goes on without one that it refuses', async () => {
  const deployment = {
    id: 1,
    sha: '0123456789abcdef',
    ref: 'v1.5.0',
    environment: 'production',
    description: null,
    created_at: minutesAgo(10),
  };
  const { url, calls } = await scriptedSource({
    '/repos/acme/press/deployments': { parameters: ['per_page'], answer: () => [deployment] },
    '/repos/acme/secret/deployments': { parameters: ['per_page'], answer: () => new Refusal(403) },
  });
  const source = createGitHubSource({ repositories: ['acme/press', 'acme/secret'], token: 'hush' }, url);
  onTestFinished(() => source.close());
  expect(await source.changes(WINDOW, UNLIMITED)).toEqual({
    known: true,
    value: [
      {
        at: NOON - 600_000,
        service: 'press',
        kind: 'deploy',
        title: 'Deployed press v1.5.0 to production',
        version: 'v1.5.0',
        ref: '0123456789abcdef',
        url: 'https://github.com/acme/press/commit/0123456789abcdef',
        details: null,
      },
    ],
    caveats: [
      expect.stringMatching(
        /GitHub at .* refused the credentials \(403\): check that GITHUB_TOKEN may read/u,
      ),
    ],
  });
  expect(calls[0]?.headers).toMatchObject({
    authorization: 'Bearer hush',
    accept: 'application/vnd.github+json',
    'user-agent': 'gumshoe',
  });
  expect(await source.check(UNLIMITED)).toMatchObject({ ok: false });
});
