import { percentDecoded } from '../../lib/text.ts';

/** A repository of runbooks, or a folder in it. */
export interface Repository {
  host: 'github' | 'gitlab';
  api: string;
  /** The base address of its pages. */
  web: string;
  /** `owner/name`; of GitLab, also with groups within groups. */
  name: string;
  /** A branch, a tag or a commit. */
  ref: string;
  /** Without slashes around it; empty for the whole repository. */
  folder: string;
}

/** Where GitHub's and GitLab's APIs are, as they are configured. */
export interface Hosts {
  github: string;
  gitlab: string;
}

/**
 * The repository whose address in a browser this is: `https://github.com/acme/runbooks/tree/main/alerts`. `null` for a host that no
 * token is configured for: tokens go to no other.
 */
export function repositoryAt(address: string, { github, gitlab }: Hosts): Repository | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const path = decoded(url.pathname.replace(/^\/+|\/+$/gu, ''));
  if (path === null) return null;
  const web = webOf(github);
  if (url.origin === web) {
    const {
      owner,
      repository,
      ref = 'HEAD',
      folder = '',
    } = /^(?<owner>[\w-]+)\/(?<repository>[\w.-]+?)(?:\.git)?(?:\/tree\/(?<ref>[^/]+)(?:\/(?<folder>.+))?)?$/u.exec(
      path,
    )?.groups ?? {};
    if (owner === undefined || repository === undefined) return null;
    return { host: 'github', api: github, web, name: `${owner}/${repository}`, ref, folder };
  }
  const base = URL.parse(gitlab);
  const below = base?.pathname.replace(/^\/+|\/+$/gu, '') ?? '';
  if (url.origin !== base?.origin || !`${path}/`.startsWith(below === '' ? '' : `${below}/`)) return null;
  const {
    name,
    ref = 'HEAD',
    folder = '',
  } = /^(?<name>[\w.-]+(?:\/[\w.-]+?)+?)(?:\.git)?(?:\/-\/tree\/(?<ref>[^/]+)(?:\/(?<folder>.+))?)?$/u.exec(
    path.slice(below.length).replace(/^\/+/u, ''),
  )?.groups ?? {};
  return name === undefined
    ? null
    : { host: 'gitlab', api: `${gitlab}/api/v4`, web: gitlab, name, ref, folder };
}

/** `https://github.com` for `https://api.github.com`, and the host of GitHub Enterprise's `/api/v3`. */
function webOf(api: string): string | null {
  const url = URL.parse(api);
  return url === null ? null : url.origin.replace('://api.github.com', '://github.com');
}

function decoded(path: string): string | null {
  const text = percentDecoded(path);
  return text?.split('/').includes('..') ? null : text;
}
