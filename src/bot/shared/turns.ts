import { setImmediate as aTurn } from 'node:timers/promises';

/** Work in steps, none of which holds up other work for long. */
export type Steps<T> = Generator<void, T>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** In milliseconds: long enough that many short steps cost little more, too short for anybody to notice. */
const TURN_MS = 25;

/** Lets other work have its turn once the steps have taken as long as a turn may. */
export async function inTurns<T>(steps: Steps<T>, now: () => number = () => performance.now()): Promise<T> {
  let began = now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (now() - began < TURN_MS) continue;
    await aTurn();
    began = now();
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
