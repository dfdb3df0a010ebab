import type { AskedFile } from '../../../asking/asked-file.ts';
import { askedFileOf } from '../../agent-context/slack-file.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';

/** What is attached to a message, without what its author has taken away again. */
export function attachedTo({ files = [] }: Pick<MessageEvent, 'files'>): AskedFile[] {
  return files.flatMap((raw) => askedFileOf(raw) ?? []);
}
