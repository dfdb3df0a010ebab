import mysqlDriver from 'mysql2';
import { z } from 'zod';
import { codeOf } from '../telemetry/http.ts';
import type { Taken } from './fingerprint.ts';
import { judgeMysql, type MysqlReadings } from './mysql-facts.ts';
import * as ask from './mysql-statements.ts';
import { withoutLiterals } from './normalize.ts';
import { APPLICATION, LIMITS, Refused, refusedBy, type Session, socketTo } from './session.ts';
import { type DatabaseSettings, TITLES } from './settings.ts';
import type { DatabaseHealth, Inside, Looked, Opened, System } from './system.ts';

/** MySQL 8, and MariaDB 10.5 or later. */
export const mysql: System = { open };

const BETWEEN_MS = 1_000;
const MOST_COUNTED = 1_000;

async function open(settings: DatabaseSettings, session: Session): Promise<Opened> {
  const { name, host, user, password, database, tls } = settings;
  const connection = mysqlDriver.createConnection({
    user: user === '' ? APPLICATION : user,
    password,
    ...(database === null ? {} : { database }),
    stream: () => socketTo(settings, session),
    ...(tls ? { ssl: { rejectUnauthorized: true, verifyIdentity: true }, host } : {}),
    connectAttributes: { program_name: APPLICATION },
    connectTimeout: LIMITS.ms,
    supportBigNumbers: true,
    dateStrings: true,
  });
  // Whoever waits for an answer is told; without a listener the event would end the process.
  connection.on('error', () => undefined);

  const run = (statement: string): Promise<unknown> =>
    session.statement(
      () =>
        new Promise<unknown>((resolve, reject) => {
          connection.query(statement, (error, rows) =>
            error === null ? resolve(rows) : reject(problemOf(error, settings)),
          );
        }),
    );
  const select = async <T>(schema: z.ZodType<T>, statement: string): Promise<T> =>
    schema.parse(await run(statement));

  try {
    await session.connect(
      () =>
        new Promise<void>((resolve, reject) => {
          connection.connect((error) => (error === null ? resolve() : reject(problemOf(error, settings))));
        }),
    );
  } catch (error) {
    connection.destroy();
    throw error;
  }

  let known: Promise<ask.About> | null = null;
  const aboutIt = () => {
    known ??= (async () => {
      const [row] = await select(z.array(ask.About).min(1), ask.ABOUT);
      if (row === undefined) throw new Refused('not it', `${TITLES.mysql} ${name} answered nothing.`);
      const { isMaria } = row;
      // Each statement is a read-only transaction of its own, and the server ends it by itself.
      await run(
        isMaria
          ? 'set session tx_read_only = 1, max_statement_time = 1.8, lock_wait_timeout = 1'
          : 'set session transaction_read_only = 1, max_execution_time = 1800, lock_wait_timeout = 1',
      );
      return row;
    })();
    return known;
  };
  let counted: readonly ask.Digest[] = [];

  async function look({ earlier, now }: Looked): Promise<Inside> {
    const unread: string[] = [];
    const tried = async <T>(what: string, schema: z.ZodType<T>, statement: string): Promise<T | null> => {
      try {
        return await select(schema, statement);
      } catch (error) {
        const { message } = refusedBy(error, settings, TITLES.mysql);
        unread.push(`${what} of ${name} were not read: ${message}`);
        return null;
      }
    };
    const about = await aboutIt();
    let isBlind = false;
    // Without PROCESS only its own sessions are listed, and no transactions.
    const sessions = await select(z.array(ask.SessionRow), ask.sessionsOf(about)).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.why !== 'denied') throw error;
      isBlind = true;
      return [];
    });
    const waits = await tried('Waits for rows', z.array(ask.Wait), ask.waitsOf(about));
    const status = await select(z.array(ask.Status), ask.STATUS).then(ask.valuesOf);
    const isHidden =
      isBlind || (about.process !== 1 && sessions.every((one) => one.user === about.user.split('@')[0]));
    if (isHidden)
      unread.push(`What other sessions of ${name} do is hidden from its account: ${ask.grantOf(about)}`);
    const isLocked = sessions.some(({ state }) => /metadata lock/iu.test(state ?? ''));
    const metadata =
      isLocked && about.metadata === 1
        ? await tried('Metadata locks', z.array(ask.MetadataLock), ask.metadataOf(about))
        : null;
    const first =
      about.digests === 1 ? await tried('Heavy statements', z.array(ask.Digest), ask.DIGESTS) : null;
    const replication = await tried(
      'Replication',
      z.array(z.record(z.string(), z.unknown())),
      ask.replicationOf(about),
    );
    await session.pause(BETWEEN_MS);
    const second = first === null ? null : await tried('Heavy statements', z.array(ask.Digest), ask.DIGESTS);
    if (about.digests !== 1)
      unread.push(
        `Heavy statements of ${name} were not read: they are counted with performance_schema=ON only.`,
      );
    counted = second ?? first ?? [];
    const readings: MysqlReadings = {
      about,
      sessions: sessions.map((one) => ({ ...one, statement: withoutLiterals(one.query ?? '', 'mysql') })),
      waits: waits ?? [],
      metadata,
      status,
      digests: first === null || second === null ? null : { first, second },
      replication: replication ?? [],
      earlier,
      now,
    };
    return { ...judgeMysql(name, readings), unread };
  }

  return {
    look,
    check: async (): Promise<DatabaseHealth> => {
      const about = await aboutIt();
      const rows = await select(z.array(z.record(z.string(), z.unknown())), 'show grants');
      return ask.healthOf(
        about,
        rows.flatMap((row) => Object.values(row).map(String)),
      );
    },
    fingerprint: async (): Promise<Taken> => {
      const about = await aboutIt();
      const rows = await select(z.array(ask.Part), ask.fingerprintOf(about));
      const parts: Record<string, Record<string, string>> = { index: {}, table: {}, setting: {} };
      for (const { part, name: of, value } of rows) parts[part] = { ...parts[part], [of]: value };
      const digests = counted.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_COUNTED);
      return {
        parts: { ...parts, version: { server: about.version } },
        counters: { statements: Object.fromEntries(digests.map(({ id, calls, ms }) => [id, [calls, ms]])) },
      };
    },
    close: async () => {
      connection.destroy();
    },
  };
}

function problemOf(error: unknown, settings: DatabaseSettings): Refused {
  const code = codeOf(error);
  const what = `${TITLES.mysql} ${settings.name}`;
  const refused = (why: Refused['why'], words: string) =>
    new Refused(why, `${what} ${words}`, { cause: error });
  if (code === 'ER_CON_COUNT_ERROR')
    return refused('full', 'accepts no more connections: max_connections is reached.');
  if (code === 'ER_USER_LIMIT_REACHED' || code === 'ER_TOO_MANY_USER_CONNECTIONS')
    return refused(
      'denied',
      'accepts no more connections of its account: the account’s own limit is reached.',
    );
  if (code === 'ER_HOST_IS_BLOCKED')
    return refused(
      'denied',
      'has blocked this host after many failed connections: flush hosts; lets it in again.',
    );
  if (/^ER_(?:ACCESS_DENIED|DBACCESS_DENIED|NOT_SUPPORTED_AUTH)/u.test(code))
    return refused(
      'denied',
      `refuses the account ${settings.user === '' ? APPLICATION : settings.user}: correct it in DATABASES, or its password.`,
    );
  if (code === 'ER_BAD_DB_ERROR')
    return refused('denied', 'has no database of that name: correct its address in DATABASES.');
  if (code === 'ER_STATEMENT_TIMEOUT' || code === 'ER_QUERY_TIMEOUT')
    return refused('slow', `did not answer a statement within ${LIMITS.statementMs / 1000} s.`);
  if (code === 'ER_SERVER_SHUTDOWN') return refused('unreachable', 'is shutting down.');
  if (/^ER_/u.test(code)) return new Refused('denied', `the account may not (${code}).`, { cause: error });
  return refusedBy(error, settings, TITLES.mysql);
}
