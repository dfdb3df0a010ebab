import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../lib/clock.ts';
import type { InTurn } from '../../../lib/worker-loop.ts';
import type { Tables } from '../tables.ts';

/** A replica not seen for this long is gone, or cannot reach the database; milliseconds. */
const GONE_MS = 10_000;
/** Longer than any work done under a lease: the lease of a dead replica expires. */
const LEASE_MS = 60_000;
const LEASE_LOOK_MS = 100;
/** A leader that has not renewed its lead for so long has lost it. */
const LEAD_MS = 10_000;
/** It stops by itself before that: what it has just sent has arrived when the next one takes over. */
export const LEAD_VALID_MS = 7_000;
const LEADER = 'leader';
const FORGOTTEN_MS = 60 * 60_000;
/** The database's clock, since replicas' own clocks may differ. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const MINUTE = sql<number>`floor(extract(epoch from transaction_timestamp()) / 60)`;

/** What replicas on one database know about each other. */
export interface Replicas {
  id: string;
  /**
   * A heartbeat, to be sent every few seconds.
   *
   * @param leads whether it leads, or is still finishing work it began as leader
   * @param status its status as JSON, if it leads
   */
  seen(leads: boolean, status?: string | null): Promise<void>;
  /** The leader's status as JSON; `null` if unknown. */
  leaderStatus(): Promise<string | null>;
  /** Takes the lead, if nobody has it. @returns whether this replica has it for `LEAD_VALID_MS` */
  takeLead(): Promise<boolean>;
  /** @returns false if another one may have had it in the meantime */
  renewLead(): Promise<boolean>;
  /** Gives up the lead, if this replica has it. */
  leaveLead(): Promise<void>;
  /** The database's time in milliseconds. */
  now(): Promise<number>;
  /** The ids of the live replicas. */
  present(): Promise<string[]>;
  /** Takes over the deliveries of replicas that are gone. @returns how many */
  adoptDeliveries(): Promise<number>;
  /** Runs it while no other replica runs anything with the same key. */
  inTurn: InTurn;
  /** Counts one for the key. @returns the total for this minute of the database's clock, over all replicas */
  count(key: string): Promise<number>;
  notify(channel: string, payload: string): Promise<void>;
  /** This replica is about to exit. */
  leave(): Promise<void>;
}

export function postgresReplicas(db: Kysely<Tables>, id: string, clock: Pick<Clock, 'sleep'>): Replicas {
  const present = () =>
    db.selectFrom('replicas').where('seenAt', '>', sql<number>`${NOW} - ${sql.lit(GONE_MS)}`);
  return {
    id,
    seen: async (leads, status = null) => {
      await db
        .insertInto('replicas')
        .values({ id, seenAt: NOW, leads, status })
        .onConflict((c) => c.column('id').doUpdateSet({ seenAt: NOW, leads, status }))
        .execute();
      await db
        .deleteFrom('replicas')
        .where('seenAt', '<', sql<number>`${NOW} - ${sql.lit(FORGOTTEN_MS)}`)
        .execute();
    },
    leaderStatus: async () => {
      const row = await present().select('status').where('leads', '=', true).executeTakeFirst();
      return row?.status ?? null;
    },
    takeLead: () => takeLease(db, { key: LEADER, owner: id }, LEAD_MS),
    renewLead: async () => {
      const { numUpdatedRows } = await db
        .updateTable('leases')
        .set({ until: inMs(LEAD_MS) })
        .where((e) => e.and({ key: LEADER, owner: id }))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    leaveLead: async () => {
      await db.deleteFrom('leases').where('key', '=', LEADER).where('owner', '=', id).execute();
    },
    now: async () => {
      const { rows } = await sql<{ now: number }>`select ${NOW} as now`.execute(db);
      return rows[0]?.now ?? 0;
    },
    present: async () => (await present().select('id').orderBy('id').execute()).map((row) => row.id),
    adoptDeliveries: async () => {
      const lost = db
        .selectFrom('inbox')
        .select('key')
        .where('state', '=', 'open')
        .where('owner', 'not in', present().select('id'))
        .forUpdate()
        .skipLocked();
      const { numUpdatedRows } = await db
        .updateTable('inbox')
        .set({ owner: id })
        .where('key', 'in', lost)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
    inTurn: async (key, work) => {
      const owner = randomUUID();
      while (!(await takeLease(db, { key, owner }, LEASE_MS))) await clock.sleep(LEASE_LOOK_MS);
      try {
        return await work();
      } finally {
        await db.deleteFrom('leases').where('key', '=', key).where('owner', '=', owner).execute();
      }
    },
    count: async (key) => {
      const { count } = await db
        .insertInto('allowances')
        .values({ key, minute: MINUTE, count: 1 })
        .onConflict((c) =>
          c.column('key').doUpdateSet({
            minute: MINUTE,
            count: sql<number>`case when allowances.minute = ${MINUTE} then allowances.count + 1 else 1 end`,
          }),
        )
        .returning('count')
        .executeTakeFirstOrThrow();
      return count;
    },
    notify: async (channel, payload) => {
      await sql`select pg_notify(${channel}, ${payload})`.execute(db);
    },
    leave: async () => {
      await db.deleteFrom('replicas').where('id', '=', id).execute();
    },
  };
}

const inMs = (ms: number) => sql<number>`${NOW} + ${sql.lit(ms)}`;

async function takeLease(
  db: Kysely<Tables>,
  lease: { key: string; owner: string },
  ms: number,
): Promise<boolean> {
  const until = inMs(ms);
  const row = await db
    .insertInto('leases')
    .values({ ...lease, until })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet({ ...lease, until })
        .where((e) => e.or([e('leases.until', '<', NOW), e('leases.owner', '=', lease.owner)])),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}
