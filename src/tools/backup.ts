import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readConfig } from '../bot/config.ts';
import { lockFile } from '../lib/file-lock.ts';
import { type Command, type Environment, type Io, loadEnvFile, processIo } from '../lib/io.ts';
import { withoutSecrets } from '../lib/redact.ts';

/**
 * `npm run backup -- FILE`: consistent copies of the bot's database and of the embedded service's beside it, while Gumshoe
 * runs or not; `--restore FILE` puts them back. @returns the exit code
 */
export const backup: Command = withoutSecrets(async (words, env, io) => {
  const [first, second, ...more] = words;
  const isRestore = first === '--restore';
  const copy = isRestore ? second : first;
  const isMisused =
    copy === undefined || copy.startsWith('-') || more.length > 0 || (!isRestore && second !== undefined);
  const problem = isMisused
    ? 'Name the backup file: npm run backup -- ./gumshoe-backup.db (and to put it back: npm run backup -- --restore ./gumshoe-backup.db)'
    : problemOf(copy, isRestore, env, io);
  if (problem !== null) io.err(problem);
  return problem === null ? 0 : 1;
});

function problemOf(copy: string, isRestore: boolean, env: Environment, io: Io): string | null {
  const read = readConfig(env);
  if (!read.ok) return read.problems.join('\n');
  const { database } = read.config;
  if (database.kind === 'postgres') {
    return 'DATABASE_URL is a PostgreSQL database. Back it up with pg_dump: pg_dump --format=custom --file=gumshoe.dump "$DATABASE_URL"';
  }
  const embedded = join(dirname(database.file), 'service.db');
  const pairs = [
    { file: database.file, copy },
    ...(embedded === join(database.file) ? [] : [{ file: embedded, copy: copyOfService(copy) }]),
  ];
  return isRestore ? restoreAll(pairs, io) : backUpAll(pairs, io);
}

/** A database, and the backup of it. */
interface Pair {
  file: string;
  copy: string;
}

/** `gumshoe-backup.db` → `gumshoe-backup-service.db`. */
function copyOfService(copy: string): string {
  const extension = extname(copy);
  return join(dirname(copy), `${basename(copy, extension)}-service${extension}`);
}

function backUpAll([bots, ...others]: readonly Pair[], io: Io): string | null {
  if (bots === undefined || !existsSync(bots.file))
    return `There is no database at ${bots?.file}: check DATABASE_URL`;
  for (const { file, copy } of [bots, ...others.filter((pair) => existsSync(pair.file))]) {
    const problem = backUp(file, copy);
    if (problem !== null) return problem;
    io.out(`copied ${file} to ${copy}`);
  }
  return null;
}

function restoreAll(pairs: readonly Pair[], io: Io): string | null {
  const [first] = pairs;
  if (first === undefined || !existsSync(first.copy)) return `There is no backup at ${first?.copy}`;
  const locks = [];
  try {
    for (const { file } of pairs) {
      const lock = lockFile(file);
      if (lock === null) return `${file} is in use: stop Gumshoe first`;
      locks.push(lock);
    }
    for (const { file, copy } of pairs.filter((pair) => existsSync(pair.copy))) {
      const problem = restore(copy, file);
      if (problem !== null) return problem;
      io.out(`restored ${file} from ${copy}`);
    }
    return null;
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Puts a backup in place of a database that nobody uses; what was there is kept as `<file>.replaced`. */
function restore(copy: string, file: string): string | null {
  const fresh = `${file}.restoring`;
  rmSync(fresh, { force: true });
  // Copied by SQLite, which checks it, and into the same folder: what follows is a rename.
  const problem = backUp(copy, fresh);
  if (problem !== null) return problem;
  for (const part of ['', '-wal', '-shm']) {
    rmSync(`${file}.replaced${part}`, { force: true });
    if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${file}.replaced${part}`);
  }
  renameSync(fresh, file);
  return null;
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
