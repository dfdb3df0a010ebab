import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AT_ONCE, isDue, untilNext } from './due.ts';
import type { OutboxKey } from './intents/keys.ts';
import type { Database, Tables } from './tables.ts';
import { type Wake, wakeNobody } from './wakeups.ts';

export type FileRow = Selectable<Tables['files']>;

/** The contents of a picture, as a reference into the store. */
const PictureContent = z.union([
  z.object({ picture: z.literal('graph'), issue: z.string(), version: z.number() }),
  z.object({ picture: z.literal('chart'), owner: z.string(), artifact: z.string() }),
]);
export type PictureContent = z.infer<typeof PictureContent>;

/** A picture to be drawn and uploaded. */
export interface WantedFile {
  key: string;
  issueId: string | null;
  what: PictureContent;
  /** The message to edit once Slack can show it: its key in the outbox. */
  shownBy: OutboxKey | null;
  at: number;
}

/**
 * The contents of a stored picture.
 *
 * @throws SyntaxError or ZodError if unreadable
 */
export function pictureContentOf({ what }: Pick<FileRow, 'what'>): PictureContent {
  return PictureContent.parse(JSON.parse(what ?? '{}'));
}

/** Uploads to Slack, by key. */
export function fileStore(db: Database, wake: Wake = wakeNobody) {
  const set = async (key: string, values: Partial<Omit<FileRow, 'key'>>): Promise<void> => {
    await db.updateTable('files').set(values).where('key', '=', key).execute();
  };
  const unfinished = db
    .selectFrom('files')
    .where('state', 'in', ['wanted', 'processing'])
    .where('what', 'is not', null);
  return {
    get: async (key: string): Promise<FileRow | null> =>
      (await db.selectFrom('files').selectAll().where('key', '=', key).executeTakeFirst()) ?? null,

    /** Requests a picture once: an earlier request stays as it is. */
    want: async ({ key, issueId, what, shownBy, at }: WantedFile): Promise<void> => {
      const { numInsertedOrUpdatedRows: added = 0n } = await db
        .insertInto('files')
        .values({
          key,
          issueId: issueId,
          state: 'wanted',
          what: JSON.stringify(what),
          shownBy: shownBy,
          fileId: null,
          alt: null,
          nextAt: AT_ONCE,
          createdAt: at,
        })
        .onConflict((c) => c.column('key').doNothing())
        .executeTakeFirst();
      if (added > 0n) wake('pictures');
    },

    /** The pictures due for work, oldest first. */
    due: (now: number, limit: number): Promise<FileRow[]> =>
      unfinished.selectAll().where(isDue(now)).orderBy('nextAt').orderBy('createdAt').limit(limit).execute(),

    untilNext: (now: number): Promise<number> => untilNext(unfinished, now),

    /** Uploaded; Slack is processing it. */
    processing: (key: string, fileId: string, alt: string, nextAt: number): Promise<void> =>
      set(key, { state: 'processing', fileId: fileId, alt, attempts: 0, nextAt: nextAt }),

    again: async (key: string, nextAt: number): Promise<void> => {
      await db
        .updateTable('files')
        .set((e) => ({ nextAt: nextAt, attempts: e('attempts', '+', 1) }))
        .where('key', '=', key)
        .execute();
    },

    /** Delays it, without counting an attempt. */
    postpone: (key: string, nextAt: number): Promise<void> => set(key, { nextAt: nextAt }),

    ready: (key: string): Promise<void> => set(key, { state: 'ready' }),

    failed: (key: string): Promise<void> => set(key, { state: 'failed' }),

    /**
     * Uploaded, and about to be shared in a thread: records the file in case the outcome is lost.
     *
     * @param until when Slack will have shown it, if it accepted it
     */
    sharing: async (key: string, issueId: string | null, fileId: string, until: number): Promise<void> => {
      await db
        .insertInto('files')
        .values({
          key,
          issueId: issueId,
          state: 'processing',
          what: null,
          shownBy: null,
          fileId: fileId,
          alt: null,
          nextAt: until,
          createdAt: until,
        })
        .onConflict((c) => c.column('key').doUpdateSet({ fileId: fileId, nextAt: until }))
        .execute();
    },
  };
}
