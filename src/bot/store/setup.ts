import type { Database } from './tables.ts';

const NAME = 'set_up';
/** After this long with Gumshoe nobody needs an introduction, even if a step was never done. */
const SHOWN_MS = 14 * 86_400_000;

/** The progress of a new installation; names no channel or issue. */
export interface SetupProgress {
  watching: boolean;
  /** An issue was created at the service. */
  filed: boolean;
  /** The results of an issue were posted. */
  verdict: boolean;
  /** Somebody asked the agent a question. */
  asked: boolean;
}

/** The first hour of an installation. */
export function setupStore(db: Database) {
  const issues = () => db.selectFrom('issues').select('createdAt').limit(1);

  async function wasEnded(): Promise<boolean> {
    const row = await db.selectFrom('flags').select('name').where('name', '=', NAME).executeTakeFirst();
    return row !== undefined;
  }

  async function progress(now: number): Promise<SetupProgress | null> {
    if (await wasEnded()) return null;
    const first = await issues().orderBy('createdAt').executeTakeFirst();
    if (first && Number(first.createdAt) + SHOWN_MS < now) return null;
    const watched = db.selectFrom('channels').select('channel').where('watched', '=', true).limit(1);
    const question = db.selectFrom('questions').select('id').limit(1);
    const filed = issues().where('number', 'is not', null);
    const ended = issues().where('endedVersion', '>', 0);
    const steps = {
      watching: (await watched.executeTakeFirst()) !== undefined,
      filed: (await filed.executeTakeFirst()) !== undefined,
      verdict: (await ended.executeTakeFirst()) !== undefined,
      asked: (await question.executeTakeFirst()) !== undefined,
    };
    return Object.values(steps).includes(false) ? steps : null;
  }

  return {
    /** @returns `null` once every step is done, or two weeks after the first issue */
    progress,

    /** Records that the first hour is over, before retention deletes the evidence of it. */
    endIfOver: async (now: number): Promise<void> => {
      if ((await progress(now)) !== null) return;
      await db
        .insertInto('flags')
        .values({ name: NAME, value: JSON.stringify({ at: now }) })
        .onConflict((c) => c.doNothing())
        .execute();
    },
  };
}
