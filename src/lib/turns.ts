import { setImmediate as aTurn } from 'node:timers/promises';

/** Work in steps, none of which holds up other work for long. */
export type Steps<T> = Generator<void, T>;

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets other work have its turn after each step: a request for the health must not wait for a thousand alerts. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await aTurn();
  }
}

/** Does the same with each item, an item a step. */
export function* each<T, R>(items: Iterable<T>, work: (item: T) => R): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(work(item));
    yield;
  }
  return results;
}
