import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';

/** Whether the app may see a file: its own, or one that stands in a conversation that it is in. */
export function mayAppSee({ store, app }: WorkspaceContext, { id, user }: StoredFile): boolean {
  if (user === app.bot_user_id) return true;
  return store.files.sharesOf(id).some(({ channel }) => store.channels.isMember(channel, app.bot_user_id));
}
