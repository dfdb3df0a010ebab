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
 * have ended, so that a system that still reports it does not start it again. Times in milliseconds.
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

/** Somebody is to be woken, or was, about an issue. No text of it is kept. */
const PageRow = z.object({
  issueId: z.string(),
  /** By which the tool knows it. */
  key: z.string(),
  /** As the file of `OWNERS` names them. */
  owner: z.string(),
  by: z.string(),
  state: z.enum(['wanted', 'sent', 'failed']),
  attempts: z.number(),
  nextAt: z.number(),
});
export type PageRow = z.infer<typeof PageRow>;
const PAGE = 'page:';

/** What a language model was asked about a wording of a sender in a channel. */
const ProposalRow = z.object({
  channel: z.string(),
  /** Hashes of who it is, and of the wording. */
  sender: z.string(),
  wording: z.string(),
  /** How often it was asked, or is being asked. */
  attempts: z.number(),
  at: z.number(),
  isAnswered: z.boolean(),
  /** What it proposes, as a `SenderMap` in JSON; `null` if the messages confirm nothing of it. */
  map: z.string().nullable(),
});
type ProposalRow = z.infer<typeof ProposalRow>;
const PROPOSAL = 'proposal:';

/** Flags for the whole workspace. An unreadable flag blocks nothing. */
export function flagStore(db: Database, wake: Wake = wakeNobody) {
  const rowsOf = (prefix: string) =>
    db.selectFrom('flags').select(['name', 'value']).where('name', 'like', `${prefix}%`).execute();
  const contentOf = async <Content>(name: string, schema: z.ZodType<Content>): Promise<Content | null> => {
    const row = await db.selectFrom('flags').select('value').where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : decodeStored(schema, row.value);
  };
  const put = async (name: string, content: Plan | PageRow | ProposalRow): Promise<void> => {
    const value = JSON.stringify(content);
    await db
      .insertInto('flags')
      .values({ name, value })
      .onConflict((c) => c.column('name').doUpdateSet({ value }))
      .execute();
  };
  const remove = async (name: string): Promise<void> => {
    await db.deleteFrom('flags').where('name', '=', name).execute();
  };
  return {
    /** Since when and by whom filing is paused; `null` if it is not. */
    paused: (): Promise<Pause | null> => contentOf('paused', Pause),
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
      const plans = (await rowsOf(PLAN)).flatMap(({ value }) => decodeStored(Plan, value) ?? []);
      return plans.sort((a, b) => a.until - b.until || (a.id < b.id ? -1 : 1));
    },
    /** The ids of plans that are damaged, or that a newer release has stored. */
    unreadablePlans: async (): Promise<string[]> =>
      (await rowsOf(PLAN)).flatMap(({ name, value }) =>
        decodeStored(Plan, value) === null ? [name.slice(PLAN.length)] : [],
      ),
    /** Stores a plan, or what became of it. */
    plan: async (plan: Plan): Promise<void> => {
      await put(`${PLAN}${plan.id}`, plan);
      wake('timers');
    },
    endPlan: (id: string): Promise<void> => remove(`${PLAN}${id}`),
    /** Pages that wait, were sent and are not over, or failed. */
    pages: async (): Promise<PageRow[]> =>
      (await rowsOf(PAGE)).flatMap(({ value }) => decodeStored(PageRow, value) ?? []),
    page: (issueId: string): Promise<PageRow | null> => contentOf(`${PAGE}${issueId}`, PageRow),
    putPage: (row: PageRow): Promise<void> => put(`${PAGE}${row.issueId}`, row),
    removePage: (issueId: string): Promise<void> => remove(`${PAGE}${issueId}`),
    /** What was asked about a sender. */
    proposals: async (channel: string, sender: string): Promise<ProposalRow[]> =>
      (await rowsOf(`${PROPOSAL}${channel}:${sender}:`)).flatMap(
        ({ value }) => decodeStored(ProposalRow, value) ?? [],
      ),
    putProposal: (row: ProposalRow): Promise<void> =>
      put(`${PROPOSAL}${row.channel}:${row.sender}:${row.wording}`, row),
    /** Forgets what was asked before a time. */
    forgetProposals: async (before: number): Promise<number> => {
      const old = (await rowsOf(PROPOSAL)).filter(
        ({ value }) => (decodeStored(ProposalRow, value)?.at ?? 0) < before,
      );
      for (const { name } of old) await remove(name);
      return old.length;
    },
    resume: (): Promise<void> => remove('paused'),
  };
}
