import type { KnownBlock } from '@slack/types';
import { fits } from './fit.ts';

/** For the lines that say which part of the whole a message is. */
const RESERVED = { cost: 300, blocks: 3 };

/**
 * Spreads blocks over messages in their order, each as full as Slack's limits let it be. The last of
 * `maxMessages` takes all that is left, for `fitMessage` to shorten.
 */
export function pack(blocks: readonly KnownBlock[], maxMessages: number): KnownBlock[][] {
  const messages: KnownBlock[][] = [];
  let current: KnownBlock[] = [];
  for (const block of blocks) {
    const isFull = current.length > 0 && !fits([...current, block], RESERVED.cost, RESERVED.blocks);
    // Slack's limit on Markdown holds for all of a message's together.
    const isSecond = block.type === 'markdown' && current.some((other) => other.type === 'markdown');
    if ((isFull || isSecond) && messages.length < maxMessages - 1) {
      messages.push(current);
      current = [];
    }
    current.push(block);
  }
  return [...messages, current];
}
