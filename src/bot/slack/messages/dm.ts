import { z } from 'zod';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { notInChannel, refusedThere } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { OutboxRow } from '../../store/outbox.ts';

/** What an intent's payload says of the person who asked for it. */
const Payload = z.looseObject({
  /** Gets it as a DM where the bot is no member of the channel. */
  requester: z.string().optional(),
  /** The channel that it was meant for, once it has been sent to the DM instead. */
  insteadOf: z.string().optional(),
  /** Slack's name for why it refused it there, unless the bot is just no member. */
  because: z.string().optional(),
  /** What a question is about that nobody has written down in its thread. */
  shown: z.string().optional(),
});

/** Nobody, where it cannot be read: a message that needs more of it says so itself. */
export function readPayload(row: OutboxRow): z.infer<typeof Payload> {
  return decodeStored(Payload, row.payload) ?? {};
}

/** In a DM that stands in for a channel the message first says so, and why, or how to invite the bot. */
export function withoutMembership(rendered: Rendered, row: OutboxRow, botUserId: string): Rendered {
  const { insteadOf, because } = readPayload(row);
  if (insteadOf === undefined) return rendered;
  const why = because === undefined ? notInChannel(insteadOf, botUserId) : refusedThere(insteadOf, because);
  return { text: rendered.text, blocks: [...why.blocks, ...rendered.blocks] };
}
