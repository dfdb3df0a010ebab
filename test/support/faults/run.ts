import { playFaultsOnTheWayIn } from './incoming-faults.ts';
import { playFaults } from './round.ts';

/** Plays so many rounds of faults, on the program's way out and on the way in to it. @returns whether all was well */
export async function runFaults(options: {
  count: number;
  seed: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const { count, signal } = options;
  let wrong = 0;
  for (let round = 0; round < count && !signal.aborted; round += 1) {
    const seed = options.seed + round;
    const outgoing = await playFaults({ seed });
    const incoming = await playFaultsOnTheWayIn(seed);
    const differences = [...outgoing.differences, ...incoming.differences];
    wrong += differences.length;
    console.log(`${round + 1}/${count} rounds of faults · seed ${seed}: ${differences.length} differences`);
    for (const difference of differences) console.log(`  ${difference}`);
    if (differences.length > 0) console.log(`  again: npm run chaos -- --faults 1 --seed ${seed}`);
  }
  return wrong === 0;
}
