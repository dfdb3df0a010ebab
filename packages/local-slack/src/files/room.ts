import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';

/** A file is gone: its bytes are forgotten, its name stays as a tombstone. */
export function forget({ store }: WorkspaceContext, file: StoredFile): void {
  store.files.put({ ...file, state: 'deleted' });
  store.files.keep(file.id, null);
}

/**
 * Makes room for as many bytes: the oldest files that nobody can see are dropped.
 *
 * @returns whether there is room now.
 */
export function makeRoom(context: WorkspaceContext, needed: number): boolean {
  const { store, storage } = context;
  let over = store.files.taken() + needed - storage;
  for (const file of store.files.all().reverse()) {
    if (over <= 0) break;
    const bytes = store.files.bytes(file.id);
    if (!bytes || store.files.isUsed(file.id)) continue;
    forget(context, file);
    over -= bytes.length;
  }
  return over <= 0;
}
