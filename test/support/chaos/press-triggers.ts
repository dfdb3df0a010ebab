import { actionIds } from '../../../src/bot/render/action-ids.ts';
import { until } from '../until.ts';
import type { Driver } from './driver.ts';
import type { Problem } from './ledger.ts';
import { deleteIssue, deletionUnder } from './moves/deleting.ts';
import { investigateAgain, mark, steer, vote } from './moves/pressing.ts';
import { openHome, setDigest, setSettings } from './moves/settings.ts';
import { isNoted, type StepTrigger, under } from './step-trigger.ts';

/** One that nobody has steered, so that what somebody makes of it is what it stays. */
async function fresh(driver: Driver, actionId: string, choice = '') {
  const isFresh = ({ name, deleted }: Problem) => !deleted && !isNoted(driver, `steer ${name}`);
  const alerts = driver.channel('alerts');
  if (!driver.ledger.problems.some((one) => one.posts[0]?.channel === alerts && isFresh(one))) {
    await driver.say(driver.newProblem(), 'fires', 'alerts');
  }
  return under(driver, actionId, isFresh, choice);
}

const tick: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { button } = await under(driver, actionIds.tick, ({ deleted }) => !deleted);
    await mark(driver, 'tick', button);
  },
};

const untick: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { button } = await under(driver, actionIds.untick, ({ deleted }) => !deleted);
    await mark(driver, 'untick', button);
  },
};

const thumbs: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { button } = await under(driver, actionIds.vote, ({ deleted }) => !deleted);
    await vote(driver, button);
  },
};

const status: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { problem, button } = await fresh(driver, actionIds.resolve);
    driver.note(`steer ${problem.name}`);
    await steer(driver, 'resolve', button);
  },
};

const reinvestigate: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const { problem, button } = await fresh(driver, actionIds.more, 'investigateAgain:');
    driver.note(`steer ${problem.name}`);
    await investigateAgain(driver, button);
  },
};

/**
 * What fires soon after it was resolved is opened again, which the service is to be told. Its investigation has ended
 * before: what is reopened just as it ends may be investigated again (docs/decisions.md, *Departures*).
 */
const wantedStatus: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    // What leads an incident, whoever has steered it: its symptoms have no button to resolve them.
    const isEnded = (one: Problem) =>
      !one.deleted && driver.buttonUnder(one, actionIds.more, 'investigateAgain:') !== undefined;
    const isLeading = (one: Problem) =>
      isEnded(one) && driver.buttonUnder(one, actionIds.resolve) !== undefined;
    // Where an earlier step has resolved what led, a new problem leads.
    if (!driver.ledger.problems.some(isLeading)) await driver.say(driver.newProblem(), 'fires', 'alerts');
    const { problem, button } = await under(driver, actionIds.resolve, isEnded);
    driver.note(`steer ${problem.name}`);
    await steer(driver, 'resolve', button);
    await until('it is resolved', () => driver.buttonUnder(problem, actionIds.reopen));
    await driver.say(problem, 'fires', 'alerts');
  },
};

/** An issue of its own, in whose thread nothing else is to be found. */
const deletion: StepTrigger = {
  needsProgram: true,
  make: async (driver) => {
    const problem = driver.newProblem();
    await driver.say(problem, 'fires', 'alerts');
    const choice = await until('it can be deleted', () => deletionUnder(driver, problem));
    await deleteIssue(driver, problem, choice);
  },
};

/** How the program is brought to the steps of what people press. */
export const pressTriggers: Record<string, StepTrigger> = {
  tick,
  untick,
  vote: thumbs,
  status,
  reinvestigate,
  'wanted status': wantedStatus,
  deletion,
  settings: { needsProgram: true, make: setSettings },
  'digest times': { needsProgram: true, make: setDigest },
  home: { needsProgram: true, make: openHome },
};
