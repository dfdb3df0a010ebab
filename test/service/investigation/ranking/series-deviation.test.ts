import { describe, expect, it } from 'vitest';
import { deviationOf } from '../../../../src/service/investigation/ranking/series.ts';
import type { Series, Signal } from '../../../../src/service/telemetry/model.ts';
import { MINUTE, seriesOf } from './shop.ts';

function series(values: readonly number[], over: Partial<Signal> = {}): Series {
  const signal: Signal = {
    id: 'm',
    name: 'm',
    label: 'm',
    measure: 'latency',
    unit: 's',
    bad: 'high',
    metricType: 'gauge',
    quantile: 'mean',
    ...over,
  };
  return seriesOf('cart', signal, {
    times: Float64Array.from(values, (_, i) => i * MINUTE),
    values: Float64Array.from(values),
  });
}

const calm = Array.from({ length: 120 }, (_, i) => 100 + (i % 7));
const share: Partial<Signal> = { measure: 'success', unit: '1', bad: 'low' };

function deviation(one: Series, perSecond: number | null = 10, late = 0): number {
  const last = one.points.times.at(-1) ?? 0;
  return deviationOf(one, last + late, perSecond)?.deviation ?? Number.NaN;
}

describe('how far a series has left its past', () => {
  it('is little where it is as always, and much where it has doubled', () => {
    expect(deviation(series([...calm, 104]))).toBeLessThan(2);
    expect(deviation(series([...calm, 210, 215]))).toBeGreaterThan(5);
  });

  it('is the same in seconds and milliseconds', () => {
    const values = [...calm, 210, 215];
    expect(deviation(series(values.map((value) => value / 1_000)))).toBeCloseTo(deviation(series(values)), 6);
  });

  it('does not look at what was an incident in the past as usual, nor miss the next', () => {
    const past = calm.map((value, i) => (i >= 40 && i < 44 ? 900 : value));
    expect(deviation(series([...past, 500, 520]))).toBeGreaterThan(6);
  });

  it('does not count what goes on now as its past, however long it has been going on', () => {
    const long = Array.from({ length: 40 }, () => 300);
    const moved = deviationOf(series([...calm, ...long]), (calm.length + long.length - 1) * MINUTE, 10);
    expect(moved?.deviation).toBeGreaterThan(6);
    expect(moved?.onset).toBe(calm.length * MINUTE);
  });

  it('counts what happens now and then as usual', () => {
    const past = calm.map((value, i) => (i % 12 === 0 ? 400 : value));
    expect(deviation(series([...past, 400]))).toBeLessThan(4);
  });

  describe('of what comes back every day', () => {
    const HOUR = 60;
    /** Six days with one slow hour each, a sample an hour, and then the last two hours by the minute. */
    function daily(slowAt: number, lastIsSlow: boolean): Series {
      const hours = Array.from({ length: 6 * 24 }, (_, hour) => ({
        at: hour * HOUR,
        value: hour % 24 === slowAt ? 400 : 100 + (hour % 3),
      }));
      const last = Array.from({ length: 120 }, (_, i) => ({
        at: 6 * 24 * HOUR + i,
        value: i >= 115 && lastIsSlow ? 400 : 100 + (i % 7),
      }));
      const all = [...hours, ...last];
      return {
        ...series([]),
        points: {
          times: Float64Array.from(all, ({ at }) => at * MINUTE),
          values: Float64Array.from(all, ({ value }) => value),
        },
      };
    }

    it('says nothing at its hour', () => {
      expect(deviation(daily(1, true))).toBeLessThan(4);
    });

    it('is unusual at any other', () => {
      expect(deviation(daily(13, true))).toBeGreaterThan(6);
      expect(deviation(daily(1, false))).toBeLessThan(2);
    });
  });

  it('says nothing of a series that has ended, or has no past', () => {
    expect(deviation(series(calm), 10, 60 * MINUTE)).toBeNaN();
    expect(deviation(series([100, 100, 300]))).toBeNaN();
  });

  it('never looks behind the trigger', () => {
    const one = series([...calm, 900, 900, 900]);
    const { series: _read, ...before } = deviationOf(one, 119 * MINUTE, 10) ?? {};
    const { series: _calm, ...after } = deviationOf(series(calm), 119 * MINUTE, 10) ?? {};
    expect(before).toEqual(after);
  });

  it('trusts a quantile only where several requests lie above it', () => {
    const one = series([...calm, 400, 400], { quantile: 0.99 });
    expect(deviation(one, 0.1)).toBeLessThan(1);
    expect(deviation(one, 100)).toBeGreaterThan(6);
  });

  it('counts failures: few of few requests are less than few of many', () => {
    const one = series([...calm.map(() => 1), 0.95, 0.95], share);
    expect(deviation(one, 1)).toBeLessThan(deviation(one, 10));
    expect(deviation(one, 10)).toBeGreaterThan(6);
  });

  it('takes what sometimes fails for what it is', () => {
    const sometimes = calm.map((_, i) => (i % 15 === 0 ? 0.7 : 1));
    expect(deviation(series([...sometimes, 1, 0.7], share), 1)).toBeLessThan(2.6);
  });

  it('says since when', () => {
    const one = series([...calm, 300, 310, 320]);
    expect(deviationOf(one, 122 * MINUTE, 10)).toMatchObject({ now: 320, onset: 120 * MINUTE });
  });

  it('knows that zero has no ratio', () => {
    const one = series([...calm.map(() => 0), 3, 4], { measure: 'restarts', unit: '' });
    expect(deviation(one, null)).toBeGreaterThan(6);
  });
});
