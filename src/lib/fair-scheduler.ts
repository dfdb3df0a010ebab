import { setImmediate as turn } from 'node:timers/promises';

export interface FairScheduler {
  /** Resolves when it is the caller's turn. */
  mine(): Promise<void>;
  /** Notes an arrival from outside, which takes precedence over waiting work. */
  arrived(): void;
}

/**
 * Lets waiting work proceed in order: `perTurn` in a turn of the event loop without arrivals, otherwise one per
 * `perArrivals` arrivals.
 *
 * A turn without arrivals may only mean that the senders have just been answered, and are about to send more. If arrivals
 * alone would take most of the time, waiting work proceeds at one per `perArrivals` arrivals in all turns, so that
 * whoever sends is answered in time.
 *
 * @param elapsed milliseconds since any moment
 */
export function createFairScheduler(
  perTurn: number,
  perArrivals: number,
  elapsed: () => number = () => performance.now(),
): FairScheduler {
  const waiting: (() => void)[] = [];
  const gauge = createFloodGauge();
  let running = false;
  let arrivals = 0;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    let seen = 0;
    arrivals = 0;
    gauge.resume(elapsed());
    while (waiting.length > 0) {
      await turn();
      const isQuiet = arrivals === seen;
      const load = gauge.turnEnded(elapsed(), isQuiet);
      const isFree = isQuiet && load === 'calm';
      const due = isFree ? perTurn : load === 'testing' ? 0 : Math.floor(arrivals / perArrivals);
      arrivals = isFree ? 0 : arrivals % perArrivals;
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
      gauge.arrived();
    },
  };
}

/** `testing`: waiting work is held back for a moment, to see how much of the time arrivals alone take. */
type Load = 'calm' | 'testing' | 'flood';

/** Milliseconds until the load is judged again. */
const PERIOD_MS: Record<Load, number> = { calm: 1_000, testing: 25, flood: 200 };
/** Arrivals per millisecond; with fewer it is no flood, whatever else takes the time. */
const MANY = 0.2;
/** In a flood, arrivals leave less of the time idle than this; it is over when they leave more than that. */
const FLOOD_LEAVES = 0.4;
const CALM_LEAVES = 0.55;
/** The event loop turns much faster than this when there is nothing to do. */
const IDLE_TURN_MS = 1;

function createFloodGauge() {
  let load: Load = 'calm';
  let began = Number.NEGATIVE_INFINITY;
  let last = 0;
  let arrivals = 0;
  let idleMs = 0;

  function begin(next: Load, now: number): Load {
    load = next;
    began = now;
    arrivals = 0;
    idleMs = 0;
    return load;
  }

  function judge(ms: number): Load {
    if (arrivals / ms < MANY) return 'calm';
    if (load === 'calm') return 'testing';
    return idleMs / ms < (load === 'testing' ? FLOOD_LEAVES : CALM_LEAVES) ? 'flood' : 'calm';
  }

  return {
    arrived: () => {
      arrivals += 1;
    },
    /** Nothing was waiting until now, so waiting work has kept up. */
    resume: (now: number): void => {
      last = now;
      if (load !== 'calm') begin('calm', now);
    },
    /** @returns the load in the next turn */
    turnEnded: (now: number, isQuiet: boolean): Load => {
      if (isQuiet && now - last < IDLE_TURN_MS) idleMs += now - last;
      last = now;
      const ms = now - began;
      return ms < PERIOD_MS[load] ? load : begin(judge(ms), now);
    },
  };
}
