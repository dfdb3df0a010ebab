import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { type Button, press } from '../buttons.ts';
import { ALICE, BOB, type Driver } from '../driver.ts';
import type { Move } from './move.ts';

/** What a button makes of an issue. */
const STEERING = { resolve: 'resolved', mute: 'muted', reopen: 'ready_to_fix' } as const;

/** A button under one of the problems, that there is. */
function someButton(driver: Driver, actionId: string, choice?: string) {
  const problem = driver.chance.one(driver.ledger.problems);
  return problem && driver.buttonUnder(problem, actionId, choice);
}

/** *Resolve*, *Mute* or *Reopen*. */
export async function steer(driver: Driver, name: keyof typeof STEERING, button: Button): Promise<void> {
  const at = driver.now();
  const outcome = await press(driver.workspace, button, driver.chance.one([ALICE, BOB]) ?? ALICE);
  const certainty = driver.certaintyOf(outcome);
  driver.ledger.steered.push({ issueId: button.value, status: STEERING[name], certainty, at });
  driver.note(`${name} ${button.value}: ${certainty}`);
}

/** *Done* or *Undo* at a step. */
export async function mark(driver: Driver, name: 'tick' | 'untick', button: Button): Promise<void> {
  const at = driver.now();
  const outcome = await press(driver.workspace, button, driver.chance.one([ALICE, BOB]) ?? ALICE);
  const certainty = driver.certaintyOf(outcome);
  driver.ledger[name === 'tick' ? 'ticked' : 'unticked'].push({ value: button.value, certainty, at });
  driver.note(`${name} ${button.value}: ${certainty}`);
}

/** 👍 or 👎. */
export async function vote(driver: Driver, button: Button): Promise<void> {
  const who = driver.chance.one([ALICE, BOB]) ?? ALICE;
  const at = driver.now();
  const certainty = driver.certaintyOf(await press(driver.workspace, button, who));
  driver.ledger.voted.push({ who, value: button.value, certainty, at });
  driver.note(`vote ${button.value} by ${who}: ${certainty}`);
}

const AGAIN = 'investigateAgain:';

export async function investigateAgain(driver: Driver, choice: Button): Promise<void> {
  const at = driver.now();
  const certainty = driver.certaintyOf(await press(driver.workspace, choice, ALICE));
  driver.ledger.again.push({ issueId: choice.value.slice(AGAIN.length), certainty, at });
  driver.note(`Investigate again ${choice.value}: ${certainty}`);
}

function steering(name: keyof typeof STEERING): Move {
  return {
    name,
    weight: 1.5,
    needsProgram: true,
    make: async (driver) => {
      const button = someButton(driver, actionIds[name]);
      if (button) await steer(driver, name, button);
    },
  };
}

function marking(name: 'tick' | 'untick', weight: number): Move {
  return {
    name,
    weight,
    needsProgram: true,
    make: async (driver) => {
      const button = someButton(driver, actionIds[name]);
      if (button) await mark(driver, name, button);
    },
  };
}

const thumbs: Move = {
  name: '👍 or 👎',
  weight: 2,
  needsProgram: true,
  make: async (driver) => {
    const button = someButton(driver, actionIds.vote);
    if (button) await vote(driver, button);
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

const again: Move = {
  name: 'Investigate again',
  weight: 2,
  needsProgram: true,
  make: async (driver) => {
    const choice = someButton(driver, actionIds.more, AGAIN);
    if (choice) await investigateAgain(driver, choice);
  },
};

export const pressingMoves: readonly Move[] = [
  steering('resolve'),
  steering('mute'),
  steering('reopen'),
  marking('tick', 5),
  marking('untick', 1),
  thumbs,
  ask,
  again,
];
