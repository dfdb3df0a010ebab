import { describe, expect, it } from 'vitest';
import { type Condition, lostOf, type Measured, replay } from '../../../src/service/agent/replay.ts';

const MINUTE = 60_000;

/** A sample a minute; `null` where there is none. */
function measured(values: readonly (number | null)[], alert = 'a'): Measured {
  const there = [...values.entries()].filter(([, value]) => value !== null);
  return {
    alert,
    points: {
      times: Float64Array.from(there.map(([i]) => i * MINUTE)),
      values: Float64Array.from(there.map(([, value]) => value ?? 0)),
    },
  };
}

const above = (value: number, minutes: number): Condition => ({
  threshold: { comparison: '>', value },
  heldFor: minutes * MINUTE,
});
const spans = (all: readonly Measured[], condition: Condition) =>
  replay(all, condition, MINUTE).map(({ from, to }) => [from / MINUTE, to / MINUTE]);

describe('replaying a rule', () => {
  it('fires once the condition held for as long as `for` says, and ends with the last sample that holds', () => {
    const all = [measured([0, 9, 9, 9, 0, 9, 0, 9, 9])];
    expect(spans(all, above(5, 0))).toEqual([
      [1, 3],
      [5, 5],
      [7, 8],
    ]);
    expect(spans(all, above(5, 1))).toEqual([
      [2, 3],
      [8, 8],
    ]);
    expect(spans(all, above(5, 2))).toEqual([[3, 3]]);
    expect(spans(all, above(9, 0))).toEqual([]);
  });

  it('begins again after a missing sample', () => {
    expect(spans([measured([9, 9, null, 9, 9])], above(5, 2))).toEqual([]);
    expect(spans([measured([9, 9, 9, 9, 9])], above(5, 2))).toEqual([[2, 4]]);
  });

  it('takes each sample as holding where the expression has no threshold, and each alert by itself', () => {
    const all = [measured([1, 1, null, null], 'a'), measured([null, null, 0, 0], 'b')];
    expect(spans(all, { threshold: null, heldFor: MINUTE })).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });

  it('compares as the rule does', () => {
    const of = (comparison: string) =>
      spans([measured([1, 2, 3])], { threshold: { comparison, value: 2 }, heldFor: 0 }).flat();
    expect(of('>=')).toEqual([1, 2]);
    expect(of('<')).toEqual([0, 0]);
    expect(of('<=')).toEqual([0, 1]);
    expect(of('==')).toEqual([1, 1]);
    expect(of('!=')).toEqual([0, 0, 2, 2]);
  });
});

it('says how many firings another setting loses', () => {
  const all = [measured([0, 9, 9, 9, 9, 0, 9, 0])];
  const now = replay(all, above(5, 0), MINUTE);
  expect(lostOf(now, replay(all, above(5, 2), MINUTE))).toBe(1);
  expect(lostOf(now, now)).toBe(0);
  expect(lostOf(now, [{ alert: 'another', from: 0, to: 9 * MINUTE }])).toBe(2);
});
