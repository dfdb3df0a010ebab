import { type Clock, timeoutSignal, withTimeout } from '../../lib/clock.ts';
import type { Config, RunbookSettings } from '../config.ts';
import type { Logger } from '../shared/log.ts';
import { isLoopback } from '../shared/loopback.ts';
import { type Fetch, TrackerError } from '../tickets/tracker.ts';
import { folderSource } from './folder.ts';
import { runbooksFor, type Subject } from './match.ts';
import { type Runbook, readPage } from './page.ts';
import { repositorySource } from './repository.ts';
import type { Source } from './source.ts';

export interface Runbooks {
  /**
   * The runbooks about an issue: the one that its alert links to, if it may be read, then those that `RUNBOOKS` has.
   *
   * @param address the alert's own link; untrusted
   * @param how `fetches`: whether that page is read, if it may be
   */
  about(subject: Subject, address: string | null, how?: { fetches: boolean }): Promise<Runbook[]>;
  /** Why none can be read, in one sentence; `null` while they can. */
  problem(): string | null;
}

const FRESH_MS = 5 * 60_000;
/** A card does not wait longer for them. */
const PATIENCE_MS = 3_000;
const MOST_LINKED = 200;
const MOST_SHOWN = 2;

type Reach = { clock: Clock; log: Logger; fetch?: Fetch };

/** As it is when it is called: a proxy replaces it. */
const fetchNow: Fetch = (...request) => globalThis.fetch(...request);

/** The source that `RUNBOOKS` names. */
export function sourceOf(
  settings: RunbookSettings,
  { fetch = fetchNow, clock }: { fetch?: Fetch; clock: Pick<Clock, 'now'> },
): Source {
  return settings.kind === 'folder'
    ? folderSource(settings.path)
    : repositorySource(settings.repository, settings.token, { fetch, clock });
}

/** Reads the runbooks, and again where they were read more than five minutes ago: meanwhile those of before count. */
export function openRunbooks(
  { runbookSource, runbookHosts }: Pick<Config, 'runbookSource' | 'runbookHosts'>,
  { clock, log, fetch = fetchNow }: Reach,
): Runbooks {
  const library =
    runbookSource === null ? null : createLibrary(sourceOf(runbookSource, { fetch, clock }), { clock, log });
  const linked = createLinked(runbookHosts, { clock, log, fetch });
  return {
    about: async (subject, address, { fetches } = { fetches: true }) => {
      const all = (await library?.pages()) ?? [];
      const own =
        address === null
          ? null
          : (all.find(({ url }) => isSame(url, address)) ?? (fetches ? await linked(address) : null));
      const found = runbooksFor(subject, all).filter((runbook) => runbook !== own);
      return [...(own === null ? [] : [own]), ...found].slice(0, MOST_SHOWN);
    },
    problem: () => library?.problem() ?? null,
  };
}

function createLibrary(source: Source, { clock, log }: Omit<Reach, 'fetch'>) {
  let known: Runbook[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;
  let reading: Promise<void> | null = null;
  let logged = '';

  async function read(): Promise<void> {
    readAt = clock.now();
    const problems: string[] = [];
    try {
      const found = await source.read();
      const pages = found.pages.map(({ text, ...place }) => readPage(text, place));
      known = pages.map(({ runbook }) => runbook);
      problems.push(...found.problems, ...pages.flatMap((page) => page.problems));
      problem = null;
    } catch (error) {
      problem = `the runbooks cannot be read: ${error instanceof TrackerError ? error.message : 'see the log'}`;
      if (!(error instanceof TrackerError)) log.error({ err: error }, 'could not read the runbooks');
      else problems.push(error.message);
    }
    const all = problems.join('\n');
    if (all !== logged && all !== '')
      log.warn({ source: source.name, problems }, 'some runbooks could not be read');
    logged = all;
  }

  const refreshed = (): Promise<void> => {
    if (reading === null && clock.now() - readAt >= FRESH_MS)
      reading = read().finally(() => {
        reading = null;
      });
    return reading ?? Promise.resolve();
  };
  void refreshed();
  return {
    problem: () => problem,
    pages: async (): Promise<readonly Runbook[]> => {
      const isFirst = known.length === 0;
      const work = refreshed();
      if (isFirst) await withTimeout(work, { ms: PATIENCE_MS, clock, onTimeout: () => undefined });
      return known;
    },
  };
}

/** Pages that alerts link to, each fetched at most every five minutes. */
function createLinked(hosts: readonly string[], { clock, log, fetch }: Required<Reach>) {
  const known = new Map<string, { at: number; page: Promise<Runbook | null> }>();
  return (address: string): Promise<Runbook | null> => {
    if (!mayFetch(address, hosts)) return Promise.resolve(null);
    const before = known.get(address);
    if (before !== undefined && clock.now() - before.at < FRESH_MS) return before.page;
    const page = fetchPage(address, hosts, { fetch }).then(
      (text) => {
        const path = new URL(address).pathname.split('/').at(-1) ?? '';
        const { runbook, problems } = readPage(text, { path, url: address });
        if (problems.length > 0)
          log.warn({ address, problems }, 'the front matter of an alert’s runbook could not be read');
        return runbook;
      },
      (error: unknown) => {
        log.warn({ err: error, address }, 'could not read the runbook that an alert links to');
        return null;
      },
    );
    known.delete(address);
    known.set(address, { at: clock.now(), page });
    const [oldest] = known.keys();
    if (known.size > MOST_LINKED && oldest !== undefined) known.delete(oldest);
    return page;
  };
}

/** Whether two addresses open the same page, apart from the fragment. */
function isSame(one: string | null, other: string): boolean {
  const [a, b] = [URL.parse(one ?? ''), URL.parse(other)];
  return a !== null && b !== null && a.origin === b.origin && plain(a.pathname) === plain(b.pathname);
}

/** The page of a file is the same on its branch and on the newest commit of it. */
function plain(path: string): string {
  return path.replace(/\/blob\/[^/]+\//u, '/blob/').replace(/\/$/u, '');
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 500_000;
const MOST_REDIRECTS = 3;

/**
 * Whether an address of an alert may be fetched: its host is in `RUNBOOK_HOSTS`, and by HTTPS, so that whoever answers has that
 * host's certificate, wherever its name leads.
 */
export function mayFetch(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe && hosts.includes(url.host.toLowerCase());
}

/** The Markdown at an address that may be fetched. @throws Error that says why there is none */
export async function fetchPage(
  address: string,
  hosts: readonly string[],
  { fetch, signal }: { fetch: Fetch; signal?: AbortSignal },
): Promise<string> {
  const within = timeoutSignal(TIMEOUT_MS, signal);
  let at = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    if (!mayFetch(at, hosts)) throw new Error('it redirects to a host that is not in RUNBOOK_HOSTS');
    const response = await fetch(at, {
      headers: { accept: 'text/markdown, text/plain', 'user-agent': 'gumshoe' },
      redirect: 'manual',
      signal: within,
    });
    const next = URL.parse(response.headers.get('location') ?? '', at);
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel();
      if (next.origin !== new URL(at).origin) throw new Error('it redirects to another host');
      at = next.href;
      continue;
    }
    const type = response.headers.get('content-type') ?? 'text/plain';
    if (!response.ok || !/^text\/(?:plain|markdown|x-markdown)\b/iu.test(type)) {
      await response.body?.cancel();
      throw new Error(
        response.ok
          ? `it is ${type.split(';')[0]}, and only Markdown is read`
          : `the host answers with ${response.status}`,
      );
    }
    return upTo(MAX_BYTES, response);
  }
  throw new Error('it redirects too often');
}

async function upTo(most: number, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new Error(`it is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
