/** Chances from a seed: the same seed gives the same ones. */
export interface Chance {
  /** From 0 up to, not including, `n`. */
  below(n: number): number;
  /** True with the probability `p`. */
  is(p: number): boolean;
  /** One of them; `undefined` of none. */
  one<T>(of: readonly T[]): T | undefined;
  /** One of them, each as likely as its weight says. */
  weighed<T extends { weight: number }>(of: readonly T[]): T;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32, which is enough to deal cards with.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    is: (p) => next() < p,
    one: (of) => of[below(of.length)],
    weighed: (of) => {
      let left = next() * of.reduce((sum, { weight }) => sum + weight, 0);
      const found = of.find(({ weight }) => {
        left -= weight;
        return left < 0;
      });
      const chosen = found ?? of.at(-1);
      if (chosen === undefined) throw new Error('there is nothing to choose from');
      return chosen;
    },
  };
}
