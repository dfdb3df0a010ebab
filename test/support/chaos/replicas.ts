import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../faults/orders.ts';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import { createDriver } from './driver.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { emptyLedger, type Kill, type Ledger } from './ledger.ts';
import { type KillAt, killProgram, type Running, startProgram } from './program.ts';
import { type Chance, chanceFrom } from './random.ts';
import { drive, finish, type Outcome } from './round.ts';
import { stepNames } from './steps.ts';

/** Between two kills; at most. */
const PAUSE_MS = 4_000;
const DEEDS = 3;
/** How far their clocks are apart, in milliseconds. */
const CLOCKS_MS = [0, 2 * 60_000, -2 * 60_000];
/** Of the kills, before which the server ends every connection, as when it restarts. */
const RESTARTS = 0.25;

export interface ReplicasOptions {
  seed: number;
  kills: number;
  replicas: number;
  /** Whether Slack goes on sending an event until it is taken. */
  patient?: boolean;
  /** Of an empty PostgreSQL database. */
  databaseUrl: string;
  signal?: AbortSignal;
  onKill?: (kill: Kill) => void;
  /** The last kill is followed by a life that goes on until then. */
  until?: (ledger: Ledger) => boolean;
}

/**
 * Drives several replicas on one database while one after the other of them is killed at some step or moment and started
 * anew; then all but one stop, and the last one has to finish what any of them began.
 */
export async function playReplicas(options: ReplicasOptions): Promise<Outcome> {
  const { seed, kills, signal } = options;
  const chance = chanceFrom(seed);
  const { databaseUrl, patient = true } = options;
  const environment = await startEnvironment({ databaseUrl, patient });
  const ledger = emptyLedger();
  const driver = createDriver(environment, ledger, chanceFrom(seed + 1));
  const driving = new AbortController();
  const allowed = { deeds: DEEDS };
  const log: string[] = [];
  const running = Array.from({ length: options.replicas }, (_, n) => startReplica(environment, n));
  const deeds = drive(driver, allowed, AbortSignal.any([driving.signal, ...(signal ? [signal] : [])]));
  try {
    await Promise.all(running.map(({ started }) => started));
    for (let n = 0; n < kills && signal?.aborted !== true; n += 1) {
      allowed.deeds = DEEDS;
      if (chance.is(RESTARTS)) await environment.database.endConnections();
      const kill = await killOne(running, environment, chance, log);
      ledger.kills.push(kill);
      options.onKill?.(kill);
    }
    while (options.until?.(ledger) === false && signal?.aborted !== true) {
      allowed.deeds = DEEDS;
      await sleep(PAUSE_MS / 10);
    }
    driving.abort();
    await deeds;
    // The others may still be about to die at their steps.
    const last = startReplica(environment, 0);
    const others = running.splice(0, running.length, last);
    await last.started;
    await Promise.all(others.map((one) => stop(one, log)));
    if (signal?.aborted === true) return { ledger, differences: [] };
    return { ledger, differences: await finish(environment, ledger, { log, signal }, last) };
  } finally {
    driving.abort();
    await deeds;
    await Promise.all(running.map(killProgram));
    await environment.close();
  }
}

/** Waits until one of them has died at its step, or kills one; another takes its place. */
async function killOne(
  running: Running[],
  environment: Environment,
  chance: Chance,
  log: string[],
): Promise<Kill> {
  const pause = new AbortController();
  const first = await Promise.race([
    sleep(chance.below(PAUSE_MS), undefined, { signal: pause.signal }).catch(() => undefined),
    ...running.map(async (one) => {
      await one.ended;
      return one;
    }),
  ]);
  pause.abort();
  const victim = first ?? chance.one(running);
  if (victim === undefined) throw new Error('there is no replica to kill');
  await killProgram(victim);
  log.push(...victim.log());
  const step = chance.is(0.5) ? chance.one(stepNames) : undefined;
  const place = running.indexOf(victim);
  const kill = step === undefined ? null : { step, turn: 1 + chance.below(2) };
  const next = startReplica(environment, place, kill);
  running.splice(place, 1, next);
  if (chance.is(0.5)) await Promise.race([next.started, sleep(LONGEST_WAIT_MS, false, { ref: false })]);
  const how = first === undefined ? 'at some moment' : 'at its step';
  return { at: environment.clock.now(), how, lastSteps: victim.lastSteps() };
}

/** Its clock is as far off as its place says. */
function startReplica(environment: Environment, place: number, kill: KillAt | null = null): Running {
  const running = startProgram(environment, kill);
  const jumpMs = CLOCKS_MS[place % CLOCKS_MS.length] ?? 0;
  if (jumpMs !== 0 && running.process.connected) running.process.send({ jumpMs } satisfies Order);
  return running;
}

async function stop(running: Running, log: string[]): Promise<void> {
  running.stop();
  await Promise.race([running.ended, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
  log.push(...running.log());
}
