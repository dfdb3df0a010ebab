import type { Message } from '../entities.ts';

/** A message's permalink in Slack's form: `…/archives/C…/p<ts>`, with its thread if it is a reply. */
export function permalink(base: string, channel: string, message: Message): string {
  const url = new URL(`archives/${channel}/p${message.ts.replace('.', '')}`, base);
  if (message.thread_ts !== undefined) {
    url.searchParams.set('thread_ts', message.thread_ts);
    url.searchParams.set('cid', channel);
  }
  return url.href;
}
