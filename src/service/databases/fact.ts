import { duration } from '../investigation/format.ts';
import type { SystemName } from './settings.ts';

/** The kinds of what is wrong inside a database or a broker. */
type DatabaseKind =
  | 'unreachable'
  | 'slow'
  | 'blocked-sessions'
  | 'connections-used-up'
  | 'idle-in-transaction'
  | 'statement-slower'
  | 'statement-heavy'
  | 'sequential-scans'
  | 'replication-behind'
  | 'replica-without-source'
  | 'log-kept-by-slot'
  | 'vacuum-held-back'
  | 'transaction-ids-used-up'
  | 'checkpoints-forced'
  | 'temporary-files'
  | 'number-used-up'
  | 'index-invalid'
  | 'memory-full'
  | 'slow-commands'
  | 'save-failed'
  | 'queue-without-consumer'
  | 'queue-not-acknowledged'
  | 'queue-redelivered'
  | 'alarm'
  | 'connections-blocked'
  | 'node-down';

/** Something that is wrong inside a database or a broker, of what, since when, and the rows that show it. */
export interface DatabaseFact {
  /** As configured: the service. */
  database: string;
  system: SystemName;
  kind: DatabaseKind;
  /** A table, a session, a queue, a prefix of keys. */
  object: string;
  /** Who, on what, since when, how many wait: one or two whole sentences for people, without any literal of a statement. */
  sentence: string;
  /** Milliseconds since the epoch, if the system says. */
  since: number | null;
  /** How much it explains by itself, 0 to 1: from `CAUSES` on it is why callers fail. */
  weight: number;
  /** What to look at first, then what helps; what can be taken back comes before what can't. None is run by us. */
  steps: readonly DatabaseStep[];
  proof: Proof;
  /** The tables, in small letters, and the statement that it is about: what a change inside is compared with. */
  tables?: readonly string[];
  statement?: string;
}

/** From this weight on a fact is a cause, and not only worth a line. */
export const CAUSES = 0.7;

export interface DatabaseStep {
  title: string;
  type: 'check' | 'command' | 'info';
  content: string;
  /** What it costs, or what takes it back. */
  note?: string;
}

/** The rows behind a fact, and where they are from. */
export interface Proof {
  /** `pg_stat_activity with pg_blocking_pids`, `GET /api/queues`. */
  from: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** From this share of a limit on, it is reached soon. */
export const NEARLY = 0.9;

const MOST_ROWS = 20;

/** A proof from objects, with the columns of the first. */
export function proofOf(
  from: string,
  all: readonly Readonly<Record<string, string | number | boolean | null | undefined>>[],
): Proof {
  const columns = Object.keys(all[0] ?? {});
  const text = (value: string | number | boolean | null | undefined) =>
    typeof value === 'boolean' ? String(value) : (value ?? null);
  return {
    from,
    columns,
    rows: all.slice(0, MOST_ROWS).map((row) => columns.map((column) => text(row[column]))),
  };
}

/** The same facts, the one that explains the most first. */
export function heaviestFirst(facts: readonly DatabaseFact[]): DatabaseFact[] {
  return facts.toSorted((a, b) => b.weight - a.weight);
}

export function check(title: string, content: string): DatabaseStep {
  return { title, type: 'check', content };
}

export function info(title: string, content: string): DatabaseStep {
  return { title, type: 'info', content };
}

/** @param note what it costs, or what takes it back */
export function command(title: string, content: string, note: string): DatabaseStep {
  return { title, type: 'command', content, note };
}

/** A fact, before it is known of which database. */
export type Found = Omit<DatabaseFact, 'database' | 'system'>;

export function fact(
  kind: DatabaseKind,
  object: string,
  weight: number,
  rest: Omit<Found, 'kind' | 'object' | 'weight' | 'since'> & Partial<Pick<Found, 'since'>>,
): Found {
  return { kind, object, weight, since: null, ...rest };
}

/** What one look at a database found. */
export function insideOf<Rest>(
  of: Pick<DatabaseFact, 'database' | 'system'>,
  found: readonly Found[],
  rest: Rest,
): { facts: DatabaseFact[] } & Rest {
  return { facts: found.map((one) => ({ ...of, ...one })), ...rest };
}

/** Who is connected, by name, the most connections first. */
export function connectedBy<T>(
  all: readonly T[],
  who: (one: T) => string,
  doing: (some: readonly T[]) => string,
): { who: string; connections: number; doing: string }[] {
  return [...Map.groupBy(all, who)]
    .map(([name, some]) => ({ who: name, connections: some.length, doing: doing(some) }))
    .sort((a, b) => b.connections - a.connections);
}

/** Those who wait, by who is at the end of the chain that they wait in. */
export function byRootBlocker<T>(
  waiting: ReadonlyMap<number, T>,
  blockersOf: (id: number) => readonly number[],
): Map<number, T[]> {
  const rootsOf = (id: number, seen: ReadonlySet<number> = new Set()): number[] => {
    const blockers = blockersOf(id);
    if (blockers.length === 0 || seen.has(id)) return [id];
    return [...new Set(blockers.flatMap((one) => rootsOf(one, new Set([...seen, id]))))];
  };
  const byRoot = new Map<number, T[]>();
  for (const [id, one] of waiting)
    for (const root of rootsOf(id)) if (root !== id) byRoot.set(root, [...(byRoot.get(root) ?? []), one]);
  return byRoot;
}

/** `3 sessions wait for it, the oldest for 2 min`. */
export function waitingFor(count: number, longestMs: number): string {
  const many = count === 1 ? '1 session waits' : `${count} sessions wait`;
  return `${many} for it, ${count === 1 ? '' : 'the oldest '}for ${duration(longestMs)}`;
}
