import type { Selectable } from 'kysely';
import type { Database, Tables } from './tables.ts';

export type FileRow = Selectable<Tables['files']>;

/** Uploads to Slack, by key. */
export function fileStore(db: Database) {
  return {
    get: async (key: string): Promise<FileRow | null> =>
      (await db.selectFrom('files').selectAll().where('key', '=', key).executeTakeFirst()) ?? null,

    ready: async (key: string): Promise<void> => {
      await db.updateTable('files').set({ state: 'ready' }).where('key', '=', key).execute();
    },

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
