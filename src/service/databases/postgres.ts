import pg from 'pg';
import { z } from 'zod';
import type { Taken } from './fingerprint.ts';
import { withoutLiterals } from './normalize.ts';
import { judgePostgres } from './postgres-facts.ts';
import {
  ABOUT,
  About,
  Counters,
  countersOf,
  FINGERPRINT,
  Lock,
  locksOf,
  Parts,
  quoted,
  type Readings,
  SESSIONS,
  Server,
  Sessions,
  serverOf,
  textsOf,
} from './postgres-statements.ts';
import { APPLICATION, idleSocket, LIMITS, Refused, refusedBy, type Session } from './session.ts';
import { type DatabaseSettings, TITLES } from './settings.ts';
import type { DatabaseHealth, Inside, Looked, Opened, System } from './system.ts';

const TITLE = TITLES.postgres;

/** PostgreSQL 13 and later, with the role `pg_monitor`. */
export const postgres: System = { open };

/** Between two readings of counters: sessions report theirs once a second. */
const BETWEEN_MS = 1_300;
const MOST_COUNTED = 1_000;

/** 64-bit integers are read as numbers: none here exceeds 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format !== 'binary' && (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC)
      ? Number
      : pg.types.getTypeParser(oid, format),
};

async function open(settings: DatabaseSettings, session: Session): Promise<Opened> {
  const client = new pg.Client({
    host: settings.host,
    port: settings.port,
    user: settings.user || APPLICATION,
    password: () => settings.password,
    database: settings.database ?? (settings.user || APPLICATION),
    ssl: settings.tls ? { rejectUnauthorized: true } : false,
    application_name: APPLICATION,
    stream: () => idleSocket(session),
    types,
  });
  client.on('error', () => undefined);
  let isBroken = false;

  async function select<T>(schema: z.ZodType<T>, statement: string): Promise<T> {
    // A statement that failed leaves its transaction open.
    const begin = `${isBroken ? 'rollback; ' : ''}begin transaction read only; set local statement_timeout = ${LIMITS.statementMs - 200}; set local lock_timeout = 100`;
    try {
      const answers: unknown = await session.statement(() =>
        client.query(`${begin}; ${statement}; commit`).then((all: unknown) => all),
      );
      isBroken = false;
      const rows = z.array(z.object({ command: z.string(), rows: z.array(z.unknown()) })).parse(answers);
      return schema.parse(rows.find(({ command }) => command === 'SELECT')?.rows ?? []);
    } catch (error) {
      isBroken = true;
      throw problemOf(error, settings);
    }
  }
  const value = async <T>(schema: z.ZodType<T>, statement: string): Promise<T> => {
    const [first] = await select(z.array(z.object({ value: schema })).min(1), `select ${statement} as value`);
    if (first === undefined) throw new Refused('not it', `${TITLE} ${settings.name} answered nothing.`);
    return first.value;
  };
  const connecting = client.connect();
  // Where the session is over first, nobody else hears of the failure.
  connecting.catch(() => undefined);
  try {
    await session.connect(() => connecting);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw problemOf(error, settings);
  }

  let known: Promise<About> | null = null;
  const aboutIt = () => {
    known ??= value(About, ABOUT);
    return known;
  };
  /** The newest counters of this connection. */
  let counted: Counters | null = null;

  async function look({ earlier, now }: Looked): Promise<Inside> {
    const unread: string[] = [];
    const tried = async <T>(what: string, read: Promise<T>): Promise<T | null> => {
      try {
        return await read;
      } catch (error) {
        // What was read before is worth telling.
        unread.push(
          `${what} of ${settings.name} were not read: ${error instanceof Error ? error.message : String(error)}`,
        );
        return null;
      }
    };
    const about = await aboutIt();
    if (!about.sees)
      unread.push(`What other sessions of ${settings.name} do is hidden from its account: ${grantOf(about)}`);
    const sessions = await value(Sessions, SESSIONS);
    const pids = [
      ...new Set(
        sessions.sessions.flatMap(({ pid, blockers }) => (blockers.length > 0 ? [pid, ...blockers] : [])),
      ),
    ];
    const locks = pids.length === 0 ? [] : await value(z.array(Lock), locksOf(pids));
    const server = await tried('Replication, slots and vacuum', value(Server, serverOf(about)));
    const counting = countersOf(about);
    const first = await tried('Statements and scans', value(Counters, counting));
    if (first !== null) await session.pause(BETWEEN_MS);
    const second = first && (await tried('Statements and scans', value(Counters, counting)));
    counted = second ?? first;
    const pair = first && second ? { first, second } : null;
    const texts = pair && about.statements !== null ? await heaviestOf(pair, about.statements) : [];
    if (about.statements === null && about.sees)
      unread.push(`Heavy statements of ${settings.name} were not read: ${grantStatements(about)}`);
    const readings: Readings = { about, sessions, locks, server, counters: pair, texts, earlier, now };
    return { ...judgePostgres(settings.name, readings), unread };
  }

  async function heaviestOf(pair: { first: Counters; second: Counters }, schema: string) {
    const before = new Map(pair.first.statements.map((one) => [one.id, one]));
    const heaviest = pair.second.statements
      .map(({ id, ms }) => ({ id, ms: ms - (before.get(id)?.ms ?? 0) }))
      .filter(({ ms }) => ms > 0)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 8)
      .map(({ id }) => id)
      .filter((id) => /^-?\d+$/u.test(id));
    if (heaviest.length === 0) return [];
    const rows = await value(
      z.array(z.object({ id: z.string(), query: z.string() })),
      textsOf(heaviest, schema),
    );
    return rows.map(({ id, query }) => ({ id, statement: withoutLiterals(query, 'postgres') }));
  }

  return {
    check: async () => healthOf(await aboutIt()),
    look,
    fingerprint: async (): Promise<Taken> => {
      const about = await aboutIt();
      const parts = await value(Parts, FINGERPRINT);
      const counters = counted ?? (await value(Counters, countersOf(about)));
      const statements = counters.statements.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_COUNTED);
      const { index, ...others } = parts;
      return {
        parts: {
          ...others,
          index: Object.fromEntries(
            Object.entries(index).map(([name, text]) => [name, withoutLiterals(text, 'postgres')]),
          ),
          version: { PostgreSQL: about.version },
        },
        counters: {
          statements: Object.fromEntries(statements.map(({ id, calls, ms }) => [id, [calls, ms]])),
          tables: Object.fromEntries(
            counters.tables.map((one) => [one.table, [one.scans, one.read, one.index]]),
          ),
          checkpoints: { all: counters.checkpoints },
        },
      };
    },
    close: async () => {
      // A server that hangs is not waited for.
      await Promise.race([client.end().catch(() => undefined), new Promise((done) => setTimeout(done, 200))]);
    },
  };
}

const DENIED = new Set(['28000', '28P01', '42501', '3D000', '55000', '42883', '42P01', '42703']);

function problemOf(error: unknown, settings: DatabaseSettings): Refused {
  if (!(error instanceof pg.DatabaseError))
    return error instanceof Error && /password/iu.test(error.message)
      ? new Refused(
          'denied',
          `${TITLE} ${settings.name} asks for a password: set it in DATABASES, or in DATABASES_PASSWORD_…`,
        )
      : refusedBy(error, settings, TITLE);
  const { code = '' } = error;
  const what = `${TITLE} ${settings.name}`;
  const refused = (why: Refused['why'], words: string) =>
    new Refused(why, `${what} ${words}`, { cause: error });
  if (code === '53300') {
    const isOwn = /role|database/u.test(error.message) && !/superuser|reserved/iu.test(error.message);
    return isOwn
      ? refused(
          'denied',
          `accepts no more connections of its account ${settings.user || APPLICATION}: the account’s own limit is reached.`,
        )
      : refused('full', 'accepts no more connections: all of them are in use.');
  }
  if (code.startsWith('57P') && code !== '57P05')
    return refused('unreachable', 'is starting up or shutting down, and accepts no connections.');
  if (code === '55P03')
    return new Refused('denied', 'a lock is in the way of reading them.', { cause: error });
  if (code === '57014')
    return refused('slow', `did not answer a statement within ${LIMITS.statementMs / 1000} s.`);
  if (code === '28000' || code === '28P01')
    return refused(
      'denied',
      `refuses the account ${settings.user || APPLICATION} (${code}): correct it in DATABASES, or its password.`,
    );
  if (code === '3D000')
    return refused('denied', 'has no database of that name: correct its address in DATABASES.');
  if (DENIED.has(code)) return new Refused('denied', `the account may not (${code}).`, { cause: error });
  return refused('not it', `answered with an error (${code}).`);
}

function grantOf({ user }: About): string {
  return `grant pg_monitor to ${quoted(user)};`;
}

function grantStatements({ database }: About): string {
  return `set shared_preload_libraries = 'pg_stat_statements', restart, and in ${database}: create extension pg_stat_statements;`;
}

function healthOf(about: About): DatabaseHealth {
  return {
    version: `${TITLE} ${about.version}`,
    missing: [
      ...(about.sees ? [] : [{ what: 'it does not see what other sessions do', grant: grantOf(about) }]),
      ...(about.sees && about.statements === null
        ? [{ what: 'heavy statements are not counted', grant: grantStatements(about) }]
        : []),
    ],
    writes: about.isSuper
      ? 'it is a superuser'
      : about.writes
        ? `it may write tables of ${about.database}`
        : null,
  };
}
