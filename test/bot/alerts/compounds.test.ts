import { describe, expect, it } from 'vitest';
import { compoundState, conditionIn, withoutEnding } from '../../../src/bot/alerts/compounds.ts';

describe('an identifier of several words', () => {
  it.each([
    ['TRAP chassisFanFailure', 'firing'],
    ['TRAP chassisFanFailureCleared', 'resolved'],
    ['glu-a CLUSTER_WARN', 'firing'],
    ['glu-a CLUSTER_OK', 'resolved'],
    ['lcdBrightnessSetting', null],
    ['an ordinary sentence', null],
  ])('says a state: %s', (line, state) => {
    expect(compoundState(line)).toBe(state);
  });

  it.each([
    ['chassisFanFailureCleared', 'chassisFanFailure'],
    ['CLUSTER_WARN', 'CLUSTER'],
    // Another word behind it is another condition.
    ['OSD_DOWN', 'OSD_DOWN'],
    ['OSD_FULL', 'OSD_FULL'],
    ['linkUp', 'linkUp'],
  ])('is the same without its ending: %s', (name, same) => {
    expect(withoutEnding(name)).toBe(same);
  });

  it.each([
    ['[WRN] OSD_DOWN: 1 osds down', 'osd_down'],
    ['QUORUM_AT_RISK: 2 of 6 peers left', 'quorum_at_risk'],
    // A field's label, a value of one word and an error are no conditions.
    ['AlertName: disk is full', null],
    ['InstanceId: i-0f3', null],
    ['AssertionError: expected 200, got 502', null],
    ['Nothing of this kind', null],
  ])('is a condition where a line begins with it: %s', (line, condition) => {
    expect(conditionIn(line)).toBe(condition);
  });
});
