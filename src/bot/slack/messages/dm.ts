import { notInChannel, refusedThere } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { personOf } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';

/** A direct message sent in place of a channel message begins with the reason, or with how to invite the bot. */
export function withoutMembership(rendered: Rendered, row: OutboxRow, botUserId: string): Rendered {
  const { insteadOf, because } = personOf(row);
  if (insteadOf === undefined) return rendered;
  const why = because === undefined ? notInChannel(insteadOf, botUserId) : refusedThere(insteadOf, because);
  return { text: rendered.text, blocks: [...why.blocks, ...rendered.blocks] };
}
