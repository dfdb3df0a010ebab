/** Fewer find next to nothing. */
const FEWEST = 10;

/**
 * How many examples a property test tries: a quarter of them in `npm test`, always the same ones; all in `npm run chaos`,
 * which sets the variable and tries other seeds.
 */
export function runs(all: number): number {
  if (process.env.PROPERTY_RUNS === 'all') return all;
  return Math.min(all, Math.max(FEWEST, Math.ceil(all / 4)));
}
