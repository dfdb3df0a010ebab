import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import { createDriver, type Driver } from './driver.ts';
import { startEnvironment } from './environment.ts';
import { emptyLedger } from './ledger.ts';
import { killProgram, type Running, startProgram } from './program.ts';
import { chanceFrom } from './random.ts';
import { finish, type Outcome } from './round.ts';
import { triggerOf } from './step-triggers.ts';

const SOON_MS = 6_000;

/**
 * Kills the program once at each of the steps, one life after the other in the same environment: what one life leaves
 * half done, the next one takes up, and is killed at.
 */
export async function playChain(
  steps: readonly string[],
  seed: number,
): Promise<Outcome & { missed: string[] }> {
  const environment = await startEnvironment();
  const ledger = emptyLedger();
  const driver = createDriver(environment, ledger, chanceFrom(seed));
  const missed: string[] = [];
  const log: string[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const running = startProgram(environment, { step });
      // A message on its way to the step before comes by this one, too.
      const isOnItsWay = kindOf(step) === kindOf(steps[index - 1]);
      if (!(await diesAt(step, running, driver, isOnItsWay))) missed.push(step);
      await killProgram(running);
      log.push(...running.log());
      ledger.kills.push({ at: environment.clock.now(), how: `at ${step}`, lastSteps: running.lastSteps() });
    }
    return { ledger, missed, differences: await finish(environment, ledger, { log }) };
  } finally {
    await environment.close();
  }
}

async function diesAt(step: string, running: Running, driver: Driver, isOnItsWay: boolean): Promise<boolean> {
  if (isOnItsWay && (await endsWithin(SOON_MS, running))) return true;
  // On a busy machine a way may pass the step by: an answer that comes all at once is appended to by nobody.
  for (let waitMs = SOON_MS; waitMs < LONGEST_WAIT_MS; waitMs *= 2) {
    await reach(step, running, driver);
    if (await endsWithin(waitMs, running)) return true;
  }
  return false;
}

async function reach(step: string, running: Running, driver: Driver): Promise<void> {
  const { needsProgram, make } = triggerOf(step);
  if (needsProgram && !(await running.started)) return;
  // It may die before the person has their answer.
  // What it waits for in vain, it waits for no longer than the step.
  const made = make(driver).catch((error) => driver.note(`${step} was not reached: ${error}`));
  await Promise.race([made, running.ended]);
}

function endsWithin(ms: number, running: Running): Promise<boolean> {
  return Promise.race([running.ended.then(() => true), sleep(ms, false, { ref: false })]);
}

function kindOf(step: string | undefined): string | undefined {
  return step?.split(':')[0];
}
