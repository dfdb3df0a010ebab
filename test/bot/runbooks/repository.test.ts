import { describe, expect, it } from 'vitest';
import { repositoryAt } from '../../../src/bot/runbooks/address.ts';
import { repositorySource } from '../../../src/bot/runbooks/repository.ts';

const clock = { now: () => 0 };
const HOSTS = { github: 'https://api.github.com', gitlab: 'https://git.acme.example/gitlab' };
const GITHUB = 'https://github.com/acme/runbooks/tree/main/on-call';
const GITLAB = 'https://git.acme.example/gitlab/acme/sre/runbooks/-/tree/v1/on-call';

describe('the address of a repository', () => {
  it('is one that people copy from their browser', () => {
    expect(repositoryAt(GITHUB, HOSTS)).toEqual({
      host: 'github',
      api: 'https://api.github.com',
      web: 'https://github.com',
      name: 'acme/runbooks',
      ref: 'main',
      folder: 'on-call',
    });
    expect(repositoryAt('https://github.com/acme/run.books.git', HOSTS)).toMatchObject({
      name: 'acme/run.books',
      ref: 'HEAD',
      folder: '',
    });
    expect(repositoryAt(GITLAB, HOSTS)).toEqual({
      host: 'gitlab',
      api: 'https://git.acme.example/gitlab/api/v4',
      web: 'https://git.acme.example/gitlab',
      name: 'acme/sre/runbooks',
      ref: 'v1',
      folder: 'on-call',
    });
    const enterprise = { ...HOSTS, github: 'https://github.acme.example/api/v3' };
    expect(repositoryAt('https://github.acme.example/acme/runbooks', enterprise)?.api).toBe(
      enterprise.github,
    );
  });

  it.each([
    'https://git.example/acme/runbooks',
    'https://github.com.evil.example/acme/runbooks',
    'https://user@github.com/acme/runbooks',
    'https://github.com/acme',
    'https://github.com/acme/runbooks/tree/main/..%2Fx',
    'https://git.acme.example/acme/runbooks',
  ])('is at a host whose token is configured: %s is refused', (address) => {
    expect(repositoryAt(address, HOSTS)).toBeNull();
  });
});

/** The two APIs, as their documents describe them. */
function hosts(asked: string[], answers: Record<string, unknown>): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const token = headers.get('authorization') ?? headers.get('private-token');
    const url = decodeURIComponent(String(input));
    asked.push(`${url} ${token}`);
    const found = Object.entries(answers).find(([part]) => url.includes(part))?.[1];
    if (typeof found === 'number') return new Response('{"message":"said"}', { status: found });
    return found === undefined ? new Response('{}', { status: 404 }) : Response.json(found);
  };
}

const base64 = (text: string) => ({ content: Buffer.from(text).toString('base64'), size: text.length });

function source(address: string, fetch: typeof globalThis.fetch, token: string | null = 'secret') {
  const repository = repositoryAt(address, HOSTS);
  if (repository === null) throw new Error('The address is none of a repository.');
  return repositorySource(repository, token, { fetch, clock });
}

describe('a repository', () => {
  it('of GitHub is read through its API; what did not change is not read again', async () => {
    const asked: string[] = [];
    const tree = [
      { path: 'on-call/a b.md', type: 'blob', sha: 'a1' },
      { path: 'on-call/logo.png', type: 'blob', sha: 'b1' },
      { path: 'on-call/.github/x.md', type: 'blob', sha: 'c1' },
      { path: 'on-call/sub', type: 'tree', sha: 'd1' },
      { path: 'README.md', type: 'blob', sha: 'e1' },
    ];
    const github = source(
      GITHUB,
      hosts(asked, { '/git/trees/main': { tree }, '/git/blobs/a1': base64('1. Lök') }),
    );
    const expected = {
      pages: [
        {
          path: 'a b.md',
          url: 'https://github.com/acme/runbooks/blob/main/on-call/a%20b.md',
          text: '1. Lök',
        },
      ],
      problems: [],
    };
    expect(await github.read()).toEqual(expected);
    expect(await github.read()).toEqual(expected);
    const list = 'https://api.github.com/repos/acme/runbooks/git/trees/main?recursive=1 Bearer secret';
    const blob = 'https://api.github.com/repos/acme/runbooks/git/blobs/a1 Bearer secret';
    expect(asked).toEqual([list, blob, list]);
  });

  it('of GitLab is read through its API', async () => {
    const asked: string[] = [];
    const gitlab = source(
      GITLAB,
      hosts(asked, {
        '/repository/tree?': [{ path: 'on-call/pool.md', type: 'blob', id: 'f1' }],
        '/blobs/f1': base64('1. Look'),
      }),
    );
    expect(await gitlab.read()).toEqual({
      pages: [
        {
          path: 'pool.md',
          url: 'https://git.acme.example/gitlab/acme/sre/runbooks/-/blob/v1/on-call/pool.md',
          text: '1. Look',
        },
      ],
      problems: [],
    });
    expect(asked).toEqual([
      'https://git.acme.example/gitlab/api/v4/projects/acme/sre/runbooks/repository/tree?recursive=true&per_page=100&ref=v1&path=on-call&page=1 secret',
      'https://git.acme.example/gitlab/api/v4/projects/acme/sre/runbooks/repository/blobs/f1 secret',
    ]);
  });

  it.each([
    [GITHUB, 401, 'GitHub does not accept the token: check GITHUB_TOKEN.'],
    [
      GITHUB,
      403,
      'GitHub does not permit it (said): let GITHUB_TOKEN read acme/runbooks (fine-grained: Contents, read; classic: repo).',
    ],
    [
      GITHUB,
      404,
      'GitHub shows no repository acme/runbooks with main, or it lacks the folder: check RUNBOOKS, and that GITHUB_TOKEN may read it (fine-grained: Contents, read; classic: repo).',
    ],
    [GITHUB, 409, 'acme/runbooks is empty: add runbooks to it.'],
    [
      GITLAB,
      404,
      'GitLab shows no repository acme/sre/runbooks with v1, or it lacks the folder: check RUNBOOKS, and that GITLAB_TOKEN may read it (scope read_api, of a member of the project).',
    ],
  ])('that cannot be read says why and what to do: %s, %i', async (address, status, sentence) => {
    await expect(source(address, hosts([], { 'acme/': status })).read()).rejects.toThrow(sentence);
  });

  it('whose list of files is not whole is refused, because a page could be missing', async () => {
    const fetch = hosts([], { '/git/trees/': { tree: [], truncated: true } });
    await expect(source(GITHUB, fetch).read()).rejects.toThrow(
      /does not list all files .*: keep the runbooks/u,
    );
  });

  it('that is public is read without a token', async () => {
    const asked: string[] = [];
    await source(GITHUB, hosts(asked, { '/git/trees/': { tree: [] } }), null).read();
    expect(asked).toEqual([expect.stringMatching(/ null$/u)]);
  });
});
