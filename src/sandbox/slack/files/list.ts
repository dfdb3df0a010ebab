import type { FileStore } from '../store/files.ts';
import type { WorkspaceFile } from '../workspace.ts';

/** The files that the app has completed and not deleted, the newest first; `app` is its user's id. */
export function completedFiles(files: FileStore, app: string): WorkspaceFile[] {
  return files
    .all()
    .filter(({ state, user }) => state === 'complete' && user === app)
    .map(({ id, name, title, alt, size, kind: { mimetype } }) => {
      return { id, name, title, mimetype, alt, size, shares: files.sharesOf(id) };
    });
}
