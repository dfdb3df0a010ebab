import pg from 'pg';
import { codeOf, reasonOf } from './errors.ts';

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
  return `${server} cannot be reached (${reasonOf(error)}): check that it runs and takes connections from here, or correct DATABASE_URL.`;
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
