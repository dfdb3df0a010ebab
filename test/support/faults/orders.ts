import { z } from 'zod';
import { forgetName, knowNames } from './names.ts';

const Order = z.union([z.object({ forget: z.string(), ms: z.number() }), z.object({ jumpMs: z.number() })]);

/** What a program under test is told while it runs: that a name is unknown for a while, or that its clock jumps. */
export type Order = z.infer<typeof Order>;

/**
 * Obeys the orders of the process that started this one, and knows the names that it made up. Answers how far the clock
 * has jumped, in milliseconds.
 */
export function obeyOrders({ KNOWN_NAMES: names = '' } = process.env): { jumpedMs(): number } {
  let jumped = 0;
  if (names !== '') knowNames(names.split(','));
  process.on('message', (message) => {
    const order = Order.parse(message);
    if ('forget' in order) forgetName(order.forget, order.ms);
    else jumped += order.jumpMs;
  });
  return { jumpedMs: () => jumped };
}
