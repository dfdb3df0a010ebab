import { z } from 'zod';
import type { Change, Undo } from '../model.ts';
import { isName } from '../undo.ts';

const Source = z.looseObject({
  targetRevision: z.string().nullish(),
  repoURL: z.string().nullish(),
  path: z.string().nullish(),
  chart: z.string().nullish(),
  /** By which other sources name this one: `$values/shop/values.yaml`. */
  ref: z.string().nullish(),
  helm: z.looseObject({ valueFiles: z.array(z.string()).nullish() }).nullish(),
});
type Source = z.infer<typeof Source>;

/** One sync of an application: of one source and its revision, or of several with as many. */
export const HistoryEntry = z.looseObject({
  id: z.number().nullish(),
  deployedAt: z.string(),
  revision: z.string().nullish(),
  source: Source.nullish(),
  revisions: z.array(z.string()).nullish(),
  sources: z.array(Source).nullish(),
});
type HistoryEntry = z.infer<typeof HistoryEntry>;

/** A sync, and what is needed to read what it changed. */
export interface Sync {
  change: Change;
  name: string;
  namespace: string | null;
  /** Its number in the application's history. */
  entry: number | null;
  /** The sources of another revision than at the sync before. */
  changed: readonly ChangedSource[];
}

/** A source of an application, between two syncs. */
export interface ChangedSource {
  /** Its place among several sources; `null` for the only one. */
  index: number | null;
  /** Its chart, or its repository. */
  title: string;
  repository: string | null;
  /** The application's folders and files in it; all without any. */
  paths: readonly string[];
  revision: string;
  /** `null` if nothing of that source was synced before. */
  before: string | null;
}

/** A source at a sync. */
interface Synced {
  index: number | null;
  source: Source;
  revision: string | null;
}

/** The syncs of an application, oldest first as its history is. */
export function syncsOf(
  { name, namespace }: Pick<Sync, 'name' | 'namespace'>,
  history: readonly HistoryEntry[],
  base: string,
): Sync[] {
  const url = `${base}/applications/${namespace ? `${namespace}/` : ''}${name}`;
  const isPage = isName(name) && isName(namespace || 'argocd');
  return history.map((entry, i): Sync => {
    const all = syncedIn(entry);
    const ran = history[i - 1];
    const before = ran === undefined ? [] : syncedIn(ran);
    const pairs = all.map((now) => ({ now, earlier: sameSource(now, before) }));
    const different = pairs.filter(
      ({ now, earlier }) => now.revision !== null && now.revision !== earlier?.revision,
    );
    const changed = different.length > 0 ? different : pairs;
    const versioned = changed.find(({ now }) => versionOf(now) !== null) ?? changed[0];
    const revisions = changed.flatMap(({ now }) => now.revision ?? []);
    // Only what has been synced is in the history, so that the entry before the newest is what ran.
    const isNewest = i === history.length - 1;
    return {
      change: {
        at: Date.parse(entry.deployedAt),
        service: name,
        kind: 'deploy',
        title: `Argo CD synced ${name} to ${shortly(changed.map(({ now }) => now)) || 'a new revision'}`,
        version: versionOf(versioned?.now),
        ref: revisions.length === 0 ? null : revisions.join(' '),
        url,
        details: [...new Set(all.flatMap(({ source }) => source.repoURL ?? []))].join(' ') || null,
        ...(isNewest && ran !== undefined
          ? { before: versionOf(versioned?.earlier), undo: isPage ? rollbackPage(url, ran) : null }
          : {}),
      },
      name,
      namespace,
      entry: entry.id ?? null,
      changed: changedIn(different, all),
    };
  });
}

function syncedIn({ source, sources, revision, revisions }: HistoryEntry): Synced[] {
  if (sources == null || sources.length === 0)
    return [{ index: null, source: source ?? {}, revision: revision ?? null }];
  return sources.map((one, index) => ({ index, source: one, revision: revisions?.[index] || null }));
}

/** The revision of another repository or chart cannot be compared with this one's. */
function sameSource({ source }: Synced, before: readonly Synced[]): Synced | undefined {
  const all = before.filter(
    (one) => one.source.repoURL === source.repoURL && one.source.chart === source.chart,
  );
  return all.find((one) => one.source.path === source.path && one.source.ref === source.ref) ?? all[0];
}

interface Pair {
  now: Synced;
  earlier: Synced | undefined;
}

/** Sources of the same repository and revisions are one: what is outside of one's folder may be inside of another's. */
function changedIn(different: readonly Pair[], all: readonly Synced[]): ChangedSource[] {
  const groups = Map.groupBy(different, ({ now, earlier }) =>
    JSON.stringify([now.source.repoURL, now.source.chart, earlier?.revision, now.revision]),
  );
  return [...groups.values()].flatMap((group): ChangedSource[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { index, source, revision } = first.now;
    if (revision === null) return [];
    const paths = group.map(({ now }) => pathsOf(now.source, all));
    return [
      {
        index,
        title: source.chart ? `Chart ${source.chart}` : (source.repoURL ?? 'Its source'),
        repository: source.repoURL ?? null,
        paths: paths.some((own) => own.length === 0) ? [] : [...new Set(paths.flat())],
        revision,
        before: first.earlier?.revision ?? null,
      },
    ];
  });
}

/** An application is one folder of a repository that others share; a source for values is the files that others name. */
function pathsOf({ path, ref }: Source, all: readonly Synced[]): string[] {
  const prefix = `$${ref}/`;
  const values = all.flatMap(({ source }) => source.helm?.valueFiles ?? []);
  const named = ref ? values.filter((file) => file.startsWith(prefix)) : [];
  return [...(path ? [path] : []), ...named.map((file) => file.slice(prefix.length))];
}

function versionOf(synced: Synced | undefined): string | null {
  const { chart, targetRevision: target = null } = synced?.source ?? {};
  // The version of a chart may be a range, of which the revision is what was taken.
  if (chart && synced?.revision) return synced.revision;
  return target !== null && /\d/u.test(target) ? target : null;
}

/** `4f5e6d7c8b and 1.2.4`, for titles. */
function shortly(all: readonly Synced[]): string {
  const revisions = all.flatMap(
    ({ revision, source }) => revision?.slice(0, 10) ?? source.targetRevision ?? [],
  );
  return [...new Set(revisions)].slice(0, 3).join(' and ');
}

/** Argo CD's panel *History and rollback*, at the entry before the newest. */
function rollbackPage(url: string, ran: HistoryEntry): Undo | null {
  const all = syncedIn(ran);
  const isPlain = all.every(({ revision }) => /^[\w.-]{1,80}$/u.test(revision ?? ''));
  const at = Date.parse(ran.deployedAt);
  if ((!isPlain && ran.id == null) || Number.isNaN(at)) return null;
  const what = isPlain ? shortly(all) : `entry ${ran.id}`;
  const when = `deployed at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    by: 'sync',
    type: 'info',
    content: `On ${url}?rollback=1 press Rollback at ${what}, ${when}. Automatic sync has to be off.`,
  };
}
