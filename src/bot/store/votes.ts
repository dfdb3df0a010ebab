import { voteKeyPrefix } from '../shared/vote-subject.ts';
import type { Database } from './tables.ts';

/** 👍 or 👎 under results or an answer. */
export interface Vote {
  /** Its subject, as written by `voteKey`. */
  subject: string;
  who: string;
  value: 1 | -1;
  channel: string;
  at: number;
}

/** People's votes on results and answers: one per person, which they may change. */
export function voteStore(db: Database) {
  const votes = db.selectFrom('votes');
  const counted = async (some: typeof votes): Promise<{ up: number; down: number }> => {
    const rows = await some
      .select((e) => ['value', e.fn.countAll<number>().as('n')])
      .groupBy('value')
      .execute();
    const count = (value: number) => Number(rows.find((row) => row.value === value)?.n ?? 0);
    return { up: count(1), down: count(-1) };
  };
  return {
    /** @returns `same` if that was their vote already: nothing changes, not even the time */
    cast: async (vote: Vote): Promise<'new' | 'changed' | 'same'> => {
      const before = await db
        .selectFrom('votes')
        .select('value')
        .where((e) => e.and({ subject: vote.subject, who: vote.who }))
        .executeTakeFirst();
      if (before?.value === vote.value) return 'same';
      await db
        .insertInto('votes')
        .values(vote)
        .onConflict((c) => c.columns(['subject', 'who']).doUpdateSet({ value: vote.value, at: vote.at }))
        .execute();
      return before === undefined ? 'new' : 'changed';
    },

    /** The votes on all results of an issue. */
    ofIssue: async (issueId: string): Promise<{ up: number; down: number }> => {
      const prefix = voteKeyPrefix(issueId);
      return counted(votes.where('subject', '>=', prefix).where('subject', '<', `${prefix}\u{10ffff}`));
    },

    /** The votes cast in a channel after `since` and up to `until`. */
    countIn: (channel: string, since: number, until: number): Promise<{ up: number; down: number }> =>
      counted(votes.where('channel', '=', channel).where('at', '>', since).where('at', '<=', until)),
  };
}
