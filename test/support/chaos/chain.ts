import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import { createDriver, type Driver } from './driver.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { emptyLedger } from './ledger.ts';
import { isUp, type KillAt, killProgram, type Running } from './program.ts';
import { chanceFrom } from './random.ts';
import { finish, type Outcome } from './round.ts';
import { triggerOf } from './step-triggers.ts';

const SOON_MS = 6_000;

/** How the program is started: `startProgram`, or `startInProcess`. */
type Start = (environment: Environment, kill?: KillAt) => Running;

/**
 * Kills the program once at each of the steps, one life after the other in the same environment: what one life leaves
 * half done, the next one takes up, and is killed at.
 */
export async function playChain(
  steps: readonly string[],
  { seed, start }: { seed: number; start: Start },
): Promise<Outcome & { missed: string[] }> {
  const environment = await startEnvironment();
  const ledger = emptyLedger();
  const driver = createDriver(environment, ledger, chanceFrom(seed));
  const missed: string[] = [];
  const log: string[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const running = start(environment, { step });
      // A message on its way to the step before comes by this one, too.
      const isOnItsWay = kindOf(step) === kindOf(steps[index - 1]);
      const why = await liveUntil(step, running, driver, isOnItsWay);
      await killProgram(running);
      log.push(...running.log());
      ledger.kills.push({ at: environment.clock.now(), how: `at ${step}`, lastSteps: running.lastSteps() });
      if (why === null) continue;
      // The steps after it may wait for what this one did not do.
      missed.push(`${step} (${why}), after ${running.lastSteps().join(', ')}: ${running.log().join('\n')}`);
      break;
    }
    return { ledger, missed, differences: await finish(environment, ledger, { log }, start(environment)) };
  } finally {
    await environment.close();
  }
}

/** Waits until the program has ended itself at the step; answers why it has not. */
async function liveUntil(
  step: string,
  running: Running,
  driver: Driver,
  isOnItsWay: boolean,
): Promise<string | null> {
  if (isOnItsWay && (await endsWithin(SOON_MS, running))) return null;
  // Until then it is tried again; the last try may take as long again.
  const hopelessAt = Date.now() + LONGEST_WAIT_MS;
  let failure = 'nothing came by it';
  // On a busy machine a way may pass the step by: an answer that comes all at once is appended to by nobody.
  for (let waitMs = SOON_MS; Date.now() < hopelessAt; waitMs *= 2) {
    failure = (await reach(step, running, driver)) ?? failure;
    if (await endsWithin(waitMs, running)) return null;
  }
  return failure;
}

/** Brings the program to the step; answers why it could not. */
async function reach(step: string, running: Running, driver: Driver): Promise<string | null> {
  const { needsProgram, make } = triggerOf(step);
  if (needsProgram && !(await isUp(running))) return 'the program was not up';
  // It may die before the person has their answer.
  // What it waits for in vain, it waits for no longer than the step.
  const made = make(driver).then(
    () => null,
    (error) => String(error),
  );
  const never = sleep(LONGEST_WAIT_MS + SOON_MS, 'what brings it there never ends', { ref: false });
  return Promise.race([made, running.ended.then(() => null), never]);
}

function endsWithin(ms: number, running: Running): Promise<boolean> {
  return Promise.race([running.ended.then(() => true), sleep(ms, false, { ref: false })]);
}

function kindOf(step: string | undefined): string | undefined {
  return step?.split(':')[0];
}
