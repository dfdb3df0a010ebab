import { expect, it, onTestFinished } from 'vitest';
import { createBudget, UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createGitHubSource } from '../../../../src/service/telemetry/changes/github.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();
const SHA = { old: 'aaaaaaaaaaaa', failed: 'bbbbbbbbbbbb', new: 'cccccccccccc' };

const deployment = (id: number, sha: string, ref: string, minutes: number, environment = 'production') => ({
  id,
  sha,
  ref,
  environment,
  description: null,
  created_at: minutesAgo(minutes),
});
const status = (state: string, minutes: number) => ({ state, created_at: minutesAgo(minutes) });
const commit = (sha: string, message: string, name: string) => ({
  sha,
  commit: { message, author: { name } },
});

/** A repository of which 1.4.0 ran, 1.4.1 failed to, and 1.5.0 runs. */
async function press(over: Record<string, Route> = {}) {
  const statuses = (id: number, ...all: object[]): Record<string, Route> => ({
    [`/repos/acme/press/deployments/${id}/statuses`]: { parameters: ['per_page'], answer: () => all },
  });
  const { url, calls } = await scriptedSource({
    '/repos/acme/press/deployments': {
      parameters: ['per_page'],
      answer: () => [
        deployment(4, SHA.new, 'v1.5.0', 12),
        deployment(3, SHA.failed, 'v1.4.1', 30),
        deployment(2, SHA.new, 'v1.5.0', 90, 'staging'),
        deployment(1, SHA.old, 'v1.4.0', 9000),
      ],
    },
    ...statuses(1, status('inactive', 10), status('success', 8990)),
    ...statuses(2, status('success', 89)),
    ...statuses(3, status('failure', 28), status('in_progress', 29), status('queued', 30)),
    ...statuses(4, status('success', 8), status('in_progress', 10), status('waiting', 12)),
    [`/repos/acme/press/compare/${SHA.old}...${SHA.failed}`]: { answer: () => new Refusal(403) },
    [`/repos/acme/press/compare/${SHA.old}...${SHA.new}`]: {
      answer: () => ({
        status: 'ahead',
        total_commits: 2,
        commits: [
          commit('9999999', 'Try less often', 'Grace'),
          commit(SHA.new, 'Charge in euros\n\nLong.', 'Ada'),
        ],
        files: [
          {
            filename: 'package-lock.json',
            patch: '@@ -1,3 +1,3 @@\n-    "version": "1.4.0"\n+    "version": "1.5.0"',
          },
          { filename: 'src/charge.ts', patch: '@@ -7 +7 @@ charge()\n-  a\n+  b' },
          { filename: 'logo.png' },
        ],
      }),
    },
    ...over,
  });
  const source = createGitHubSource({ url, repositories: ['acme/press'], token: 'hush' });
  onTestFinished(() => source.close());
  return { source, calls, url };
}

it('a deployment says what changed since the version that ran: commits, authors, files, small diffs first', async () => {
  const { source, calls, url } = await press();
  expect(await source.changes(WINDOW, UNLIMITED)).toEqual({
    known: true,
    value: [
      {
        at: NOON - 29 * 60_000,
        service: 'press',
        kind: 'deploy',
        title: 'Failed to deploy press v1.4.1 to production',
        version: null,
        ref: SHA.failed,
        url: `${url}/acme/press/commit/${SHA.failed}`,
        details: null,
        before: 'v1.4.0',
      },
      {
        at: NOON - 10 * 60_000,
        service: 'press',
        kind: 'deploy',
        title: 'Deployed press v1.5.0 to production',
        version: 'v1.5.0',
        ref: SHA.new,
        url: `${url}/acme/press/commit/${SHA.new}`,
        before: 'v1.4.0',
        authors: ['Ada', 'Grace'],
        files: ['package-lock.json', 'src/charge.ts', 'logo.png'],
        details: [
          'cccccccccc Charge in euros (Ada)',
          '9999999 Try less often (Grace)',
          'package-lock.json',
          'src/charge.ts',
          'logo.png',
          '--- a/src/charge.ts',
          '+++ b/src/charge.ts',
          '@@ -7 +7 @@ charge()',
          '-  a',
          '+  b',
          '--- a/package-lock.json',
          '+++ b/package-lock.json',
          '@@ -1,3 +1,3 @@',
          '-    "version": "1.4.0"',
          '+    "version": "1.5.0"',
        ].join('\n'),
      },
    ],
    caveats: [
      expect.stringMatching(
        /^What “Failed to deploy press v1\.4\.1 to production” changed could not be read: GitHub at .* refused the credentials \(403\): check that GITHUB_TOKEN may read the deployments and contents of GITHUB_REPOSITORIES\.$/u,
      ),
    ],
  });
  expect(calls[0]?.headers).toMatchObject({
    authorization: 'Bearer hush',
    accept: 'application/vnd.github+json',
    'user-agent': 'gumshoe',
  });
});

it('what was read between two commits is not asked for again', async () => {
  const { source, calls } = await press();
  const compared = () => calls.filter(({ path }) => path.endsWith(`compare/${SHA.old}...${SHA.new}`)).length;
  const first = await source.changes(WINDOW, UNLIMITED);
  expect(await source.changes(WINDOW, UNLIMITED)).toEqual(first);
  expect(compared()).toBe(1);
});

it('a rollback shows what it takes back, the other way round', async () => {
  const back = (from: string, to: string): Record<string, Route> => ({
    [`/repos/acme/press/compare/${from}...${to}`]: {
      answer: () => ({ status: 'behind', behind_by: 1, total_commits: 0, commits: [], files: [] }),
    },
  });
  const { source } = await press({
    '/repos/acme/press/deployments': {
      parameters: ['per_page'],
      answer: () => [deployment(4, SHA.old, 'v1.4.0', 12), deployment(1, SHA.new, 'v1.5.0', 90)],
    },
    ...back(SHA.new, SHA.old),
  });
  const [change] = await answerOf(source.changes(WINDOW, UNLIMITED));
  expect(change).toMatchObject({ version: 'v1.4.0', before: 'v1.5.0' });
  expect(change?.details).toContain('Back to an earlier commit: these 2 commits are taken back.');
  expect(change?.details).toContain('@@ -7 +7 @@ charge()\n+  a\n-  b');
});

it('what the version before had and this one lacks is said to be missing', async () => {
  const { source } = await press({
    [`/repos/acme/press/compare/${SHA.old}...${SHA.new}`]: {
      answer: () => ({
        status: 'diverged',
        behind_by: 3,
        total_commits: 400,
        commits: [commit('9999999', 'A', 'B')],
      }),
    },
  });
  const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
  expect(changes.at(-1)?.details).toBe(
    '9999999 A (B)\nThe version before has 3 more commits that this one lacks; they are not shown.\nGitHub lists 1 of 400 commits.',
  );
});

it('a deployment that waits for its approval has changed nothing', async () => {
  const { source } = await press({
    '/repos/acme/press/deployments/4/statuses': {
      parameters: ['per_page'],
      answer: () => [status('waiting', 12)],
    },
  });
  const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
  expect(changes.map(({ title }) => title)).toEqual(['Failed to deploy press v1.4.1 to production']);
});

it('a secret in a diff is not shown, and a title makes no line of its own', async () => {
  const { source } = await press({
    [`/repos/acme/press/compare/${SHA.old}...${SHA.new}`]: {
      answer: () => ({
        status: 'ahead',
        commits: [commit('9999999', 'A\r+ forged', 'B\n+ forged')],
        files: [
          { filename: 'a\n+ forged.ts', patch: '@@ -0,0 +1 @@\n+url: postgres://shop:hush-hush@db/shop' },
        ],
      }),
    },
  });
  const changes = await answerOf(source.changes(WINDOW, UNLIMITED));
  const details = changes.at(-1)?.details ?? '';
  expect(details).not.toContain('hush-hush');
  expect(details).not.toMatch(/^\+ forged/mu);
});

it('the check goes on without a repository that is refused, and says what may not be read', async () => {
  const { url } = await scriptedSource({
    '/repos/acme/press/deployments': {
      parameters: ['per_page'],
      answer: () => [deployment(1, SHA.new, 'v1.5.0', 12)],
    },
    [`/repos/acme/press/compare/${SHA.new}...${SHA.new}`]: { answer: () => new Refusal(403) },
    '/repos/acme/ink/deployments': { parameters: ['per_page'], answer: () => [] },
    '/repos/acme/secret/deployments': { parameters: ['per_page'], answer: () => new Refusal(404) },
  });
  const checked = async (...repositories: string[]) => {
    const source = createGitHubSource({ url, repositories, token: 'hush' });
    onTestFinished(() => source.close());
    return source.check(UNLIMITED);
  };
  expect(await checked('acme/press', 'acme/secret')).toMatchObject({
    ok: false,
    summary: 'GitHub answers (repositories: 2, deployments: 1).',
    details: [
      expect.stringMatching(
        /\(404\): check GITHUB_API_URL and GITHUB_REPOSITORIES, and that GITHUB_TOKEN may read/u,
      ),
      expect.stringMatching(
        /^What a deploy of acme\/press changed cannot be read: GitHub at .* \(403\): check/u,
      ),
    ],
  });
  expect(await checked('acme/ink')).toMatchObject({
    ok: true,
    details: ['acme/ink has no deployment: GitHub has none of its deploys.'],
  });
});

it.each([
  ['https://api.github.com', 'https://github.com/acme/press.git'],
  ['https://api.acme.ghe.com', 'https://acme.ghe.com/acme/press'],
  ['https://github.example.com/api/v3', 'git@github.example.com:acme/press.git'],
])('of the repositories of %s, %s is one, and the same path elsewhere is not', async (api, address) => {
  const source = createGitHubSource({ url: api, repositories: ['acme/press'], token: 'hush' });
  onTestFinished(() => source.close());
  const nothing = createBudget({ requests: 0, ms: 1000 }, { clock: manualClock(NOON) });
  onTestFinished(() => nothing.end());
  const commits = { from: SHA.old, to: SHA.new };
  expect(await source.compareAt(address, commits, nothing)).toMatchObject({ known: false });
  for (const other of ['https://git.example.com/acme/press', address.replace('press', 'ink')])
    expect(source.compareAt(other, commits, nothing)).toBe(null);
});
