import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Moment } from '../../../lib/moment.ts';
import { timeOfTs } from '../timestamp.ts';

/** What the inbox adds to each delivery. */
const Context = z.looseObject({ receivedAt: z.number().optional() });
const Press = z.looseObject({
  actions: z.array(z.looseObject({ action_ts: z.string().regex(/^\d{1,16}(?:\.\d{1,9})?$/u) })).min(1),
});
/** Slack delivers within the hour; a time further off than this is none of its clock. */
const PLAUSIBLE_MS = 24 * 60 * 60_000;

interface Delivered {
  body: unknown;
  context: unknown;
}

/** When somebody pressed, by Slack's clock; of a command, which bears no time, when it came. */
export function momentOf({ body, context }: Delivered, { clock }: { clock: Clock }): Moment {
  const receivedAt = Context.safeParse(context).data?.receivedAt ?? clock.now();
  const ts = Press.safeParse(body).data?.actions[0]?.action_ts ?? null;
  const isPlausible = ts !== null && Math.abs(timeOfTs(ts) - receivedAt) < PLAUSIBLE_MS;
  return { ts: isPlausible ? ts : null, receivedAt };
}
