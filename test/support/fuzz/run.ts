import { playFuzz } from './play.ts';

const SAID_EVERY = 1_000;
const MEGABYTE = 2 ** 20;

/** Sends so many payloads and says what came of them. @returns whether all was well */
export async function runFuzz(options: {
  count: number;
  seed: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const { count, seed } = options;
  const { problems, statuses, heap, output } = await playFuzz({
    ...options,
    onProgress: (sent) => {
      if (sent % SAID_EVERY === 0) console.log(`${sent}/${count} payloads`);
    },
  });
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) console.log(`  the program said last: ${output.slice(-5_000)}`);
  const answers = Object.entries(statuses).map(([status, n]) => `${n} × ${status}`);
  const [before, middle, after] = heap.map((bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`);
  console.log(
    `${count} payloads from seed ${seed}: ${answers.join(', ')} · ${before}, ${middle}, ${after} in use before, ` +
      `half-way and after · ${problems.length} problems`,
  );
  return problems.length === 0;
}
