import Sqlite from 'better-sqlite3';
import type { Chance } from '../chaos/random.ts';
import { mutated } from './mutate.ts';
import { toJson } from './payload.ts';

/** The columns that hold JSON, or a word that a newer or older program may not know. */
const columns: Record<string, readonly string[]> = {
  alerts: ['alert', 'decision', 'kind', 'format', 'outcome', 'reason', 'sender'],
  artifacts: ['body', 'state'],
  channels: ['settings'],
  digests: ['days', 'time', 'zone'],
  files: ['what', 'state', 'alt'],
  flags: ['value'],
  holds: ['state', 'reason'],
  inbox: ['body', 'state'],
  issues: [
    'request',
    'earlier',
    'note',
    'last_action',
    'status',
    'status_before',
    'severity',
    'title',
    'state',
  ],
  outbox: ['payload', 'sent', 'kind'],
  questions: ['artifacts', 'files', 'state', 'note'],
  results: ['body'],
  blockers: ['detail'],
};

const WORDS = ['', 'null', '{}', '[]', '0', '"x"', '{', 'none of the words', '\u0000', '{"v":99}'];

/** Damages one column of about every other row: not as a disk does, but as a program of another version would. */
export function damageRows(file: string, chance: Chance): number {
  const db = new Sqlite(file);
  let damaged = 0;
  const damage = db.transaction(() => {
    for (const [table, names] of Object.entries(columns)) {
      const rows = db.prepare(`select rowid as row, * from "${table}"`).all();
      for (const row of rows) {
        const name = chance.one(names);
        if (name === undefined || chance.is(0.5)) continue;
        const { row: id, [name]: before } = Object(row);
        if (before === null && chance.is(0.5)) continue;
        db.prepare(`update "${table}" set ${name} = ? where rowid = ?`).run(other(before, chance), id);
        damaged += 1;
      }
    }
  });
  damage();
  db.close();
  return damaged;
}

function other(before: unknown, chance: Chance): string {
  const word = chance.one(WORDS) ?? '';
  if (typeof before !== 'string' || !/^[[{]/u.test(before) || chance.is(0.3)) return word;
  try {
    return toJson(mutated(JSON.parse(before), chance));
  } catch {
    return word;
  }
}
