import { setTimeout as sleep } from 'node:timers/promises';
import { createDriver } from '../chaos/driver.ts';
import { startEnvironment } from '../chaos/environment.ts';
import { emptyLedger } from '../chaos/ledger.ts';
import { killProgram, startProgram } from '../chaos/program.ts';
import { chanceFrom } from '../chaos/random.ts';
import { drive, finish, type Outcome } from '../chaos/round.ts';
import { startFaultProxy } from '../proxies/fault-proxy.ts';
import type { FaultKind, Injected } from './kinds.ts';
import { createPlan } from './plan.ts';

const DEEDS = 20;
/** What is drawn may have too few of them. */
const FEWEST_PROBLEMS = 2;
/** Of the deliveries. */
const RATE = 0.4;
const LOOK_MS = 200;
/** In which each kind has had its turn, unless the machine stands still. */
const LONGEST_MS = 15 * 60_000;
/** The driver draws from a seed of its own. */
const DRIVERS = 1_000;

/** What a network, or a load balancer before the program, does to what Slack delivers. */
const kinds: readonly FaultKind[] = [
  'latency',
  'reset before the effect',
  'reset after the effect',
  'refused connections',
  '502',
  '503',
];

interface WayInOutcome extends Outcome {
  injected: Injected;
  missing: FaultKind[];
  /** How many deliveries the program knew from before: Slack had not heard their acknowledgement. */
  repeated: number;
}

/**
 * Drives one life of the program over HTTP, with faults between Slack and it, until each kind was injected and
 * something came again; lets them end, and compares.
 */
export async function playFaultsOnTheWayIn(seed: number): Promise<WayInOutcome> {
  const plan = createPlan({ seed, rate: RATE, streams: false, kinds });
  const environment = await startEnvironment({ mode: 'http' });
  const ledger = emptyLedger();
  const driving = new AbortController();
  const running = startProgram(environment);
  try {
    await running.started;
    const program = new URL(running.url() ?? '');
    const proxy = await startFaultProxy({
      target: program,
      host: '127.0.0.1',
      plan,
      forget: () => undefined,
    });
    try {
      environment.around.workspace.setDelivery(`http://127.0.0.1:${proxy.port}/slack/events`);
      const allowed = { deeds: DEEDS };
      const driver = createDriver(environment, ledger, chanceFrom(seed + DRIVERS));
      const deeds = drive(driver, allowed, driving.signal);
      const until = Date.now() + LONGEST_MS;
      const isDone = async () => plan.missing().length === 0 && (await countRepeated(program)) > 0;
      while (Date.now() < until && !running.hasEnded()) {
        if (allowed.deeds === 0 && ledger.problems.length < FEWEST_PROBLEMS) {
          await driver.say(driver.newProblem(), 'fires', 'alerts');
        } else if (allowed.deeds === 0) {
          if (await isDone()) break;
          // What was drawn was too little.
          plan.hurry();
          allowed.deeds += 1;
        }
        await sleep(LOOK_MS);
      }
      driving.abort();
      await deeds;
      plan.end();
      const repeated = await countRepeated(program);
      const differences = await finish(environment, ledger, { log: [] }, running);
      return { ledger, differences, injected: plan.injected, missing: plan.missing(), repeated };
    } finally {
      await proxy.close();
    }
  } finally {
    driving.abort();
    await killProgram(running);
    await environment.close();
  }
}

async function countRepeated(program: URL): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', program))).text();
  return Number(/gumshoe_deliveries_total\{outcome="repeated"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}
