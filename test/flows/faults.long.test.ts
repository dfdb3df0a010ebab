import { describe, expect, it } from 'vitest';
import { playFaultsOnTheWayIn } from '../support/faults/incoming-faults.ts';
import { playFaults } from '../support/faults/round.ts';

const MINUTE_MS = 60_000;
const NOTHING_MISSING = { slack: [], service: [] };

describe.concurrent('with faults of every kind between it, Slack and the service', () => {
  it('the program leaves one of everything', async () => {
    const { ledger, faults, differences } = await playFaults({ seed: 1 });
    expect({ differences, missing: faults.missing() }).toEqual({
      differences: [],
      missing: NOTHING_MISSING,
    });
    // A driver that did nothing would leave nothing wrong either.
    expect(ledger.problems.length).toBeGreaterThan(1);
    expect(ledger.asked.length).toBeGreaterThan(0);
  });

  it('the program leaves one of everything where its clock jumps by minutes as well', async () => {
    // What was put off before the clock is set back waits that much longer: so no further than needed here.
    const jumpsMs = [2 * MINUTE_MS, -MINUTE_MS, -2 * MINUTE_MS, MINUTE_MS];
    const { differences, jumped } = await playFaults({ seed: 3, jumpsMs, forMs: 20_000 });
    expect({ differences, jumped }).toEqual({ differences: [], jumped: jumpsMs.length });
  });
});

describe('with faults on the way from Slack to it, over HTTP,', () => {
  it('the program leaves one of everything all the same, however often a delivery comes', async () => {
    const { ledger, differences, missing, repeated } = await playFaultsOnTheWayIn(4);
    expect({ differences, missing }).toEqual({ differences: [], missing: [] });
    expect(repeated).toBeGreaterThan(0);
    expect(ledger.problems.length).toBeGreaterThan(1);
  });
});
