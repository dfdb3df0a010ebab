import { type Selectable, type SqlBool, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';

type AlertRow = Selectable<Tables['alerts']>;

/** Literals: with a parameter, SQLite would not use the partial index of ignored and held alerts. */
export const isHeld = sql<SqlBool>`decision = 'held'`;
const isIgnored = sql<SqlBool>`decision = 'ignored'`;

/** Inserts the decision on a message, or replaces it. */
export const record = prepared<AlertRow, unknown>((db, parameter) => {
  const row = {
    channel: parameter('channel'),
    ts: parameter('ts'),
    decision: parameter('decision'),
    reason: parameter('reason'),
    kind: parameter('kind'),
    format: parameter('format'),
    fingerprint: parameter('fingerprint'),
    issueId: parameter('issueId'),
    alert: parameter('alert'),
    decidedAt: parameter('decidedAt'),
    identity: parameter('identity'),
    detail: parameter('detail'),
    threadTs: parameter('threadTs'),
    sender: parameter('sender'),
    holdId: parameter('holdId'),
    outcome: parameter('outcome'),
  };
  return db
    .insertInto('alerts')
    .values({ ...row, id: parameter('id') })
    .onConflict((c) => c.column('id').doUpdateSet(row));
});

/** At most one row. */
export const oneById = prepared<{ id: string }, AlertRow>((db, parameter) =>
  db.selectFrom('alerts').selectAll().where('id', '=', parameter('id')),
);

/** Messages of an identity that were ignored for this reason since then. */
export const ignoredSince = prepared<{ identity: string; reason: string; since: number }, AlertRow>(
  (db, parameter) =>
    db
      .selectFrom('alerts')
      .selectAll()
      .where('identity', '=', parameter('identity'))
      .where(isIgnored)
      .where('reason', '=', parameter('reason'))
      .where('decidedAt', '>', parameter('since')),
);

/** Recoveries of an identity that a channel received since then, from this `ts` on. */
export const recoveriesSince = prepared<
  { identity: string; channel: string; from: string; since: number },
  AlertRow
>((db, parameter) =>
  db
    .selectFrom('alerts')
    .selectAll()
    .where('identity', '=', parameter('identity'))
    .where('channel', '=', parameter('channel'))
    .where('kind', '=', 'resolved')
    .where('ts', '>=', parameter('from'))
    .where('decidedAt', '>', parameter('since')),
);
