import { setTimeout as sleep } from 'node:timers/promises';
import { createDriver, type Driver } from '../chaos/driver.ts';
import { startEnvironment } from '../chaos/environment.ts';
import { emptyLedger, type Ledger } from '../chaos/ledger.ts';
import { askInChannel } from '../chaos/moves/asking.ts';
import { killProgram, startProgram } from '../chaos/program.ts';
import { chanceFrom } from '../chaos/random.ts';
import { drive, finish, type Outcome } from '../chaos/round.ts';
import type { Order } from './orders.ts';
import { createFaults, type Faults } from './outgoing-faults.ts';

const DEEDS = 20;
const LOOK_MS = 400;
const FEWEST_PROBLEMS = 2;
const ASK_EVERY_MS = 6_000;
/** In which each kind has had its turn, unless the machine stands still. */
const LONGEST_MS = 15 * 60_000;
/** The driver draws from a seed of its own. */
const DRIVERS = 1_000;

export interface FaultyRound {
  seed: number;
  /** How far the program's clock jumps, one after the other while it is driven, in milliseconds. */
  jumpsMs?: readonly number[];
  /** How long faults are injected, in milliseconds; without it, until each kind was. */
  forMs?: number;
}

interface FaultyOutcome extends Outcome {
  faults: Faults;
  /** How often the program's clock jumped. */
  jumped: number;
  log: string[];
}

/** Drives one life of the program through faults until each kind was injected, lets them end, and compares. */
export async function playFaults({
  seed,
  jumpsMs = [],
  forMs = LONGEST_MS,
}: FaultyRound): Promise<FaultyOutcome> {
  const faults = createFaults(seed);
  const environment = await startEnvironment({ between: faults.between });
  Object.assign(environment.env, faults.env);
  const ledger = { ...emptyLedger(), mayBreakOff: true };
  const driver = createDriver(environment, ledger, chanceFrom(seed + DRIVERS));
  const driving = new AbortController();
  const log: string[] = [];
  const running = startProgram(environment);
  const send = (order: Order) => {
    if (running.process.connected) running.process.send(order);
  };
  faults.forget = (forget, ms) => send({ forget, ms });
  const jumps = [...jumpsMs];
  try {
    const allowed = { deeds: DEEDS };
    const deeds = drive(driver, allowed, driving.signal);
    const began = Date.now();
    // On a busy machine the deeds take longer, and each jump waits for some of them.
    const limitMs = () => (jumps.length > 0 ? LONGEST_MS : forMs);
    const isOver = () =>
      Date.now() - began > limitMs() || (jumps.length === 0 && isDone(allowed, faults, ledger));
    while (!isOver() && !running.hasEnded()) {
      const jumped = jumpsMs.length - jumps.length;
      // Spread evenly over the deeds, so that there are some before and after each.
      const isDue = DEEDS - allowed.deeds >= ((jumped + 1) * DEEDS) / (jumpsMs.length + 1);
      const jumpMs = isDue ? jumps.shift() : undefined;
      if (jumpMs !== undefined) send({ jumpMs });
      if (allowed.deeds === 0) {
        faults.hurry();
        await doWhatIsMissing(driver, faults);
      }
      await sleep(LOOK_MS);
    }
    driving.abort();
    await deeds;
    faults.end();
    const differences = await finish(environment, ledger, { log }, running);
    return { ledger, differences, faults, log, jumped: jumpsMs.length - jumps.length };
  } finally {
    driving.abort();
    await killProgram(running);
    await environment.close();
  }
}

/** What was drawn was too little: what reaches the service is a new problem, and a question, which is answered in a stream. */
async function doWhatIsMissing(driver: Driver, faults: Faults): Promise<void> {
  const { problems, asked } = driver.ledger;
  if (problems.length < FEWEST_PROBLEMS) await driver.say(driver.newProblem(), 'fires', 'alerts');
  const isQuiet = driver.now() - (asked.at(-1)?.at ?? 0) > ASK_EVERY_MS;
  if (asked.length === 0 || (isQuiet && faults.missing().service.length > 0)) await askInChannel(driver);
}

function isDone({ deeds }: { deeds: number }, faults: Faults, { problems, asked }: Ledger): boolean {
  const { slack, service } = faults.missing();
  const isAllDone = problems.length >= FEWEST_PROBLEMS && asked.length > 0;
  return deeds === 0 && isAllDone && slack.length === 0 && service.length === 0;
}
