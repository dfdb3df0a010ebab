import { describe, expect, it } from 'vitest';
import { FAULT_PLACES, seededFaults } from '../../../src/demo/shop/faults.ts';
import { SHOP } from '../../../src/demo/shop/topology.ts';

const MINUTE = 60_000;
const day = { from: Date.UTC(2026, 2, 17), to: Date.UTC(2026, 2, 18) };

describe('the recurring faults', () => {
  const faults = seededFaults(11, day);

  it('come one to every slot of 20 minutes', () => {
    expect(faults.map(({ from }) => Math.floor(from / (20 * MINUTE)))).toEqual(
      Array.from({ length: 72 }, (_, i) => day.from / (20 * MINUTE) + i),
    );
  });

  it('begin a minute or two into the slot, and end before it does', () => {
    for (const { from, to } of faults) {
      const into = from % (20 * MINUTE);
      expect(into).toBeGreaterThanOrEqual(MINUTE);
      expect(into).toBeLessThanOrEqual(2 * MINUTE);
      expect(to - from + into).toBeGreaterThanOrEqual(13 * MINUTE);
      expect(to - from + into).toBeLessThanOrEqual(15 * MINUTE);
    }
  });

  it('take turns through every kind, at services where that kind can happen', () => {
    expect(new Set(faults.slice(0, 8).map(({ kind }) => kind)).size).toBe(8);
    for (const { kind, service } of faults) {
      expect(FAULT_PLACES[kind]).toContain(service);
      expect(Object.keys(SHOP)).toContain(service);
    }
  });

  it('are those that touch the window, however it is cut', () => {
    const half = day.from + 12 * 60 * MINUTE;
    const first = seededFaults(11, { from: day.from, to: half });
    const second = seededFaults(11, { from: half, to: day.to });
    expect([...first, ...second]).toEqual(faults);
  });
});
