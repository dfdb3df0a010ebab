import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { ask, detailOf, type Fetch, type Service, TrackerError } from '../tickets/tracker.ts';
import type { Repository } from './address.ts';
import { MAX_PAGE } from './page.ts';
import { firstPages, isPage, type Pages, type Source } from './source.ts';

interface File {
  /** In the repository. */
  path: string;
  /** The id of its content. */
  id: string;
}

/** What GitHub and GitLab do differently. */
interface Host {
  service: Service;
  files(): Promise<File[]>;
  /** The address of a content, as JSON with base64. */
  content(id: string): string;
  /** The page that people read. */
  page(path: string): string;
}

const AT_ONCE = 5;
const PER_PAGE = 100;
const MOST_LISTS = 50;

const Tree = z.looseObject({
  tree: z.array(z.looseObject({ path: z.string(), type: z.string(), sha: z.string() })),
  truncated: z.boolean().catch(false),
});
const Entries = z.array(z.looseObject({ path: z.string(), type: z.string(), id: z.string() }));
const Content = z.looseObject({ content: z.string(), size: z.number().catch(0) });

/** A repository's Markdown, through the API of GitHub or GitLab. What did not change is not read again. */
export function repositorySource(
  repository: Repository,
  token: string | null,
  { fetch, clock }: { fetch: Fetch; clock: Pick<Clock, 'now'> },
): Source {
  const host = (repository.host === 'github' ? github : gitlab)(repository, token, { fetch, clock });
  const known = new Map<string, string>();
  const below = repository.folder === '' ? '' : `${repository.folder}/`;
  return {
    name: `${host.service.name}, ${repository.name}${below === '' ? '' : `, ${repository.folder}`}`,
    read: async () => {
      const all = (await host.files()).filter(({ path }) => path.startsWith(below));
      const files = all.map(({ path, id }) => ({ path: path.slice(below.length), id }));
      const { pages: wanted, problems } = firstPages(files.filter(({ path }) => isPage(path)));
      const pages: Pages['pages'] = [];
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        const some = wanted.slice(at, at + AT_ONCE);
        const texts = await Promise.all(some.map(({ id }) => known.get(id) ?? contentOf(id, host)));
        for (const [index, { path, id }] of some.entries()) {
          const text = texts[index] ?? '';
          known.set(id, text);
          pages.push({ path, url: host.page(`${below}${path}`), text });
        }
      }
      const used = new Set(wanted.map(({ id }) => id));
      for (const id of known.keys()) if (!used.has(id)) known.delete(id);
      return { pages, problems };
    },
  };
}

async function contentOf(id: string, { service, content }: Host): Promise<string> {
  const { content: text } = await ask({ url: content(id) }, Content, service);
  return Buffer.from(text, 'base64').toString('utf8').slice(0, MAX_PAGE);
}

interface Reach {
  fetch: Fetch;
  clock: Pick<Clock, 'now'>;
}

function github({ api, web, name, ref }: Repository, token: string | null, reach: Reach): Host {
  const service: Service = {
    ...reach,
    name: 'GitHub',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    explain: (status, body) =>
      explained(status, body, {
        ...{ host: 'GitHub', name, ref },
        variable: 'GITHUB_TOKEN',
        rights: 'fine-grained: Contents, read; classic: repo',
      }),
  };
  return {
    service,
    files: async () => {
      const url = `${api}/repos/${name}/git/trees/${encodeURIComponent(ref)}?recursive=1`;
      const { tree, truncated } = await ask({ url }, Tree, service);
      if (truncated)
        throw new TrackerError(`GitHub does not list all files of ${name}, because it has too many`, {
          fix: 'keep the runbooks in a repository of their own',
        });
      return tree.filter(({ type }) => type === 'blob').map(({ path, sha }) => ({ path, id: sha }));
    },
    content: (id) => `${api}/repos/${name}/git/blobs/${encodeURIComponent(id)}`,
    page: (path) => `${web}/${name}/blob/${encodeURIComponent(ref)}/${inAddress(path)}`,
  };
}

function gitlab({ api, web, name, ref, folder }: Repository, token: string | null, reach: Reach): Host {
  const service: Service = {
    ...reach,
    name: 'GitLab',
    headers: token === null ? {} : { 'private-token': token },
    explain: (status, body) =>
      explained(status, body, {
        ...{ host: 'GitLab', name, ref },
        variable: 'GITLAB_TOKEN',
        rights: 'scope read_api, of a member of the project',
      }),
  };
  const repository = `${api}/projects/${encodeURIComponent(name)}/repository`;
  return {
    service,
    files: async () => {
      const found: File[] = [];
      const query = new URLSearchParams({ recursive: 'true', per_page: String(PER_PAGE), ref, path: folder });
      for (let page = 1; page <= MOST_LISTS; page += 1) {
        const list = await ask({ url: `${repository}/tree?${query}&page=${page}` }, Entries, service);
        found.push(...list.filter(({ type }) => type === 'blob'));
        if (list.length < PER_PAGE) break;
      }
      return found;
    },
    content: (id) => `${repository}/blobs/${encodeURIComponent(id)}`,
    page: (path) => `${web}/${name}/-/blob/${encodeURIComponent(ref)}/${inAddress(path)}`,
  };
}

function inAddress(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

interface Asked {
  host: string;
  name: string;
  ref: string;
  variable: string;
  rights: string;
}

function explained(
  status: number,
  body: unknown,
  { host, name, ref, variable, rights }: Asked,
): TrackerError | null {
  const detail = detailOf(body);
  switch (status) {
    case 401:
      return new TrackerError(`${host} does not accept the token`, { fix: `check ${variable}` });
    case 403:
      return new TrackerError(`${host} does not permit it${detail === '' ? '' : ` (${detail})`}`, {
        fix: `let ${variable} read ${name} (${rights})`,
      });
    case 404:
      return new TrackerError(
        `${host} shows no repository ${name}${ref === 'HEAD' ? '' : ` with ${ref}`}, or it lacks the folder`,
        { fix: `check RUNBOOKS, and that ${variable} may read it (${rights})`, isGone: true },
      );
    case 409:
      return new TrackerError(`${name} is empty`, { fix: 'add runbooks to it' });
    default:
      return null;
  }
}
