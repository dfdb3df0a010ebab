import type { Budget } from '../budget.ts';
import { mergeReadings, partialSource } from '../combined.ts';
import { type Change, known, mapped, type Reading, type Window } from '../model.ts';
import type { OpenSource } from '../source.ts';
import { type Contents, described, isCommit } from './contents.ts';

/** A host of git repositories that knows what was deployed from them, and what differs between two commits. */
export interface GitHost {
  /** Of the source: `github`. */
  name: string;
  /** For people: `GitHub`. */
  title: string;
  /** Where its repositories are cloned from. */
  hostname: string;
  /** What a repository is called there: `repositories`. */
  noun: string;
  /** Configured: no other one is read. */
  repositories: readonly string[];
  /** Newest first. */
  deployments(repository: string, budget: Budget): Promise<Reading<Deployment[]>>;
  /** What became of one whose outcome the list does not say. */
  followed(repository: string, deployment: Deployment, budget: Budget): Promise<Reading<Deployment>>;
  compare(
    repository: string,
    commits: { from: string; to: string },
    budget: Budget,
  ): Promise<Reading<Contents>>;
  commitPage(repository: string, commit: string): string;
  close(): Promise<void>;
}

export interface Deployment {
  id: number;
  at: number;
  sha: string;
  /** A branch, a tag or a commit. */
  ref: string;
  environment: string | null;
  /** `waiting` has changed nothing yet; `unknown` if nobody reports it. */
  outcome: 'success' | 'failed' | 'running' | 'waiting' | 'unknown';
  description: string | null;
}

const VERBS: Readonly<Partial<Record<Deployment['outcome'], string>>> = {
  failed: 'Failed to deploy',
  running: 'Deploying',
};

/** The newest ones of a repository whose contents are read: what broke something was deployed shortly before. */
const MOST_READ = 5;
/** How many deployments back the version that ran is looked for. */
const MOST_BACK = 5;
const MOST_REMEMBERED = 100;

/** What can be read of a repository by its address, where that is a configured one. */
export interface Repositories {
  /** `null` if the address is of none of the configured repositories. */
  compareAt(
    address: string,
    commits: { from: string; to: string },
    budget: Budget,
  ): Promise<Reading<Contents>> | null;
}

/**
 * The deployments of a host's repositories, with what each changed; they are attributed to the service of the
 * repository's name.
 */
export function createDeploymentsSource(host: GitHost): OpenSource & Repositories {
  const { name, title, repositories } = host;
  const remembered = new Map<string, Contents>();

  /** Between two commits nothing ever changes. */
  const compare: GitHost['compare'] = async (repository, { from, to }, budget) => {
    const key = `${repository} ${from} ${to}`;
    const before = remembered.get(key);
    if (before !== undefined) return known(before);
    const reading = await host.compare(repository, { from, to }, budget);
    if (reading.known && reading.caveats.length === 0) {
      const [oldest] = remembered.keys();
      if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      remembered.set(key, reading.value);
    }
    return reading;
  };

  const ranBefore = async (
    repository: string,
    earlier: readonly Deployment[],
    budget: Budget,
  ): Promise<Reading<Deployment | null>> => {
    for (const one of earlier.slice(0, MOST_BACK)) {
      const followed = await host.followed(repository, one, budget);
      if (!followed.known) return followed;
      // A tool that reports no outcome says nothing against it.
      if (['success', 'unknown'].includes(followed.value.outcome)) return known(one);
    }
    return known(null);
  };

  const withContents = async (
    repository: string,
    listed: Deployment,
    earlier: readonly Deployment[],
    budget: Budget,
  ): Promise<Reading<Change[]>> => {
    const followed = await host.followed(repository, listed, budget);
    const deployment = followed.known ? followed.value : listed;
    if (deployment.outcome === 'waiting') return known([]);
    const change = changeOf(host, repository, deployment);
    if (!followed.known) return known([change], [notRead(change, followed.reason)]);
    const sameTarget = earlier.filter(({ environment }) => environment === deployment.environment);
    const before = await ranBefore(repository, sameTarget, budget);
    if (!before.known) return known([change], [notRead(change, before.reason)]);
    const ran = before.value;
    if (ran === null || ran.sha === deployment.sha || !isCommit(ran.sha) || !isCommit(deployment.sha))
      return known([change]);
    const version = versionOf(ran);
    const since = version === null ? change : { ...change, before: version };
    const contents = await compare(repository, { from: ran.sha, to: deployment.sha }, budget);
    if (!contents.known) return known([since], [notRead(change, contents.reason)]);
    const { details, ...rest } = described(contents.value);
    return known([{ ...since, ...rest, details: details ?? change.details }], contents.caveats);
  };

  const changesOf = async (repository: string, { from, to }: Window, budget: Budget) => {
    const reading = await host.deployments(repository, budget);
    if (!reading.known) return reading;
    const all = reading.value;
    const first = all.findIndex(({ at }) => at < to);
    const changes = await Promise.all(
      all.map(async (deployment, i): Promise<Reading<Change[]>> => {
        if (deployment.at < from || deployment.at >= to) return known([]);
        if (i >= first + MOST_READ) return known([changeOf(host, repository, deployment)]);
        return withContents(repository, deployment, all.slice(i + 1), budget);
      }),
    );
    const merged = mergeReadings<Change>(changes);
    return merged.known ? known(merged.value, [...reading.caveats, ...merged.caveats]) : merged;
  };

  const check = async (repository: string, budget: Budget) => {
    const reading = await host.deployments(repository, budget);
    if (!reading.known) return reading;
    const sha = reading.value.map((one) => one.sha).find(isCommit);
    if (sha === undefined)
      return known(0, [
        ...reading.caveats,
        `${repository} has no deployment: ${title} has none of its deploys.`,
      ]);
    // Against itself: what is asked is only whether it may be read.
    const contents = await host.compare(repository, { from: sha, to: sha }, budget);
    const unread = contents.known
      ? []
      : [`What a deploy of ${repository} changed cannot be read: ${contents.reason}`];
    return known(reading.value.length, [...reading.caveats, ...unread]);
  };

  return {
    ...partialSource({
      name,
      changes: async (window, budget) => {
        const readings = await Promise.all(
          repositories.map(async (repository) => changesOf(repository, window, budget)),
        );
        return mapped(mergeReadings<Change>(readings), (all) => all.sort((a, b) => a.at - b.at));
      },
      check: async (budget) => {
        const readings = await Promise.all(repositories.map((repository) => check(repository, budget)));
        const counted = mergeReadings(readings.map((reading) => mapped(reading, (count) => [count])));
        if (!counted.known) return { name, ok: false, summary: counted.reason, details: [] };
        const count = counted.value.reduce((sum, one) => sum + one, 0);
        const hasFailed = readings.some(
          (reading) => !reading.known || (reading.value > 0 && reading.caveats.length > 0),
        );
        return {
          name,
          ok: !hasFailed,
          summary: `${title} answers (${host.noun}: ${repositories.length}, deployments: ${count}).`,
          details: counted.caveats,
        };
      },
    }),
    compareAt: (address, commits, budget) => {
      const at = repositoryAt(address);
      if (at === null || at.hostname !== host.hostname) return null;
      const repository = repositories.find((one) => one.toLowerCase() === at.path);
      return repository === undefined ? null : compare(repository, commits, budget);
    },
    close: () => host.close(),
  };
}

function notRead({ title }: Change, reason: string): string {
  return `What “${title}” changed could not be read: ${reason}`;
}

function versionOf({ ref, sha, outcome }: Deployment): string | null {
  return /\d/u.test(ref) && ref !== sha && outcome !== 'failed' ? ref : null;
}

function changeOf(host: GitHost, repository: string, deployment: Deployment): Change {
  const { at, sha, ref, environment, outcome, description } = deployment;
  const service = repository.slice(repository.lastIndexOf('/') + 1);
  return {
    at,
    service,
    kind: 'deploy',
    title: `${VERBS[outcome] ?? 'Deployed'} ${service} ${ref === sha ? sha.slice(0, 10) : ref}${environment ? ` to ${environment}` : ''}`,
    version: versionOf(deployment),
    ref: sha,
    url: host.commitPage(repository, sha),
    details: description ? description : null,
  };
}

/** `https://github.com/acme/deploy.git`, `git@github.com:acme/deploy`; the path in lower case. */
function repositoryAt(address: string): { hostname: string; path: string } | null {
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/u.exec(address);
  const url = short === null ? URL.parse(address) : null;
  const [hostname, path] = short === null ? [url?.hostname, url?.pathname] : [short[1], short[2]];
  if (!hostname || !path) return null;
  return {
    hostname: hostname.toLowerCase(),
    path: path
      .replace(/^\/+/u, '')
      .replace(/\/+$/u, '')
      .replace(/\.git$/u, '')
      .toLowerCase(),
  };
}
