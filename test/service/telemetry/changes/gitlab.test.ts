import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createGitLabSource } from '../../../../src/service/telemetry/changes/gitlab.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const minutesAgo = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();
const PROJECT = '/api/v4/projects/acme%2Fshop%2Fpress';

const deployment = (id: number, sha: string, ref: string, status: string, minutes: number) => ({
  id,
  iid: id,
  sha,
  ref,
  status,
  created_at: minutesAgo(minutes + 500),
  environment: { id: 1, name: 'production' },
  deployable: { started_at: status === 'blocked' ? null : minutesAgo(minutes) },
});

async function press(compare: Route['answer']) {
  const { url, calls } = await scriptedSource({
    [`${PROJECT}/deployments`]: {
      parameters: ['order_by', 'sort', 'per_page'],
      answer: () => [
        deployment(5, 'dddddddd', 'v1.6.0', 'blocked', 0),
        deployment(4, 'cccccccc', 'v1.5.0', 'success', 10),
        deployment(3, 'bbbbbbbb', 'v1.4.1', 'failed', 20),
        deployment(2, 'aaaaaaaa', 'v1.4.0', 'success', 900),
      ],
    },
    [`${PROJECT}/repository/compare`]: { parameters: ['from', 'to', 'straight'], answer: compare },
  });
  const source = createGitLabSource({ url, projects: ['acme/shop/press'], token: 'hush' });
  onTestFinished(() => source.close());
  return { source, calls, url };
}

it('a deployment says what changed since the version that ran', async () => {
  const { source, calls, url } = await press(({ parameters: { from, to } }) => ({
    commits: [
      { id: '1111111111', title: `From ${from}`, author_name: 'Ada' },
      { id: '2222222222', title: `To ${to}`, author_name: 'Grace' },
    ],
    diffs: [
      { old_path: 'a.rb', new_path: 'b.rb', diff: '@@ -1 +1 @@\n-x\n+y\n' },
      { old_path: 'big.sql', new_path: 'big.sql', diff: '', too_large: true },
    ],
    compare_timeout: to === 'bbbbbbbb',
  }));
  const common = { service: 'press', kind: 'deploy', before: 'v1.4.0', authors: ['Grace', 'Ada'] };
  const diff = ['b.rb', 'big.sql', '--- a/b.rb', '+++ b/b.rb', '@@ -1 +1 @@', '-x', '+y'];
  expect(await source.changes(WINDOW, UNLIMITED)).toEqual({
    known: true,
    caveats: [],
    value: [
      {
        ...common,
        at: NOON - 20 * 60_000,
        title: 'Failed to deploy press v1.4.1 to production',
        version: null,
        ref: 'bbbbbbbb',
        url: `${url}/acme/shop/press/-/commit/bbbbbbbb`,
        files: ['b.rb', 'big.sql'],
        details: [
          '2222222222 To bbbbbbbb (Grace)',
          '1111111111 From aaaaaaaa (Ada)',
          'GitLab gave up comparing them: files are missing here.',
          ...diff,
        ].join('\n'),
      },
      {
        ...common,
        at: NOON - 10 * 60_000,
        title: 'Deployed press v1.5.0 to production',
        version: 'v1.5.0',
        ref: 'cccccccc',
        url: `${url}/acme/shop/press/-/commit/cccccccc`,
        files: ['b.rb', 'big.sql'],
        details: ['2222222222 To cccccccc (Grace)', '1111111111 From aaaaaaaa (Ada)', ...diff].join('\n'),
      },
    ],
  });
  expect(calls[0]?.headers).toMatchObject({ authorization: 'Bearer hush' });
  expect(await source.check(UNLIMITED)).toMatchObject({
    ok: true,
    summary: 'GitLab answers (projects: 1, deployments: 3).',
  });
});

it('what may not be compared is said with the scope that is missing, and the deployment stays', async () => {
  const { source } = await press(() => new Refusal(403));
  const answer = await source.changes(WINDOW, UNLIMITED);
  expect(answer).toMatchObject({
    known: true,
    value: [{ details: null }, { version: 'v1.5.0', details: null }],
  });
  expect(answer).toMatchObject({
    caveats: [
      expect.anything(),
      expect.stringMatching(/GITLAB_TOKEN has the scope read_api, and is of a member/u),
    ],
  });
  expect(await source.check(UNLIMITED)).toMatchObject({ ok: false });
});
