import { z } from 'zod';
import type { Handle } from '../receivers/inbox.ts';
import type { Gaps } from './gaps.ts';

const MessageDelivery = z.object({
  event: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
});

/** A live message comes after what was missed before it: else a recovery would overtake its alert. */
export function behindGaps(handle: Handle, gaps: Pick<Gaps, 'caughtUp'>): Handle {
  return async (delivery) => {
    const message = MessageDelivery.safeParse(delivery.body);
    if (message.success) await gaps.caughtUp(message.data.event.channel, message.data.event.ts);
    await handle(delivery);
  };
}
