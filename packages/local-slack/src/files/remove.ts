import { deleteMessage } from '../messages/change.ts';
import { showAgain } from '../messages/post.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import type { StoredFile } from './file.ts';
import { forget } from './room.ts';

/** Deletes a file; messages that showed nothing else go with it, in others a tombstone takes its place. */
export function removeFile(context: WorkspaceContext, file: StoredFile): void {
  const { store } = context;
  forget(context, file);
  for (const { channel: channelId, ts } of store.files.sharesOf(file.id)) {
    const channel = store.channels.get(channelId);
    const message = store.messages.get(channelId, ts);
    if (!channel || !message) continue;
    const left = (message.file_ids ?? []).some((id) => store.files.get(id)?.state === 'complete');
    if (left || message.text !== '' || message.blocks) showAgain(context, channelId, message);
    else deleteMessage(context, channel, message);
  }
}
