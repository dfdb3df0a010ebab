import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Due at once, even if the replica that wrote it has a wrong clock. */
export const AT_ONCE = 0;
/** No rule delays a row longer than this, with few exceptions that name their own. */
const LONGEST_DELAY_MS = 2 * 60_000;

/**
 * Whether a row's `nextAt` has come. One that is further ahead than any rule allows was written by a clock that was wrong: it is
 * due too, or it would wait until that time really comes.
 */
export function isDue(now: number, longestMs = LONGEST_DELAY_MS) {
  return sql<SqlBool>`(next_at <= ${now} or next_at > ${now + longestMs})`;
}

/** Milliseconds until the first of these rows that are not due yet is; `Infinity` if there is none. */
export async function untilNext<Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
  now: number,
): Promise<number> {
  const later = rows.where(sql<SqlBool>`next_at > ${now}`);
  const { at } = await later.select(sql<number | null>`min(next_at)`.as('at')).executeTakeFirstOrThrow();
  return at === null ? Number.POSITIVE_INFINITY : Number(at) - now;
}

/** The place of a row among those of its group: ordered by it, each group gets its turn, however many rows another one has. */
export function turnOf(group: string, order: string) {
  return sql<number>`row_number() over (partition by ${sql.ref(group)} order by ${sql.ref(order)})`;
}

/** How many rows there are. */
export async function countOf<Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { n } = await rows.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return Number(n);
}
