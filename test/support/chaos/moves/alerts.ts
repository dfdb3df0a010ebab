import type { SeedChannelName } from 'local-slack';
import type { Driver } from '../driver.ts';
import type { Problem } from '../ledger.ts';
import { tools } from '../tools.ts';
import type { Move } from './move.ts';

const FILING: readonly SeedChannelName[] = ['alerts', 'alerts', 'general', 'incidents', 'secrets'];
const BURST = 4;

function known({ ledger, chance }: Driver): Problem | undefined {
  return chance.one(ledger.problems.filter(({ edited }) => !edited));
}

function placeOf(problem: Problem, driver: Driver): SeedChannelName {
  return FILING.find((name) => driver.channel(name) === problem.posts[0]?.channel) ?? 'alerts';
}

const fires: Move = {
  name: 'an alert',
  weight: 10,
  needsProgram: false,
  make: async (driver) => {
    await driver.say(driver.newProblem(), 'fires', driver.chance.one(FILING) ?? 'alerts');
  },
};

const firesAgain: Move = {
  name: 'the same alert again',
  weight: 6,
  needsProgram: false,
  make: async (driver) => {
    const problem = known(driver);
    if (problem) await driver.say(problem, 'fires', placeOf(problem, driver));
  },
};

const firesElsewhere: Move = {
  name: 'the same alert in another channel',
  weight: 4,
  needsProgram: false,
  make: async (driver) => {
    const problem = known(driver);
    const where = driver.chance.one(['alerts', 'general', 'incidents'] as const) ?? 'general';
    if (problem) await driver.say(problem, 'fires', where);
  },
};

const recovers: Move = {
  name: 'a recovery',
  weight: 5,
  needsProgram: false,
  make: async (driver) => {
    const problem = known(driver);
    if (problem) await driver.say(problem, 'recovers', placeOf(problem, driver));
  },
};

const isEdited: Move = {
  name: 'an alert edited into its recovery',
  weight: 2,
  needsProgram: false,
  make: async (driver) => {
    const problem = known(driver);
    const first = problem?.posts[0];
    if (!problem || !first || problem.posts.length !== 1) return;
    problem.edited = true;
    const { attachments = [] } = tools[problem.tool]?.recovers(problem.name) ?? {};
    await driver.workspace.edit({ channel: first.channel, ts: first.ts, attachments });
    driver.note(`${problem.name} is edited into its recovery`);
  },
};

const showsALink: Move = {
  name: 'a preview of a link in an alert',
  weight: 2,
  needsProgram: false,
  make: async (driver) => {
    const said = known(driver)?.posts.at(-1);
    if (!said) return;
    await driver.workspace.edit({ channel: said.channel, ts: said.ts, unfurl: true });
    driver.note(`the message ${said.ts} shows a link`);
  },
};

const burst: Move = {
  name: 'more alerts than the budget of #incidents',
  weight: 2,
  needsProgram: false,
  make: async (driver) => {
    for (let n = 0; n < BURST; n += 1) await driver.say(driver.newProblem(), 'fires', 'incidents');
  },
};

export const alertMoves: readonly Move[] = [
  fires,
  firesAgain,
  firesElsewhere,
  recovers,
  isEdited,
  showsALink,
  burst,
];
