import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type CheckResult, failed, passed } from '../../bot/slack/checks/result.ts';
import { migrations } from '../../bot/store/migrations/index.ts';

const name = 'database';

/** Where the file is missing, the nearest folder above it that is there: what is missing is made at start. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function versionsIn(db: Sqlite.Database): string[] {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
  if (table === undefined) return [];
  return db.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all();
}

function checkContent(file: string): CheckResult {
  const restore = 'restore the latest backup (see `npm run backup`) and remove the old -wal and -shm files';
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true });
    const state = db.pragma('quick_check', { simple: true });
    if (state !== 'ok') return failed(name, `${file} is corrupt (${String(state)})`, restore);
    const versions = versionsIn(db);
    const newer = versions.filter((version) => !(version in migrations));
    if (newer.length > 0) {
      return failed(
        name,
        `${file} was written by a newer Gumshoe (it has ${newer.join(', ')})`,
        'start that version, or restore the copy made before the upgrade',
      );
    }
    const pending = Object.keys(migrations).length - versions.length;
    const version = versions.at(-1) ?? 'empty';
    return passed(
      name,
      `${file} is at ${version}${pending > 0 ? `; ${pending} pending at the next start` : ''}`,
    );
  } catch (error) {
    return failed(
      name,
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)})`,
      restore,
    );
  } finally {
    db?.close();
  }
}

/** Whether the database can be opened, is whole, of a version that this program knows, and can be written. */
export function checkDatabase(file: string): CheckResult {
  const folder = nearest(dirname(file));
  if (!statSync(folder).isDirectory())
    return failed(name, `${folder} is not a folder`, 'change DATABASE_URL');
  const place = [folder, ...(existsSync(file) ? [file] : [])].find((path) => !isWritable(path));
  if (place !== undefined) {
    return failed(name, `${place} is not writable`, 'give this user write access, or change DATABASE_URL');
  }
  return existsSync(file) ? checkContent(file) : passed(name, `${file} will be created at the first start`);
}
