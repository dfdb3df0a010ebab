import { type Clock, hasCome } from '../../lib/clock.ts';
import type { ServiceLog } from '../log.ts';
import type { FingerprintStore } from '../store/fingerprints.ts';
import { explained } from './explain.ts';
import { type DatabaseFact, heaviestFirst, info, proofOf } from './fact.ts';
import { changesBetween, type Fingerprint, type InsideChange, type Taken } from './fingerprint.ts';
import { openSession, Refused, refusedBy, type Session } from './session.ts';
import { type DatabaseSettings, type SystemName, TITLES } from './settings.ts';
import type { DatabaseHealth, Inside, Opened, System } from './system.ts';

/** What led to a look. */
type Reason = 'verdict' | 'question' | 'watch' | 'hourly' | 'doctor';

export interface LookedInside extends Inside {
  database: string;
  system: SystemName;
  /** What changed inside in the last days, oldest first. */
  changes: InsideChange[];
  /** When the fingerprint was taken that this look was compared with; `null` for none. */
  comparedWith: number | null;
}

/** A configured database, and all that it is called. */
export interface NamedDatabase {
  name: string;
  system: SystemName;
  title: string;
  host: string;
  port: number;
  database: string | null;
}

/** The configured databases and brokers. Nothing here rejects because of one of them. */
export interface Databases {
  readonly all: readonly NamedDatabase[];
  /** Looks into one; what was read a moment ago is not read again. */
  look(name: string, reason: Reason): Promise<LookedInside>;
  /** What changed inside any of them, that may have happened in a window. */
  changes(window: { from: number; to: number }): Promise<InsideChange[]>;
  /** Takes the fingerprint of each one that has none of the last hour. */
  takeFingerprints(signal: AbortSignal): Promise<void>;
}

export interface DatabasesOptions {
  settings: readonly DatabaseSettings[];
  store: FingerprintStore;
  clock: Pick<Clock, 'now'>;
  log: ServiceLog;
  onLook(database: string, reason: Reason, outcome: string): void;
  systems?: typeof SYSTEMS;
}

/** Several alerts at once are about one state of a database. */
const FRESH_MS = 15_000;
const HOUR_MS = 3_600_000;
const AGAIN_MS = 600_000;
/** Changes inside are told for so long. */
const KEPT_MS = 7 * 24 * HOUR_MS;
const MOST_KEPT = 200;

export function createDatabases(options: DatabasesOptions): Databases {
  const { settings, store, clock, log, onLook, systems = SYSTEMS } = options;
  /** When one that could not be read is tried again. */
  const again = new Map<string, number>();
  const recent = new Map<string, { at: number; looked: Promise<LookedInside> }>();

  async function lookInto(one: DatabaseSettings, reason: Reason): Promise<LookedInside> {
    const kept = await store.of(one.name);
    const earlier = kept?.last ?? null;
    const nothing = { facts: [], unread: [], read: [], connected: [] };
    const base = { database: one.name, system: one.system, comparedWith: earlier?.at ?? null };
    try {
      const [inside, last] = await onConnection(one, systems, async (opened) => {
        const seen = await opened.look({ earlier, now: clock.now() });
        // What changed is worth a statement more, and what was seen stays if that fails.
        const last = await opened.fingerprint().catch((error: unknown) => {
          log.warn(
            { database: one.name, reason: refusedBy(error, one, TITLES[one.system]).message },
            'what changed inside a database was not read',
          );
          return null;
        });
        return [seen, last] as const;
      });
      const changes = last === null ? (kept?.changes ?? []) : await keep(one.name, last);
      onLook(one.name, reason, 'read');
      return { ...base, ...inside, changes, facts: heaviestFirst(explained(inside.facts, changes)) };
    } catch (error) {
      const refused = refusedBy(error, one, TITLES[one.system]);
      onLook(one.name, reason, refused.why);
      log.warn({ database: one.name, why: refused.why, reason: refused.message }, 'a database was not read');
      const fact = factOf(refused, one);
      return {
        ...base,
        ...nothing,
        changes: kept?.changes ?? [],
        facts: fact === null ? [] : [fact],
        unread: fact === null ? [refused.message] : [],
      };
    }
  }

  /** Stores a fingerprint, and what differs from the one before. */
  async function keep(name: string, taken: Taken): Promise<InsideChange[]> {
    const last: Fingerprint = { at: clock.now(), ...taken };
    const before = await store.of(name);
    const known = (before?.changes ?? []).filter((one) => one.before > last.at - KEPT_MS);
    const found = before === null ? [] : changesBetween(name, before.last, last);
    const changes = [...known, ...found].slice(-MOST_KEPT);
    const isFirst = await store.replace(name, { last, changes }, before?.last.at ?? null);
    return isFirst ? changes : ((await store.of(name))?.changes ?? changes);
  }

  return {
    all: settings.map(({ name, system, host, port, database }) => ({
      name,
      system,
      title: TITLES[system],
      host,
      port,
      database,
    })),
    look: async (name, reason) => {
      const one = settings.find((other) => other.name === name);
      if (one === undefined) throw new Error(`There is no database ${name}.`);
      const before = recent.get(name);
      const now = clock.now();
      if (before !== undefined && now - before.at < FRESH_MS && now >= before.at) return before.looked;
      const looked = lookInto(one, reason);
      recent.set(name, { at: now, looked });
      return looked;
    },
    changes: (window) => store.changes(window),
    takeFingerprints: async (signal) => {
      for (const one of settings) {
        if (signal.aborted) return;
        const kept = await store.of(one.name);
        if (kept !== null && Math.abs(clock.now() - kept.last.at) < HOUR_MS) continue;
        if (!hasCome(again.get(one.name) ?? 0, clock.now(), AGAIN_MS)) continue;
        again.set(one.name, clock.now() + AGAIN_MS);
        try {
          await keep(one.name, await onConnection(one, systems, (opened) => opened.fingerprint()));
          onLook(one.name, 'hourly', 'read');
        } catch (error) {
          const refused = refusedBy(error, one, TITLES[one.system]);
          onLook(one.name, 'hourly', refused.why);
          log.warn(
            { database: one.name, why: refused.why, reason: refused.message },
            'a database was not read',
          );
        }
      }
    },
  };
}

/** Runs the work on one connection within the limits of a look, and closes it. */
async function onConnection<T>(
  settings: DatabaseSettings,
  systems: typeof SYSTEMS,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const system: System = await systems[settings.system]();
  const session: Session = openSession(settings, TITLES[settings.system]);
  try {
    const opened = await system.open(settings, session);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    // Whatever the driver makes of it, the reason is why the session was ended.
    throw session.signal.aborted && session.signal.reason instanceof Refused ? session.signal.reason : error;
  } finally {
    session.end();
  }
}

/** What `npm run doctor` asks: rejects with `Refused`. */
export async function checkDatabaseInside(settings: DatabaseSettings): Promise<DatabaseHealth> {
  try {
    return await onConnection(settings, SYSTEMS, (opened) => opened.check());
  } catch (error) {
    throw refusedBy(error, settings, TITLES[settings.system]);
  }
}

/** That a database refuses, is full or hangs is itself what is wrong; that we may not look is not. */
function factOf(
  { why, message }: Refused,
  { name, system, host, port }: DatabaseSettings,
): DatabaseFact | null {
  const kinds = { full: 'connections-used-up', slow: 'slow', unreachable: 'unreachable' } as const;
  if (why !== 'full' && why !== 'slow' && why !== 'unreachable') return null;
  const steps = {
    full: 'Connect as its administrator, for whom some connections are kept, and count them by program.',
    slow: 'Look at the load, the disk and the locks of its machine.',
    unreachable: 'Check that it runs, and that its address and its firewall are as they were.',
  };
  return {
    database: name,
    system,
    kind: kinds[why],
    object: why === 'full' ? 'connections' : name,
    sentence: message,
    since: null,
    weight: why === 'slow' ? 0.6 : 0.9,
    steps: [info(steps[why].split(',')[0] ?? steps[why], steps[why])],
    proof: proofOf(`a connection to ${host}:${port}`, [{ outcome: message }]),
  };
}

/** Each kind of database or broker; a new one is a file and a line. Its driver is loaded only where one is configured. */
const SYSTEMS: Readonly<Record<SystemName, () => Promise<System>>> = {
  postgres: async () => (await import('./postgres.ts')).postgres,
  mysql: async () => (await import('./mysql.ts')).mysql,
  redis: async () => (await import('./redis.ts')).redis,
  rabbitmq: async () => (await import('./rabbitmq.ts')).rabbitmq,
};
