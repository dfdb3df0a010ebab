import { setImmediate as turn } from 'node:timers/promises';

export interface FairScheduler {
  /** Resolves when it is the caller's turn. */
  mine(): Promise<void>;
  /** Notes an arrival from outside, which takes precedence over waiting work. */
  arrived(): void;
}

/**
 * Lets waiting work proceed in order: `perTurn` in a turn of the event loop without arrivals, otherwise one per
 * `perArrivals` arrivals. Under load, arrivals get most of the time, and waiting work still gets its share.
 */
export function createFairScheduler(perTurn: number, perArrivals: number): FairScheduler {
  const waiting: (() => void)[] = [];
  let running = false;
  let arrivals = 0;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    let seen = 0;
    arrivals = 0;
    while (waiting.length > 0) {
      await turn();
      const isQuiet = arrivals === seen;
      const due = isQuiet ? perTurn : Math.floor(arrivals / perArrivals);
      arrivals = isQuiet ? 0 : arrivals % perArrivals;
      seen = arrivals;
      for (const goOn of waiting.splice(0, due)) goOn();
    }
    running = false;
  }

  return {
    mine: () =>
      new Promise((goOn) => {
        waiting.push(goOn);
        void run();
      }),
    arrived: () => {
      arrivals += 1;
    },
  };
}
