import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { readConfig } from '../bot/config.ts';
import { type Command, type Environment, type Io, loadEnvFile, processIo } from '../lib/io.ts';
import { withoutSecrets } from '../lib/redact.ts';

/** `npm run backup -- FILE`: a consistent copy of the database, while Gumshoe runs or not. @returns the exit code */
export const backup: Command = withoutSecrets(async (words, env, io) => {
  const problems = problemsOf(words[0], env, io);
  for (const problem of problems) io.err(problem);
  return problems.length === 0 ? 0 : 1;
});

function problemsOf(target: string | undefined, env: Environment, io: Io): string[] {
  if (target === undefined || target.startsWith('-'))
    return ['Name the backup file: npm run backup -- ./gumshoe-backup.db'];
  const read = readConfig(env);
  if (!read.ok) return read.problems;
  const { database } = read.config;
  if (database.kind === 'postgres') {
    return [
      'DATABASE_URL is a PostgreSQL database. Back it up with pg_dump: pg_dump --format=custom --file=gumshoe.dump "$DATABASE_URL"',
    ];
  }
  const { file } = database;
  if (!existsSync(file)) return [`There is no database at ${file}: check DATABASE_URL`];
  const problem = backUp(file, target);
  if (problem === null) io.out(`copied ${file} to ${target}`);
  return problem === null ? [] : [problem];
}

function reserve(target: string): string | null {
  try {
    closeSync(openSync(target, 'wx', 0o600));
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? `${target} already exists and will not be overwritten: name another file or move it`
      : `cannot write ${target} (${reason}): check that its folder exists and that this user can write there`;
  }
}

/**
 * Copies a SQLite file that may be in use into a new file of mode 600, and checks the copy.
 * Answers what is wrong, in words for the operator, or `null`; a copy that failed is taken away.
 */
export function backUp(source: string, target: string): string | null {
  const problem = reserve(target);
  if (problem !== null) return problem;
  let from: Sqlite.Database | undefined;
  let copy: Sqlite.Database | undefined;
  try {
    from = new Sqlite(source, { readonly: true, fileMustExist: true });
    // One statement is of one moment. SQLite's own backup begins again whenever another process writes: it might never end.
    from.prepare('VACUUM INTO ?').run(target);
    copy = new Sqlite(target);
    // The copy is one file: a backup that needs its -wal beside it is easily lost.
    copy.pragma('journal_mode = DELETE');
    const state = copy.pragma('quick_check', { simple: true });
    if (state !== 'ok') throw new Error(String(state));
    return null;
  } catch (error) {
    rmSync(target, { force: true });
    return `could not copy ${source} (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    from?.close();
    copy?.close();
  }
}

if (import.meta.main) process.exitCode = await backup(process.argv.slice(2), loadEnvFile(), processIo);
