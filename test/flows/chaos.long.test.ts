import { describe, expect, it } from 'vitest';
import { playChain } from '../support/chaos/chain.ts';
import { startProgram } from '../support/chaos/program.ts';
import { playRound } from '../support/chaos/round.ts';
import { stepsOf } from '../support/chaos/steps.ts';

const SEED = 7;
const KILLS = 6;

/** Each has a workspace and a service of its own; while one waits for a start, the others go on. */
describe.concurrent('a program that is killed with SIGKILL', () => {
  it.each(Object.entries(stepsOf))('at every step of %s leaves one of everything', async (_what, steps) => {
    const { missed, differences } = await playChain(steps, { seed: SEED, start: startProgram });
    expect({ missed, differences }).toEqual({ missed: [], differences: [] });
  });

  it(`at ${KILLS} moments leaves one of everything`, async () => {
    const { ledger, differences } = await playRound({
      seed: SEED,
      kills: KILLS,
      // A driver that did nothing would leave nothing wrong either.
      until: ({ problems, asked }) => problems.length > 5 && asked.length > 3,
    });
    expect(differences).toEqual([]);
    expect(ledger.kills).toHaveLength(KILLS);
  });
});
