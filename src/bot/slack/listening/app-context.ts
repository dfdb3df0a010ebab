import { z } from 'zod';
import type { LookingAt } from '../../asking/question.ts';

/** Not a direct message: that is where people ask. */
const CHANNEL = /^[CG][A-Z0-9]{1,20}$/u;
const Channel = z.looseObject({
  type: z.literal('slack#/types/channel_id'),
  value: z.string().regex(CHANNEL),
});
const Message = z.looseObject({
  type: z.literal('slack#/types/message_context'),
  value: z.looseObject({
    channel_id: z.string().regex(CHANNEL),
    message_ts: z.string().regex(/^\d{1,16}\.\d{1,9}$/u),
  }),
});
const Context = z.looseObject({ entities: z.array(z.unknown()) });

/**
 * What somebody has open in Slack, from the context of an event: the most relevant message or channel; `null` if there is
 * none. Only a hint: whether they may see it has not been checked.
 */
export function lookingAt(context: unknown): LookingAt | null {
  const entities = Context.safeParse(context).data?.entities ?? [];
  const found = entities.flatMap((entity): LookingAt[] => {
    const message = Message.safeParse(entity).data?.value;
    if (message !== undefined) return [{ channel: message.channel_id, messageTs: message.message_ts }];
    const channel = Channel.safeParse(entity).data?.value;
    return channel === undefined ? [] : [{ channel, messageTs: null }];
  });
  const [first] = found;
  if (first === undefined) return null;
  // A message is more specific than its channel.
  return found.find(({ channel, messageTs }) => channel === first.channel && messageTs !== null) ?? first;
}
