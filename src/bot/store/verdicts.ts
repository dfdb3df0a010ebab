import type { Selectable } from 'kysely';
import type { Organization } from '../../contract/client/client.ts';
import type { Database, Tables } from './tables.ts';

export type Verdict = Selectable<Tables['verdicts']>;

/** What people answer to *was it that?*. */
export const SAID = ['yes', 'nearly', 'no', 'other'] as const;
export type Said = (typeof SAID)[number];

/** A verdict with what is needed to list it, and whether anybody ticked one of its steps. */
export interface Judged extends Verdict {
  number: number | null;
  title: string;
  organization: Organization;
  threadTs: string | null;
  status: string;
  /** When the first of its steps was ticked, if one was. */
  tickedAt: number | null;
}

/** Verdicts of a kind by what their evidence gives them, or of a channel by what was shown. */
export type VerdictsLike = { kind: string; confidence: string } | { channel: string; shown: string };

/** So many verdicts of which that is known. */
export interface Known {
  said: string | null;
  outcome: string | null;
  n: number;
}

const MOST = 2_000;

/** The newest verdict of each issue, and what became of it. */
export function verdictStore(db: Database) {
  const judged = () =>
    db
      .selectFrom('verdicts')
      .innerJoin('issues', 'issues.id', 'verdicts.issueId')
      .selectAll('verdicts')
      .select(['issues.number', 'issues.title', 'issues.organization', 'issues.threadTs', 'issues.status'])
      .select((e) =>
        e
          .selectFrom('checklistSteps')
          .select(({ fn }) => fn.min('checklistSteps.at').as('tickedAt'))
          .whereRef('checklistSteps.issueId', '=', 'verdicts.issueId')
          .as('tickedAt'),
      )
      .where('issues.state', '=', 'created')
      .where('issues.joinedInto', 'is', null)
      // One cause is one verdict, however many alerts it has.
      .where('issues.symptomOf', 'is', null);
  return {
    /** A later investigation's verdict takes the place of one on which nobody said anything. */
    found: async (
      verdict: Pick<
        Verdict,
        'issueId' | 'version' | 'channel' | 'at' | 'confidence' | 'shown' | 'kind' | 'expects'
      >,
    ): Promise<void> => {
      const { issueId: _, ...newer } = verdict;
      const nothingYet = { said: null, saidBy: null, saidAt: null };
      const noOutcome = { checkAt: verdict.at, outcome: null, outcomeAt: null };
      await db
        .insertInto('verdicts')
        .values({ ...verdict, ...nothingYet, ...noOutcome })
        .onConflict((c) =>
          c
            .column('issueId')
            .doUpdateSet({ ...newer, ...noOutcome })
            .where('verdicts.said', 'is', null)
            .where('verdicts.version', '<=', newer.version),
        )
        .execute();
    },

    of: async (issueId: string): Promise<Verdict | null> =>
      (await db.selectFrom('verdicts').selectAll().where('issueId', '=', issueId).executeTakeFirst()) ?? null,

    /** Those that are due: whether a prediction came true, and what was changed since. */
    toCheck: (now: number, limit: number): Promise<Verdict[]> =>
      db
        .selectFrom('verdicts')
        .selectAll()
        .where('checkAt', '<=', now)
        .orderBy('checkAt')
        .limit(limit)
        .execute(),

    /** Milliseconds until the next is to be looked at. */
    untilCheck: async (now: number): Promise<number> => {
      const { next } = await db
        .selectFrom('verdicts')
        .select(({ fn }) => fn.min('checkAt').as('next'))
        .executeTakeFirstOrThrow();
      return next === null ? Number.POSITIVE_INFINITY : Math.max(0, Number(next) - now);
    },

    /** @param checkAt `null`: never again */
    checkLater: async (
      { issueId, version }: Pick<Verdict, 'issueId' | 'version'>,
      checkAt: number | null,
    ): Promise<void> => {
      await db
        .updateTable('verdicts')
        .set({ checkAt })
        .where((e) => e.and({ issueId, version }))
        .execute();
    },

    /** Its prediction came true or did not. @returns false if that is known already, or there is a later verdict */
    settle: async (
      { issueId, version }: Pick<Verdict, 'issueId' | 'version'>,
      { outcome, at }: { outcome: 'came_true' | 'did_not'; at: number },
    ): Promise<boolean> => {
      const row = await db
        .updateTable('verdicts')
        .set({ checkAt: null, outcome, outcomeAt: at })
        .where((e) => e.and({ issueId, version }))
        .where('outcome', 'is', null)
        .returning('issueId')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** @returns false if somebody had already said it: theirs stays */
    say: async (issueId: string, said: Said, by: string, at: number): Promise<boolean> => {
      const row = await db
        .updateTable('verdicts')
        .set({ said, saidBy: by, saidAt: at })
        .where('issueId', '=', issueId)
        .where('said', 'is', null)
        .returning('issueId')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The newest verdicts of a channel, or of some, the newest first. */
    inChannels: (channels: readonly string[], since = 0): Promise<Judged[]> =>
      judged()
        .where('verdicts.channel', 'in', [...channels])
        .where('verdicts.at', '>', since)
        .orderBy('verdicts.at', 'desc')
        .limit(MOST)
        .execute(),

    /** How often people said what, and predictions came true or did not, by other issues' verdicts like this one. */
    knownLike: (like: VerdictsLike, besides: string): Promise<Known[]> => {
      const rows = db
        .selectFrom('verdicts')
        .innerJoin('issues', 'issues.id', 'verdicts.issueId')
        .select(['said', 'outcome'])
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('issueId', '!=', besides)
        .where('issues.symptomOf', 'is', null)
        .where((e) => e.or([e('said', 'is not', null), e('outcome', 'is not', null)]))
        .groupBy(['said', 'outcome']);
      return 'kind' in like
        ? rows.where('kind', '=', like.kind).where('confidence', '=', like.confidence).execute()
        : rows.where('verdicts.channel', '=', like.channel).where('shown', '=', like.shown).execute();
    },
  };
}
