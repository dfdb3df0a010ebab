import type { Budget } from './budget.ts';

/** Caches reads: `read` runs once per budget and key. */
export function oncePerBudget<T>(
  read: (key: string, budget: Budget) => Promise<T>,
): (key: string, budget: Budget) => Promise<T> {
  const all = new WeakMap<Budget, Map<string, Promise<T>>>();
  return (key, budget) => {
    const done = all.get(budget) ?? new Map<string, Promise<T>>();
    all.set(budget, done);
    const begun = done.get(key) ?? read(key, budget);
    done.set(key, begun);
    return begun;
  };
}
