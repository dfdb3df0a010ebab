import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import { createDriver, type Driver } from './driver.ts';
import { type Environment, type EnvironmentOptions, startEnvironment } from './environment.ts';
import { judge } from './judge/index.ts';
import { emptyLedger, type Kill, type Ledger } from './ledger.ts';
import { moves } from './moves/index.ts';
import { isUp, killProgram, type Running, startProgram } from './program.ts';
import { type Chance, chanceFrom } from './random.ts';
import { readSystemState } from './read-state.ts';
import { inRows, type SettleOptions, settle } from './settle.ts';
import { stepNames } from './steps.ts';

const LONGEST_LIFE_MS = 3_000;
/** Now and then it lives on, so that results come, and people do something with them. */
const LONG_LIFE_MS = 9_000;
const EVERY = 6;
/** Between two deeds; at most. */
const PAUSE_MS = 800;
/** In one life of the program; at most, so that a slow machine is not given more to do. */
const DEEDS = 3;
const DEEDS_OF_A_LONG_LIFE = 15;

export interface RoundOptions extends EnvironmentOptions {
  seed: number;
  kills: number;
  signal?: AbortSignal;
  onKill?: (kill: Kill) => void;
  /** Does harm to what a kill left behind, before the next start. */
  meanwhile?: (environment: Environment, chance: Chance) => Promise<void>;
  /** The last life, which is not killed, goes on until then: a busy machine gets less done before each kill. */
  until?: (ledger: Ledger) => boolean;
}

/** What came of some kills. */
export interface Outcome {
  ledger: Ledger;
  /** Where the end is not what it must be, in words; with the kill that came after it began. */
  differences: string[];
}

/** Drives the program while it is killed again and again, then lets it finish, and compares the end with the ledger. */
export async function playRound(options: RoundOptions): Promise<Outcome> {
  const { seed, kills, signal } = options;
  const chance = chanceFrom(seed);
  const environment = await startEnvironment(options);
  const ledger = emptyLedger();
  const driver = createDriver(environment, ledger, chanceFrom(seed + 1));
  const driving = new AbortController();
  const allowed = { deeds: 0 };
  const deeds = drive(driver, allowed, AbortSignal.any([driving.signal, ...(signal ? [signal] : [])]));
  const log: string[] = [];
  try {
    for (let n = 0; n < kills && signal?.aborted !== true; n += 1) {
      const isLong = n % EVERY === EVERY - 1;
      allowed.deeds = isLong ? DEEDS_OF_A_LONG_LIFE : DEEDS;
      const kill = await (isLong ? liveLong(environment, log) : liveAndDie(environment, chance, log));
      ledger.kills.push(kill);
      options.onKill?.(kill);
      await options.meanwhile?.(environment, chance);
    }
    const last = startProgram(environment);
    while (options.until?.(ledger) === false && signal?.aborted !== true && !last.hasEnded()) {
      allowed.deeds = DEEDS;
      await sleep(PAUSE_MS);
    }
    driving.abort();
    await deeds;
    if (signal?.aborted === true) {
      await killProgram(last);
      return { ledger, differences: [] };
    }
    return { ledger, differences: await finish(environment, ledger, { log, signal }, last) };
  } finally {
    driving.abort();
    await deeds;
    await environment.close();
  }
}

/** Makes moves, one after the other, as many as it is allowed, until the signal. */
export async function drive(driver: Driver, allowed: { deeds: number }, signal: AbortSignal): Promise<void> {
  const { chance, workspace } = driver;
  while (!signal.aborted) {
    const move = chance.weighed(moves);
    if (allowed.deeds > 0 && (workspace.online() || !move.needsProgram)) {
      allowed.deeds -= 1;
      await move.make(driver);
    }
    await sleep(chance.below(PAUSE_MS), undefined, { signal }).catch(() => undefined);
  }
}

/** One life of the program: it dies at a named step, or at some moment. */
async function liveAndDie(environment: Environment, chance: Chance, log: string[]): Promise<Kill> {
  const step = chance.is(0.5) ? chance.one(stepNames) : undefined;
  const running = startProgram(environment, step === undefined ? null : { step, turn: 1 + chance.below(2) });
  if (!chance.is(0.25)) await isUp(running);
  const life = step === undefined ? chance.below(LONGEST_LIFE_MS) : LONGEST_LIFE_MS;
  await Promise.race([running.ended, sleep(life)]);
  return die(running, running.hasEnded() ? `at ${step}` : `after ${life} ms`, environment, log);
}

async function liveLong(environment: Environment, log: string[]): Promise<Kill> {
  const running = startProgram(environment);
  await isUp(running);
  await Promise.race([running.ended, sleep(LONG_LIFE_MS)]);
  return die(running, `after ${LONG_LIFE_MS} ms`, environment, log);
}

async function die(running: Running, how: string, environment: Environment, log: string[]): Promise<Kill> {
  await killProgram(running);
  log.push(...running.log());
  return { at: environment.clock.now(), how, lastSteps: running.lastSteps() };
}

/** Lets the program (a new life of it, if not said) finish undisturbed, and stop in order. */
export async function finish(
  environment: Environment,
  ledger: Ledger,
  { log, signal }: SettleOptions & { log: string[] },
  running: Running = startProgram(environment),
): Promise<string[]> {
  try {
    if (!(await isUp(running))) return [`it does not start any more: ${running.log().join('\n')}`];
    let unsettled = await settle(environment, { signal });
    let system = await readSystemState(environment);
    // As time passes storms end, and mutes: what came up while the system were read is waited for, too.
    while (unsettled.length === 0 && inRows(system).length > 0 && signal?.aborted !== true) {
      unsettled = await settle(environment, { signal });
      system = await readSystemState(environment);
    }
    if (signal?.aborted === true) return [];
    const stop = await stopInOrder(running);
    log.push(...running.log());
    return [
      ...unsettled.map((what) => `not settled: ${what}`),
      ...(unsettled.length > 0 ? [] : judge(system, ledger).map(({ what, at }) => inWords(what, at, ledger))),
      ...(stop === 0 ? [] : [`an ordered stop ended with ${stop}`]),
      ...log.filter((line) => line.includes('unhandled promise rejection')),
    ];
  } finally {
    await killProgram(running);
  }
}

async function stopInOrder(running: Running): Promise<number | NodeJS.Signals | null> {
  running.stop();
  const late = sleep(LONGEST_WAIT_MS, null, { ref: false });
  return await Promise.race([running.ended, late]);
}

/** A difference with the kill that came first after what it is about. */
function inWords(what: string, at: number | undefined, { kills }: Ledger): string {
  const kill = at === undefined ? undefined : kills.find((one) => one.at >= at);
  if (kill === undefined) return what;
  const nth = kills.indexOf(kill) + 1;
  return `${what} — then came kill ${nth} (${kill.how}; before: ${kill.lastSteps.join(', ')})`;
}
