import pg from 'pg';
import { z } from 'zod';

const WithCode = z.object({ code: z.string() });

/** SQLSTATEs: serialization failure, deadlock, and a lock that was held for longer than we wait. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** The server is shutting down, starting, or a standby, is out of connections, or closed this one. */
const UNAVAILABLE = /^(?:08...|57P0[1-5]|53300|25006|25P03)$/u;
/** Node's socket and resolver errors. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The Unix socket of a local server that is down.
  'ENOENT',
]);
/** The driver gives these no code. */
const UNNAMED =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable/iu;

/** Conflict with another transaction: nothing of this one was kept, and a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** The server is unreachable or restarting: a retry on another connection may succeed. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    UNAVAILABLE.test(code) || UNREACHABLE.has(code) || (error instanceof Error && UNNAMED.test(error.message))
  );
}

/** The connection was already closed: the server has not seen the statement, and another connection may take it. */
export function wasNotSent(error: unknown): boolean {
  return codeOf(error) === 'EPIPE' || (error instanceof Error && /not queryable/iu.test(error.message));
}

/** The server's error message, without the statement and its values. */
export function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return `${error.message} (${error.code ?? 'no code'})`;
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The SQLSTATE or socket error code; empty if there is none. */
export function codeOf(error: unknown): string {
  return WithCode.safeParse(error).data?.code ?? '';
}

/** PostgreSQL SQLSTATEs. */
const REFUSED = new Set(['28000', '28P01']);
const NO_DATABASE = '3D000';

/** Why there is no connection, and what to do, in one sentence for the operator; the password is never part of it. */
export function connectionProblem(error: unknown, url: string): string {
  const { host, port, user, database } = addressOf(url);
  const server = `PostgreSQL at ${host.startsWith('/') ? host : `${host}:${port}`}`;
  const code = codeOf(error);
  if (REFUSED.has(code))
    return `${server} refused the user ${user} (${reasonOf(error)}): correct the user or the password in DATABASE_URL.`;
  if (code === NO_DATABASE)
    return `${server} has no database ${database}: create it, or correct the name in DATABASE_URL.`;
  return `${server} cannot be reached (${reasonOf(error)}): check that it runs and accepts connections from here, or correct DATABASE_URL.`;
}

/** `host:port/database`, for the operator. */
export function databaseName(url: string): string {
  const { host, port, database } = addressOf(url);
  return `${database} (PostgreSQL at ${host.startsWith('/') ? host : `${host}:${port}`})`;
}

function addressOf(url: string): { host: string; port: number; user: string; database: string } {
  const { host, port, user = '', database = '' } = new pg.Client({ connectionString: url });
  return { host, port, user, database };
}
