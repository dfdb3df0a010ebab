import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { buttonsIn, press } from '../buttons.ts';
import { ALICE, BOB, type Driver } from '../driver.ts';
import type { Move } from './move.ts';

const investigate: Move = {
  name: '/investigate',
  weight: 3,
  needsProgram: true,
  make: async (driver) => {
    const word = driver.word();
    const at = driver.now();
    const outcome = await driver.workspace.command({
      as: BOB,
      channel: driver.channel(driver.chance.one(['general', 'payments'] as const) ?? 'general'),
      command: '/investigate',
      text: `checkout ${word} is slow severity:high`,
    });
    driver.ledger.wanted.push({ word, certainty: driver.certaintyOf(outcome), at });
    driver.note(`/investigate ${word}: ${driver.certaintyOf(outcome)}`);
  },
};

const magnify: Move = {
  name: '🔍',
  weight: 3,
  needsProgram: false,
  make: async (driver) => {
    const word = driver.word();
    const channel = driver.channel('general');
    const at = driver.now();
    const { ts } = await driver.workspace.post({ channel, user: BOB, text: `the cart ${word} looks odd` });
    await driver.workspace.react({ as: ALICE, channel, message_ts: ts, name: 'mag', on: true });
    driver.ledger.wanted.push({ word, certainty: driver.events, at });
    driver.note(`🔍 on ${word}, ${ts}`);
  },
};

const list: Move = {
  name: '/issue list',
  weight: 1,
  needsProgram: true,
  make: async (driver) => {
    await driver.workspace.command({
      as: BOB,
      channel: driver.channel('general'),
      command: '/issue',
      text: 'list',
    });
  },
};

/** Presses a button of the message that alerts are held under; what becomes of them the program keeps itself. */
function held(name: string, actionId: string): Move {
  return {
    name,
    weight: 2,
    needsProgram: true,
    make: async (driver) => {
      const { botUserId } = driver.workspace;
      const own = driver.workspace
        .messages(driver.channel('incidents'))
        .filter(({ user }) => user === botUserId);
      await pressOne(driver, name, buttonsIn(own, actionId));
    },
  };
}

const fileIt: Move = {
  name: 'File it',
  weight: 2,
  needsProgram: true,
  make: async (driver) => {
    const problem = driver.chance.one(
      driver.ledger.problems.filter(({ posts: said }) => said[0]?.channel === driver.channel('secrets')),
    );
    const button = problem && driver.buttonUnder(problem, actionIds.fileIt);
    if (button) await pressOne(driver, `File it for ${problem.name}`, [button]);
  },
};

async function pressOne(driver: Driver, name: string, buttons: ReturnType<typeof buttonsIn>): Promise<void> {
  const button = driver.chance.one(buttons);
  if (!button) return;
  const outcome = await press(driver.workspace, button, ALICE);
  driver.note(`${name}: ${driver.certaintyOf(outcome)}`);
}

export const requestMoves: readonly Move[] = [
  investigate,
  magnify,
  list,
  held('File all', actionIds.fileAll),
  held('Dismiss', actionIds.dismissHeld),
  fileIt,
];
