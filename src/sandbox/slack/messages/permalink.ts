import type { Message } from '../entities.ts';

/** The address of a message, as Slack writes it: `…/archives/C…/p<ts>`, with its thread where it is a reply. */
export function permalink(base: string, channel: string, message: Message): string {
  const url = new URL(`archives/${channel}/p${message.ts.replace('.', '')}`, base);
  if (message.thread_ts !== undefined) {
    url.searchParams.set('thread_ts', message.thread_ts);
    url.searchParams.set('cid', channel);
  }
  return url.href;
}
