/** The short task is measured over so many runs: one takes too little to tell from a collection of garbage. */
const SHORT_RUNS = 10;
const MOST_TRIES = 6;

/**
 * Milliseconds that this thread has worked so far. Unlike a clock it says the same on a machine that has other work: for
 * tests of what must not take long, whose cost would grow beyond all bounds with the text.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * How many times the work of `short` is in `long`. Each counts with the least of its measurements, since
 * garbage collection and other work on the machine only add to one; they are repeated until the answer is `enough` or less.
 */
export function growth(short: () => void, long: () => void, enough: number): number {
  let [leastShort, leastLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    leastLong = Math.min(leastLong, cpuMsOf(long, 1));
    leastShort = Math.min(leastShort, cpuMsOf(short, SHORT_RUNS));
    if (leastLong <= leastShort * enough) break;
  }
  return leastLong / leastShort;
}

function cpuMsOf(task: () => void, runs: number): number {
  const before = cpuMs();
  for (let run = 0; run < runs; run += 1) task();
  return (cpuMs() - before) / runs;
}
