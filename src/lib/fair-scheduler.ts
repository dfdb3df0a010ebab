import { setImmediate as turn } from 'node:timers/promises';

export interface FairScheduler {
  /** Resolves when it is the caller's turn to go on. */
  mine(): Promise<void>;
  /** Something came from outside that goes before those who wait. */
  arrived(): void;
}

/**
 * Lets those who can wait go on in the order in which they came: `perTurn` in a turn of the event loop in which nothing
 * arrived, and else one for each `perArrivals` arrivals. So what arrives has most of the time while it pours, and those
 * who wait have their share however long that lasts.
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
