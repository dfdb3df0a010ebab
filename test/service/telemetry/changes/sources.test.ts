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

it('the newest sync of an application has the page that rolls it back to what was synced before', async () => {
  const sync = (id: number, revision: string | null, targetRevision: string, minutes: number) => ({
    id,
    revision,
    deployedAt: minutesAgo(minutes),
    source: { targetRevision },
  });
  const changesOf = async (name: string, history: object[]) => {
    const { url } = await scriptedSource({
      '/api/v1/applications': {
        answer: () => ({ items: [{ metadata: { name, namespace: 'argocd' }, status: { history } }] }),
      },
    });
    const source = createArgoCdSource({ url, token: 'hush' });
    onTestFinished(() => source.close());
    const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
    return changes.map(({ before, undo }) => ({
      before,
      undo: undo?.content.replace(url, 'https://cd.example'),
    }));
  };
  const first = sync(3, 'fff', '1.3.0', 90);
  const second = sync(4, '0123456789abcdef', '1.4.0', 50);
  expect(await changesOf('press', [first, second, sync(5, 'eee', '1.5.0', 10)])).toEqual([
    { before: undefined, undo: undefined },
    {
      before: '1.4.0',
      undo: 'On https://cd.example/applications/argocd/press?rollback=1 press Rollback at 0123456789, deployed at 2026-06-01 11:10 UTC. Automatic sync has to be off.',
    },
  ]);
  expect(await changesOf('press', [sync(4, '<!here>', 'HEAD', 90), second])).toEqual([
    {
      before: null,
      undo: 'On https://cd.example/applications/argocd/press?rollback=1 press Rollback at entry 4, deployed at 2026-06-01 10:30 UTC. Automatic sync has to be off.',
    },
  ]);
  expect(await changesOf('press and run this', [first, second])).toEqual([
    { before: '1.3.0', undo: undefined },
  ]);
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
