import Sqlite from 'better-sqlite3';

/** Every change of settings and pauses that a database's audit table holds, as `who what`, in the order they were made. */
export function auditOf(file: string): string[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db
      .prepare<[], { who: string; what: string }>(
        'select who, what from audit where issue_id is null order by rowid',
      )
      .all()
      .map(({ who, what }) => `${who} ${what}`);
  } finally {
    db.close();
  }
}
