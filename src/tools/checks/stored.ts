import Sqlite from 'better-sqlite3';
import { type CheckResult, failed } from '../../bot/slack/checks/result.ts';
import { checkKept } from './kept.ts';
import { checkTroubles } from './troubles.ts';

/** Checks a stored database, read-only: open problems, and damaged rows. */
export function checkStored(file: string): CheckResult[] {
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true });
    return [checkKept(db), ...checkTroubles(db)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      failed(
        'stored data',
        `${file} cannot be read (${why})`,
        'run this again; if it persists, stop Gumshoe first',
      ),
    ];
  } finally {
    db?.close();
  }
}
