import { describe, expect, it } from 'vitest';
import { playChain } from '../support/chaos/chain.ts';
import { startInProcess, startProgram } from '../support/chaos/program.ts';
import { playRound } from '../support/chaos/round.ts';
import { stepsOf } from '../support/chaos/steps.ts';

const SEED = 7;
const KILLS = 6;

// The nightly `chaos.long.test.ts` kills processes at all of the steps.
describe.concurrent('a program that crashes', () => {
  it.each([
    ['an alert or a question', startProgram],
    ['a message', startInProcess],
    ['a press', startInProcess],
  ] as const)('at every step of %s leaves one of everything', async (what, start) => {
    const { missed, differences } = await playChain(stepsOf[what], { seed: SEED, start });
    expect({ missed, differences }).toEqual({ missed: [], differences: [] });
  });

  it(`as a process, at ${KILLS} moments, leaves one of everything`, async () => {
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
