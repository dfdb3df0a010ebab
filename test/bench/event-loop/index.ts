import { grid } from '../measure.ts';
import { largestAnswers } from './answers.ts';
import { largestDeliveries } from './deliveries.ts';
import { largestMessages } from './messages.ts';
import { largestResults } from './results.ts';
import { type Stretch, stretchOf } from './stretch.ts';
import { largestThreads } from './threads.ts';

/** How long the event loop stands still for each thing from outside, at its largest. */
export async function benchEventLoop(): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  const deliveries = await largestDeliveries();
  const inMemory = [...largestMessages(), ...largestThreads(), ...largestAnswers(), ...largestResults()];
  try {
    for (const largest of [...deliveries.all, ...inMemory]) stretches.push(await stretchOf(largest));
    return stretches;
  } finally {
    await deliveries.close();
  }
}

/** The table as text, the longest first. */
export function eventLoopTable(stretches: readonly Stretch[]): string {
  const rows = stretches
    .toSorted((a, b) => b.median - a.median)
    .map(({ name, median, worst }) => [name, median.toFixed(1), worst.toFixed(1)]);
  return grid([['event loop', 'longest block, ms (target: ≤ 100)', 'worst'], ...rows]);
}
