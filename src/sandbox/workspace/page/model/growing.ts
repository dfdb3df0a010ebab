import type { PageMessage } from '../../page-api.ts';

/** A message as `reader` sees it: one that grows in a channel stays, to all but its recipient, what it began with. */
export function seenBy(message: PageMessage, reader: string): PageMessage {
  const { streaming: _, streaming_to: recipient, began = '', ...rest } = message;
  if (recipient === undefined || recipient === reader) return message;
  return { ...rest, text: began, blocks: began === '' ? [] : [{ type: 'markdown', text: began }] };
}
