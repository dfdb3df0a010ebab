import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

export interface FairScheduler {
  /** Resolves when it is the caller's turn. */
  mine(): Promise<void>;
  /** Notes an arrival from outside, which takes precedence over waiting work. */
  arrived(): void;
}

/** The clock of the event loop, in milliseconds. */
export interface LoopClock {
  now(): number;
  /** How long the loop has had nothing to do so far. */
  idle(): number;
  sleep(ms: number): Promise<unknown>;
}

const loopClock: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
  sleep,
};

/** From one sample of the load to the next. */
const SAMPLE_EVERY_MS = 1_000;
/** How long a sample takes, and how long a flood lasts at least. */
const SAMPLE_MS = 25;
const FLOOD_MS = 200;
/** Arrivals per millisecond; with fewer it is no flood, whatever else takes the time. */
const MANY = 0.2;
/** In a flood, arrivals leave less of a sample idle than `FLOOD_LEAVES`. It is over when they leave more of the time than `CALM_LEAVES`. */
const FLOOD_LEAVES = 0.4;
const CALM_LEAVES = 0.3;

/**
 * Lets waiting work proceed in order: `perTurn` in a turn of the event loop without arrivals, otherwise one per
 * `perArrivals` arrivals.
 *
 * A turn without arrivals may only mean that the senders have just been answered, and are about to send more. So once a
 * second, while much arrives, waiting work is held back for a moment. If arrivals alone take most of that time, it is a
 * flood: waiting work proceeds at one per `perArrivals` arrivals, so that whoever sends is answered in time.
 */
export function createFairScheduler(
  perTurn: number,
  perArrivals: number,
  loop: LoopClock = loopClock,
): FairScheduler {
  const waiting: (() => void)[] = [];
  let running = false;
  let isFlood = false;
  let arrivals = 0;
  let sampledAt = Number.NEGATIVE_INFINITY;
  let sinceSample = 0;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    let seen = 0;
    arrivals = 0;
    while (waiting.length > 0) {
      if (loop.now() - sampledAt >= SAMPLE_EVERY_MS && hasMuchArrived()) {
        await sample();
        arrivals = 0;
        seen = 0;
      }
      await turn();
      const isQuiet = arrivals === seen;
      const due = isQuiet ? perTurn : Math.floor(arrivals / perArrivals);
      arrivals = isQuiet ? 0 : arrivals % perArrivals;
      seen = arrivals;
      for (const goOn of waiting.splice(0, due)) goOn();
    }
    running = false;
  }

  /** Holds back what waits, and in a flood nearly all of it until the flood is over. */
  async function sample(): Promise<void> {
    if ((await idleShare(SAMPLE_MS)) >= FLOOD_LEAVES) return;
    isFlood = true;
    let left: number;
    do {
      left = await idleShare(FLOOD_MS);
    } while (left < CALM_LEAVES && waiting.length > 0 && hasMuchArrived());
    isFlood = false;
  }

  /** Since this was asked last. */
  function hasMuchArrived(): boolean {
    const now = loop.now();
    const isMuch = sinceSample / (now - sampledAt) >= MANY;
    sampledAt = now;
    sinceSample = 0;
    return isMuch;
  }

  /** How much of the next milliseconds the loop has nothing to do. */
  async function idleShare(ms: number): Promise<number> {
    const [from, idle] = [loop.now(), loop.idle()];
    await loop.sleep(ms);
    return (loop.idle() - idle) / (loop.now() - from);
  }

  return {
    mine: () =>
      new Promise((goOn) => {
        waiting.push(goOn);
        void run();
      }),
    arrived: () => {
      arrivals += 1;
      sinceSample += 1;
      if (isFlood && sinceSample % perArrivals === 0) waiting.shift()?.();
    },
  };
}
