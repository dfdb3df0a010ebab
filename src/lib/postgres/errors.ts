import pg from 'pg';
import { z } from 'zod';

const WithCode = z.object({ code: z.string() });

/** Of PostgreSQL's SQLSTATE: serialization failure, deadlock, and a lock that somebody held for longer than we wait. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** The server goes down, comes up, follows another, has no connection left, or ended this one. */
const UNAVAILABLE = /^(?:08...|57P0[1-5]|53300|25006|25P03)$/u;
/** Of Node's sockets and resolver. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The socket of a server on the same machine, while that is down.
  'ENOENT',
]);
/** The driver gives these no code. */
const UNNAMED =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable/iu;

/** Another transaction got in the way: nothing of this one was kept, and the same again may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** The server cannot be reached, or is about to be back: the same may succeed on another connection. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    UNAVAILABLE.test(code) || UNREACHABLE.has(code) || (error instanceof Error && UNNAMED.test(error.message))
  );
}

/** What the server says is wrong, without the statement and its values. */
export function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return `${error.message} (${error.code ?? 'no code'})`;
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** The SQLSTATE, or the code of a socket; empty if there is none. */
export function codeOf(error: unknown): string {
  return WithCode.safeParse(error).data?.code ?? '';
}
