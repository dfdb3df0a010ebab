import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDriver, type Driver } from '../support/chaos/driver.ts';
import { type Environment, startEnvironment } from '../support/chaos/environment.ts';
import { emptyLedger, type Ledger } from '../support/chaos/ledger.ts';
import { askDirectly, askInChannel } from '../support/chaos/moves/asking.ts';
import { killProgram, type Running, startProgram } from '../support/chaos/program.ts';
import { chanceFrom } from '../support/chaos/random.ts';
import { readRows } from '../support/chaos/read-state.ts';
import { finish } from '../support/chaos/round.ts';
import { settle } from '../support/chaos/settle.ts';
import { until } from '../support/until.ts';

const MOST_HARM = 12;
const MOST_LIVES = 4;
let environment: Environment;
let ledger: Ledger;
let driver: Driver;
let running: Running;

beforeEach(async () => {
  environment = await startEnvironment();
  ledger = emptyLedger();
  driver = createDriver(environment, ledger, chanceFrom(1));
  running = startProgram(environment);
  await running.started;
});

afterEach(async () => {
  await killProgram(running);
  await environment.close();
});

async function somethingHappens(): Promise<void> {
  const known = driver.newProblem();
  await driver.say(known, 'fires', 'alerts');
  await driver.say(driver.newProblem(), 'fires', 'alerts');
  await driver.say(known, 'fires', 'alerts');
  await driver.say(driver.newProblem(), 'fires', 'general');
  await askInChannel(driver);
  await askDirectly(driver);
}

const wal = () => `${environment.file}-wal`;

function cutTo(part: number): void {
  truncateSync(wal(), Math.floor(statSync(wal()).size * part));
}

/** From there on the checksums are wrong, and SQLite takes nothing. */
function damageAt(part: number): void {
  const handle = openSync(wal(), 'r+');
  const garbage = Buffer.alloc(8_192, 0xa5);
  writeSync(handle, garbage, 0, garbage.length, Math.floor(statSync(wal()).size * part));
  closeSync(handle);
}

/** Harms the log until something is gone. @returns whether anything is */
async function isHarmedBy(harm: () => void): Promise<boolean> {
  const before = await readRows(environment);
  // What stands at its end may be of an earlier turn, and in the file long since.
  for (let tries = 0; tries < MOST_HARM; tries += 1) {
    harm();
    if (!isDeepStrictEqual(await readRows(environment), before)) return true;
  }
  return false;
}

describe('a write-ahead log that is damaged while nobody runs', () => {
  it.each([
    ['has lost its end', () => cutTo(0.5)],
    ['is damaged from its beginning on', () => damageAt(0)],
  ])('and %s: what is gone is read again, and nothing stands twice', async (_what, harm) => {
    await somethingHappens();
    // It stands at top level, and is due again where its record is gone.
    await until('the digest stands', async () =>
      (await readRows(environment)).outbox.some(({ kind, state }) => kind === 'digest' && state === 'idle'),
    );
    expect(await settle(environment, { pictures: false })).toEqual([]);
    await killProgram(running);
    // SQLite may just have moved all of the log into the file, which cannot be harmed then.
    for (let lives = 1; !(await isHarmedBy(harm)); lives += 1) {
      expect(lives).toBeLessThan(MOST_LIVES);
      running = startProgram(environment);
      await running.started;
      await somethingHappens();
      expect(await settle(environment, { pictures: false })).toEqual([]);
      await killProgram(running);
    }

    running = startProgram(environment);
    await running.started;
    await somethingHappens();
    expect(await finish(environment, ledger, { log: [], pictures: false }, running)).toEqual([]);
  });
});
