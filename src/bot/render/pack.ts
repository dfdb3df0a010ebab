import { fits } from './fit.ts';
import type { MessageBlock } from './rendered.ts';

/** For the lines that say which part of the whole a message is. */
const RESERVED = { cost: 300, blocks: 3 };

/**
 * Spreads blocks over messages in their order, each as full as Slack's limits let it be. The last of
 * `maxMessages` takes all that is left, for `fitMessage` to shorten.
 *
 * @param atMost the same blocks, each as long as an edit can make it: where a message ends must not depend on edits
 */
export function pack<B extends MessageBlock>(
  blocks: readonly B[],
  maxMessages: number,
  atMost: readonly B[] = blocks,
): B[][] {
  const messages: B[][] = [];
  let current: B[] = [];
  let measured: B[] = [];
  for (const [index, block] of blocks.entries()) {
    const longest = atMost[index] ?? block;
    const isFull = measured.length > 0 && !fits([...measured, longest], RESERVED.cost, RESERVED.blocks);
    // Slack's limit on Markdown holds for all of a message's together.
    const isSecond = block.type === 'markdown' && current.some((other) => other.type === 'markdown');
    if ((isFull || isSecond) && messages.length < maxMessages - 1) {
      messages.push(current);
      current = [];
      measured = [];
    }
    current.push(block);
    measured.push(longest);
  }
  return [...messages, current];
}
