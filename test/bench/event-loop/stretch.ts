import { setImmediate as turn } from 'node:timers/promises';

/** Something from outside at its largest, and what is done with it. */
export interface Largest {
  name: string;
  work: () => unknown;
}

/** How long one of them keeps everything else waiting, in milliseconds. */
export interface Stretch {
  name: string;
  /** The median over the rounds, of the longest stretch in each. */
  median: number;
  worst: number;
}

const WARM_UP = 3;
const ROUNDS = 7;

/** The longest that the event loop stands still while the work is done, also where it gives way to others. */
export async function stretchOf({ name, work }: Largest): Promise<Stretch> {
  for (let round = 0; round < WARM_UP; round += 1) await work();
  const longest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) longest.push(await longestIn(work));
  longest.sort((a, b) => a - b);
  return { name, median: longest[Math.floor(ROUNDS / 2)] ?? 0, worst: longest.at(-1) ?? 0 };
}

async function longestIn(work: () => unknown): Promise<number> {
  let longest = 0;
  let isOver = false;
  await turn();
  let last = performance.now();
  const watch = async () => {
    while (!isOver) {
      await turn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watching = watch();
  await work();
  isOver = true;
  await watching;
  return longest;
}
