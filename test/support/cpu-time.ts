/**
 * Milliseconds that this thread has worked so far. Unlike a clock it says the same on a machine that has other work: for
 * tests of what must not take long, whose cost would grow beyond all bounds with the text.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
