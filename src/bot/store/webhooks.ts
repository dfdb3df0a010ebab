import { createHash, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AT_ONCE, isDue, turnOf, untilNext } from './due.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type Webhook = Selectable<Tables['webhooks']>;

/** Tools that get no answer send the same request again. */
const SAME_FOR_MS = 5 * 60_000;

/** Begins the digest of a webhook that is known for good: its signature never expires. */
export const KEPT = 'kept:';

interface NewWebhook {
  source: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  at: number;
  /** What is compared; the body, unless it is given. */
  same?: string | Buffer | null;
  /** Whether the same again is never another firing. */
  once?: boolean | 'for good';
}

/** Ids in the order of arrival, even within one millisecond. */
function nextId(at: number): string {
  const within = process.hrtime.bigint().toString().padStart(20, '0');
  return `${String(at).padStart(15, '0')}-${within}-${randomUUID()}`;
}

/** Webhooks, stored before they are answered. */
export function webhookStore(db: Database, wake: Wake = wakeNobody) {
  return {
    /**
     * @returns false if it is the same again, and changes nothing: with `once`, as any that is still known; else, as the
     * newest request of its source, within the last five minutes. After anything else, such as a recovery, the same body
     * means that the alert is firing again.
     */
    add: async ({ source, body, headers, at, same = null, once = false }: NewWebhook): Promise<boolean> => {
      const hash = createHash('sha256')
        .update(same ?? body)
        .digest('hex');
      const digest = once === 'for good' ? `${KEPT}${hash}` : hash;
      const before = db.selectFrom('webhooks').select('digest').where('source', '=', source);
      const known = once
        ? before.where('digest', 'in', [hash, `${KEPT}${hash}`]).where('state', '!=', 'dead')
        : before.where('receivedAt', '>', at - SAME_FOR_MS);
      const newest = await known
        .orderBy('receivedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (newest !== undefined && (once || newest.digest === digest)) return false;
      await db
        .insertInto('webhooks')
        .values({
          id: nextId(at),
          source,
          digest,
          body,
          headers: JSON.stringify(headers),
          receivedAt: at,
          attempts: 0,
          nextAt: AT_ONCE,
          state: 'open',
          error: null,
        })
        .execute();
      wake('webhooks');
      return true;
    },

    /** What is to be handled now: the oldest of each source in turn. */
    open: (now: number, limit: number): Promise<Webhook[]> =>
      db
        .selectFrom('webhooks')
        .selectAll()
        .where('state', '=', 'open')
        .where(isDue(now))
        .orderBy(turnOf('source', 'id'))
        .orderBy('id')
        .limit(limit)
        .execute(),

    untilNext: (now: number): Promise<number> =>
      untilNext(db.selectFrom('webhooks').where('state', '=', 'open'), now),

    /** Its alerts are stored individually, so the body is no longer needed. */
    done: async (id: string): Promise<void> => {
      await db
        .updateTable('webhooks')
        .set({ state: 'done', body: '', error: null })
        .where('id', '=', id)
        .execute();
    },

    /** It could not be handled; retried at `nextAt`, or never. */
    failed: async (id: string, error: string, nextAt: number | null): Promise<void> => {
      await db
        .updateTable('webhooks')
        .set((e) => ({
          attempts: e('attempts', '+', 1),
          error,
          ...(nextAt === null ? { state: 'dead' as const } : { nextAt }),
        }))
        .where('id', '=', id)
        .execute();
    },
  };
}
