import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Database } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

const Pause = z.object({ by: z.string(), at: z.number() });
/** Who paused filing everywhere, and when (milliseconds). */
export type Pause = z.infer<typeof Pause>;

/**
 * Work that somebody planned: alerts of its scope are held until it is over. What was ended early is kept until it would
 * have ended, so that whoever still says that it is planned does not begin it again. Times in milliseconds.
 */
const Plan = z.object({
  id: z.string(),
  channel: z.string(),
  /** A person, `mcp:<agent>`, or `from:<system>` that says so. */
  by: z.string(),
  /** Services, `env:staging`, labels. */
  scope: z.array(z.string()),
  from: z.number(),
  until: z.number(),
  title: z.string(),
  /** When it would have ended by itself. */
  planned: z.number().exactOptional(),
  /** What fired meanwhile was looked at. */
  isOver: z.literal(true).exactOptional(),
});
export type Plan = z.infer<typeof Plan>;
const PLAN = 'plan:';

/** Flags for the whole workspace. An unreadable flag blocks nothing. */
export function flagStore(db: Database, wake: Wake = wakeNobody) {
  const rowsOfPlans = () =>
    db.selectFrom('flags').select(['name', 'value']).where('name', 'like', `${PLAN}%`).execute();
  return {
    /** Since when and by whom filing is paused; `null` if it is not. */
    paused: async (): Promise<Pause | null> => {
      const row = await db
        .selectFrom('flags')
        .select('value')
        .where('name', '=', 'paused')
        .executeTakeFirst();
      return row ? decodeStored(Pause, row.value) : null;
    },
    /** Pauses; an earlier pause stays as it is. */
    pause: async (pause: Pause): Promise<void> => {
      await db
        .insertInto('flags')
        .values({ name: 'paused', value: JSON.stringify(pause) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
    /**
     * Whether the database is writable. A write that changes nothing needs no disk space, so this really stores
     * something.
     */
    probe: async (): Promise<boolean> => {
      const value = randomUUID();
      try {
        await db
          .insertInto('flags')
          .values({ name: 'probe', value })
          .onConflict((c) => c.column('name').doUpdateSet({ value }))
          .execute();
        return true;
      } catch {
        return false;
      }
    },
    /** Planned work, the first to end first. */
    plans: async (): Promise<Plan[]> => {
      const plans = (await rowsOfPlans()).flatMap(({ value }) => decodeStored(Plan, value) ?? []);
      return plans.sort((a, b) => a.until - b.until || (a.id < b.id ? -1 : 1));
    },
    /** The ids of plans that are damaged, or that a newer release has stored. */
    unreadablePlans: async (): Promise<string[]> =>
      (await rowsOfPlans()).flatMap(({ name, value }) =>
        decodeStored(Plan, value) === null ? [name.slice(PLAN.length)] : [],
      ),
    /** Stores a plan, or what became of it. */
    plan: async (plan: Plan): Promise<void> => {
      const value = JSON.stringify(plan);
      await db
        .insertInto('flags')
        .values({ name: `${PLAN}${plan.id}`, value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute();
      wake('timers');
    },
    endPlan: async (id: string): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', `${PLAN}${id}`).execute();
    },
    resume: async (): Promise<void> => {
      await db.deleteFrom('flags').where('name', '=', 'paused').execute();
    },
  };
}
