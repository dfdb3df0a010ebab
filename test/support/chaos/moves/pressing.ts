import { actionIds } from '../../../../src/render/action-ids.ts';
import { press } from '../buttons.ts';
import { ALICE, BOB, type Driver } from '../driver.ts';
import type { Move } from './move.ts';

const STEERING = { resolve: 'resolved', mute: 'muted', reopen: 'ready_to_fix' } as const;

/** A button under one of the problems, that there is. */
function someButton(driver: Driver, actionId: string, choice?: string) {
  const problem = driver.chance.one(driver.ledger.problems);
  return problem && driver.buttonUnder(problem, actionId, choice);
}

function steering(name: keyof typeof STEERING): Move {
  return {
    name,
    weight: 1.5,
    needsProgram: true,
    make: async (driver) => {
      const button = someButton(driver, actionIds[name]);
      if (!button) return;
      const at = driver.now();
      const outcome = await press(driver.workspace, button, driver.chance.one([ALICE, BOB]) ?? ALICE);
      const certainty = driver.certaintyOf(outcome);
      driver.ledger.steered.push({ issueId: button.value, status: STEERING[name], certainty, at });
      driver.note(`${name} ${button.value}: ${certainty}`);
    },
  };
}

const tick: Move = {
  name: 'Done at a step',
  weight: 5,
  needsProgram: true,
  make: async (driver) => {
    const button = someButton(driver, actionIds.tick);
    if (!button) return;
    const at = driver.now();
    const outcome = await press(driver.workspace, button, driver.chance.one([ALICE, BOB]) ?? ALICE);
    const certainty = driver.certaintyOf(outcome);
    driver.ledger.ticked.push({ value: button.value, certainty, at });
    driver.note(`tick ${button.value}: ${certainty}`);
  },
};

const ask: Move = {
  name: 'Ask',
  weight: 1.5,
  needsProgram: true,
  make: async (driver) => {
    const button = someButton(driver, actionIds.ask);
    if (!button) return;
    const outcome = await press(driver.workspace, button, ALICE);
    driver.note(`Ask ${button.value}: ${driver.certaintyOf(outcome)}`);
  },
};

const AGAIN = 'investigateAgain:';

const again: Move = {
  name: 'Investigate again',
  weight: 2,
  needsProgram: true,
  make: async (driver) => {
    const choice = someButton(driver, actionIds.more, AGAIN);
    if (!choice) return;
    const at = driver.now();
    const outcome = await press(driver.workspace, choice, ALICE);
    const certainty = driver.certaintyOf(outcome);
    driver.ledger.again.push({ issueId: choice.value.slice(AGAIN.length), certainty, at });
    driver.note(`Investigate again ${choice.value}: ${certainty}`);
  },
};

export const pressingMoves: readonly Move[] = [
  steering('resolve'),
  steering('mute'),
  steering('reopen'),
  tick,
  ask,
  again,
];
