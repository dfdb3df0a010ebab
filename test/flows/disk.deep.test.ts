import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOB, createDriver, type Driver } from '../support/chaos/driver.ts';
import { type Environment, type EnvironmentOptions, startEnvironment } from '../support/chaos/environment.ts';
import { emptyLedger, type Ledger } from '../support/chaos/ledger.ts';
import { askDirectly, askInChannel } from '../support/chaos/moves/asking.ts';
import { killProgram, type RunningProcess, startProgram } from '../support/chaos/program.ts';
import { chanceFrom } from '../support/chaos/random.ts';
import { readRows } from '../support/chaos/read-state.ts';
import { finish } from '../support/chaos/round.ts';
import { settle } from '../support/chaos/settle.ts';
import { setDiskFull } from '../support/disk/limit.ts';
import { countUndelivered } from '../support/end-state.ts';
import { until } from '../support/until.ts';

let environment: Environment;
let ledger: Ledger;
let driver: Driver;
let running: RunningProcess;

async function begin(options: EnvironmentOptions = {}): Promise<void> {
  environment = await startEnvironment(options);
  ledger = emptyLedger();
  driver = createDriver(environment, ledger, chanceFrom(1));
  running = startProgram(environment);
  await running.started;
}

beforeEach(() => begin());

afterEach(async () => {
  await killProgram(running);
  await environment.close();
});

async function readyz(): Promise<{ status: number; reasons: unknown }> {
  const answer = await fetch(`${running.url()}/readyz`);
  const body: unknown = await answer.json();
  return {
    status: answer.status,
    reasons: typeof body === 'object' && body !== null && 'reasons' in body ? body.reasons : body,
  };
}

/** What happens in Slack, whatever becomes of it. */
async function somethingHappens(): Promise<void> {
  const known = driver.newProblem();
  await driver.say(known, 'fires', 'alerts');
  await driver.say(known, 'fires', 'alerts');
  await driver.say(driver.newProblem(), 'fires', 'general');
  await askInChannel(driver);
  await askDirectly(driver);
}

/** Answers whether Slack heard the acknowledgement; where it did not, it may have been stored all the same. */
async function investigate(): Promise<boolean> {
  const word = driver.word();
  const { ok } = await driver.workspace.command({
    as: BOB,
    channel: driver.channel('general'),
    command: '/investigate',
    text: `checkout ${word} is slow`,
  });
  ledger.wanted.push({ word, certainty: ok ? 'once' : 'at most once', at: driver.now() });
  return ok;
}

describe('with no room on the disk', () => {
  it('nothing is acknowledged, /readyz says why, and everything is handled once there is room again', async () => {
    await somethingHappens();
    await until('something is filed', async () =>
      (await readRows(environment)).issues.some(({ uuid }) => uuid !== null),
    );
    setDiskFull(running.process.pid, true);
    // A transaction that had written its pages just before may still become visible: once a write failed, none can.
    await until('a write has failed', async () => (await readyz()).status === 503);
    const before = (await readRows(environment)).inbox.length;
    await somethingHappens();
    expect(await investigate()).toBe(false);
    expect(await readyz()).toEqual({
      status: 503,
      reasons: [
        'cannot write to the database: check free disk space, and that no other process has it locked',
      ],
    });
    expect(countUndelivered(environment.around)).toBeGreaterThanOrEqual(5);
    expect((await readRows(environment)).inbox).toHaveLength(before);

    setDiskFull(running.process.pid, false);
    expect(await finish(environment, ledger, { log: [] }, running)).toEqual([]);
    expect(ledger.problems).toHaveLength(4);
  });
});

describe('with no room on the disk for longer than Slack goes on', () => {
  it('what Slack has given up is read once there is room again', async () => {
    await killProgram(running);
    await environment.close();
    await begin({ patient: false });
    await driver.say(driver.newProblem(), 'fires', 'alerts');
    // What was missed before the start is read by then.
    expect(await settle(environment)).toEqual([]);
    setDiskFull(running.process.pid, true);
    await driver.say(driver.newProblem(), 'fires', 'alerts');
    await until('Slack has given up', () => countUndelivered(environment.around) === 0);
    setDiskFull(running.process.pid, false);
    await driver.say(driver.newProblem(), 'fires', 'general');
    expect(await finish(environment, ledger, { log: [] }, running)).toEqual([]);
    expect(ledger.problems).toHaveLength(3);
  });
});

describe('while another program holds the file', () => {
  it('nothing is acknowledged, and everything is handled once it lets go', async () => {
    const other = new Sqlite(environment.file);
    other.exec('BEGIN IMMEDIATE');
    await somethingHappens();
    expect(await investigate()).toBe(false);
    expect(countUndelivered(environment.around)).toBeGreaterThanOrEqual(5);
    other.exec('ROLLBACK');
    other.close();
    expect(await finish(environment, ledger, { log: [] }, running)).toEqual([]);
    expect(ledger.problems).toHaveLength(2);
  });
});
