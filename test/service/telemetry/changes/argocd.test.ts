import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createArgoCdSource } from '../../../../src/service/telemetry/changes/argocd.ts';
import { createGitHubSource } from '../../../../src/service/telemetry/changes/github.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

it('the deploys of every application are changes', async () => {
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
    '/api/v1/applications/press/revisions/0123456789abcdef/metadata': {
      parameters: ['appNamespace'],
      answer: ({ parameters }) => ({
        author: 'Ada Lovelace <ada@example.com>',
        date: minutesAgo(20),
        message: `Raise the limit in ${parameters.appNamespace}\n\nIt was too low.`,
      }),
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
      details: '0123456789 Raise the limit in argocd (Ada Lovelace)',
      authors: ['Ada Lovelace'],
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
      '/api/v1/applications/*': { parameters: ['appNamespace'], answer: () => ({}) },
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

/** Two applications in one repository, both synced to the same commit. */
async function synced(repoURL: string, routes: Record<string, Route> = {}) {
  const application = (name: string) => {
    const sync = (id: number, revision: string, minutes: number) => ({
      id,
      revision,
      deployedAt: minutesAgo(minutes),
      source: { repoURL, path: `apps/${name}`, targetRevision: 'HEAD' },
    });
    return { metadata: { name }, status: { history: [sync(1, 'aaaaaaa', 90), sync(2, 'bbbbbbb', 10)] } };
  };
  const { url, calls } = await scriptedSource({
    '/api/v1/applications': { answer: () => ({ items: [application('press'), application('ink')] }) },
    ...routes,
  });
  const github = await scriptedSource({
    '/repos/acme/deploy/compare/aaaaaaa...bbbbbbb': {
      answer: () => ({
        status: 'ahead',
        commits: [{ sha: 'bbbbbbb', commit: { message: 'Less memory', author: { name: 'Ada' } } }],
        files: [
          { filename: 'apps/press/values.yaml', patch: '@@ -1 +1 @@\n-memory: 1Gi\n+memory: 64Mi' },
          { filename: 'apps/pressure/values.yaml', patch: '@@ -1 +1 @@\n-a: 1\n+a: 2' },
        ],
      }),
    },
  });
  const repositories = createGitHubSource({ url: github.url, repositories: ['acme/deploy'] });
  const source = createArgoCdSource({ url }, { repositories: [repositories] });
  onTestFinished(() => Promise.all([source.close(), repositories.close()]).then(() => undefined));
  return { source, calls, asked: github.calls };
}

it.each([
  'https://127.0.0.1/acme/deploy.git',
  'git@127.0.0.1:Acme/deploy.git',
  'ssh://git@127.0.0.1/acme/deploy',
])(
  'what a sync changed is read from the configured repository %s, as far as it is the application’s',
  async (repoURL) => {
    const { source, asked } = await synced(repoURL);
    const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
    expect(
      changes.map(({ service, details, authors, files }) => ({ service, details, authors, files })),
    ).toEqual([
      {
        service: 'press',
        details: [
          'bbbbbbb Less memory (Ada)',
          'Files outside of apps/press that changed as well: 1.',
          'apps/press/values.yaml',
          '--- a/apps/press/values.yaml',
          '+++ b/apps/press/values.yaml',
          '@@ -1 +1 @@',
          '-memory: 1Gi',
          '+memory: 64Mi',
        ].join('\n'),
        authors: ['Ada'],
        files: ['apps/press/values.yaml'],
      },
      {
        service: 'ink',
        details: 'bbbbbbb Less memory (Ada)\nFiles outside of apps/ink that changed as well: 2.',
        authors: ['Ada'],
        files: undefined,
      },
    ]);
    expect(asked.length).toBeGreaterThan(0);
  },
);

it.each([
  'https://127.0.0.1/evil/deploy',
  'https://127.0.0.1.evil.example/acme/deploy',
  'http://169.254.169.254/acme/deploy',
])('nothing but Argo CD is asked about %s, which nobody configured', async (repoURL) => {
  const { source, asked, calls } = await synced(repoURL, {
    '/api/v1/applications/*': { answer: () => new Refusal(404) },
  });
  const answer = await source.changes(WINDOW, UNLIMITED);
  expect(answer).toMatchObject({ known: true, value: [{ details: repoURL }, { details: repoURL }] });
  expect(answer).toMatchObject({
    caveats: [
      expect.stringMatching(
        /^What “Argo CD synced press to bbbbbbb” changed could not be read: Argo CD at /u,
      ),
      expect.stringMatching(/^What “Argo CD synced ink/u),
    ],
  });
  expect(asked).toEqual([]);
  expect(calls).toHaveLength(3);
});

/** A chart with values from a repository that others use as well, and a folder beside it. */
function chartWithValues(chart: string, commit: string, minutes: number, id: number) {
  return {
    id,
    deployedAt: minutesAgo(minutes),
    revisions: [chart, commit, commit],
    sources: [
      {
        repoURL: 'https://charts.example.com',
        chart: 'press',
        targetRevision: '1.*',
        helm: { valueFiles: ['$values/press/values.yaml'] },
      },
      { repoURL: 'https://127.0.0.1/acme/deploy', targetRevision: 'HEAD', ref: 'values' },
      { repoURL: 'https://127.0.0.1/acme/deploy', targetRevision: 'HEAD', path: 'press/extra' },
    ],
  };
}

async function ofSeveralSources(history: object[], isReadable = true) {
  const { url, calls } = await scriptedSource({
    '/api/v1/applications': {
      answer: () => ({ items: [{ metadata: { name: 'press' }, status: { history } }] }),
    },
    '/api/v1/applications/press/revisions/bbbbbbb/metadata': {
      parameters: ['sourceIndex', 'versionId'],
      answer: ({ parameters }) => ({
        author: 'Ada',
        message: `Source ${parameters.sourceIndex} of entry ${parameters.versionId}`,
      }),
    },
  });
  const github = await scriptedSource({
    '/repos/acme/deploy/compare/aaaaaaa...bbbbbbb': {
      answer: () => ({
        status: 'ahead',
        commits: [{ sha: 'bbbbbbb', commit: { message: 'Less memory', author: { name: 'Ada' } } }],
        files: [
          { filename: 'press/values.yaml', patch: '@@ -1 +1 @@\n-memory: 1Gi\n+memory: 64Mi' },
          { filename: 'press/extra/job.yaml' },
          { filename: 'ink/values.yaml', patch: '@@ -1 +1 @@\n-a: 1\n+a: 2' },
        ],
      }),
    },
  });
  const repositories = createGitHubSource({
    url: github.url,
    repositories: isReadable ? ['acme/deploy'] : ['acme/other'],
  });
  const source = createArgoCdSource({ url }, { repositories: [repositories] });
  onTestFinished(() => Promise.all([source.close(), repositories.close()]).then(() => undefined));
  const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
  return { changes: changes.map((one) => ({ ...one, url: one.url?.replace(url, '') })), calls };
}

it('of an application with several sources each that changed is compared, as far as it is the application’s', async () => {
  const { changes } = await ofSeveralSources([
    chartWithValues('1.4.0', 'aaaaaaa', 90, 1),
    chartWithValues('1.5.0', 'bbbbbbb', 10, 2),
  ]);
  expect(changes).toEqual([
    {
      at: NOON - 600_000,
      service: 'press',
      kind: 'deploy',
      title: 'Argo CD synced press to 1.5.0 and bbbbbbb',
      version: '1.5.0',
      before: '1.4.0',
      ref: '1.5.0 bbbbbbb bbbbbbb',
      url: '/applications/press',
      undo: {
        by: 'sync',
        type: 'info',
        content: expect.stringContaining(
          'press Rollback at 1.4.0 and aaaaaaa, deployed at 2026-06-01 10:30 UTC.',
        ),
      },
      details: [
        'bbbbbbb Less memory (Ada)',
        'Chart press: 1.4.0 → 1.5.0.',
        'Files outside of press/values.yaml, press/extra that changed as well: 1.',
        'press/values.yaml',
        'press/extra/job.yaml',
        '--- a/press/values.yaml',
        '+++ b/press/values.yaml',
        '@@ -1 +1 @@',
        '-memory: 1Gi',
        '+memory: 64Mi',
      ].join('\n'),
      authors: ['Ada'],
      files: ['press/values.yaml', 'press/extra/job.yaml'],
    },
  ]);
});

it('only the source that changed says what is new, and Argo CD which of them it is', async () => {
  const history = [chartWithValues('1.4.0', 'aaaaaaa', 90, 1), chartWithValues('1.4.0', 'bbbbbbb', 10, 2)];
  const { changes } = await ofSeveralSources(history, false);
  expect(changes).toMatchObject([
    {
      title: 'Argo CD synced press to bbbbbbb',
      version: null,
      before: null,
      details: 'bbbbbbb Source 1 of entry 2 (Ada)',
    },
  ]);
});
