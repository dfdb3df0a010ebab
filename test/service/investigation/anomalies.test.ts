import { describe, expect, it } from 'vitest';
import { anomaliesIn, anomalyAt } from '../../../src/service/investigation/anomalies.ts';
import type { Measure } from '../../../src/service/telemetry/model.ts';
import { pointsIn } from '../../../src/service/telemetry/view.ts';
import { seriesWith } from '../../support/telemetry.ts';

const STEP = 30_000;

function values(...parts: [number, number][]): number[] {
  const levels = parts.flatMap(([count, value]) => Array.from({ length: count }, () => value));
  return levels.map((value, i) => value * (1 + 0.02 * Math.sin(i * 2.4)));
}

function anomaliesOf(measure: Measure, ...parts: [number, number][]) {
  const unit = ['errors', 'memory'].includes(measure) ? '1' : 's';
  const series = seriesWith(values(...parts), {
    measure,
    unit,
    bad: measure === 'requests' ? 'low' : 'high',
    stepMs: STEP,
  });
  return anomaliesIn(series, pointsIn(series, { from: 0, to: Number.POSITIVE_INFINITY }));
}

function found(measure: Measure, ...parts: [number, number][]) {
  return anomaliesOf(measure, ...parts).map(({ onset, end }) => [
    onset / STEP,
    end === null ? null : end / STEP,
  ]);
}

describe('anomalies', () => {
  it('are found where the level steps, with onset and end', () => {
    expect(found('latency', [60, 100], [20, 400], [40, 100])).toEqual([[60, 80]]);
  });

  it('go on where they last until now', () => {
    expect(found('latency', [60, 100], [20, 400])).toEqual([[60, null]]);
  });

  it('are found even where they fill half of the window', () => {
    expect(found('latency', [20, 100], [30, 400], [15, 100], [30, 500], [10, 100])).toEqual([
      [20, 50],
      [65, 95],
    ]);
  });

  it('begin where a slow climb begins, not where it is noticed', () => {
    const climb = Array.from({ length: 12 }, (_, i): [number, number] => [1, 0.45 + 0.03 * (i + 1)]);
    const [onset] = found('memory', [60, 0.45], ...climb)[0] ?? [];
    expect(onset).toBeGreaterThanOrEqual(60);
    expect(onset).toBeLessThanOrEqual(62);
  });

  it('are not a lone spike, noise, or a change that is too small to matter', () => {
    expect(found('latency', [60, 100], [1, 900], [40, 100])).toEqual([]);
    expect(found('latency', [100, 100])).toEqual([]);
    expect(found('errors', [60, 0.002], [40, 0.008])).toEqual([]);
  });

  it('are the newest sample alone where it is far out, as it is when an alert comes with it', () => {
    expect(found('latency', [60, 100], [1, 900])).toEqual([[60, null]]);
    expect(found('latency', [60, 100], [1, 160])).toEqual([]);
  });

  it('are falls, not rises, where low is bad', () => {
    expect(found('requests', [60, 80], [20, 20])).toEqual([[60, null]]);
    expect(found('requests', [60, 80], [20, 200])).toEqual([]);
  });

  it('are one where a short pause lies between', () => {
    expect(found('errors', [60, 0.002], [5, 0.3], [4, 0.002], [5, 0.3], [20, 0.002])).toEqual([[60, 74]]);
  });

  it('are nothing in a series that is too short', () => {
    expect(found('errors', [3, 0.002], [3, 0.9])).toEqual([]);
  });

  it('that a trigger speaks of are under way, or over for at most a quarter of an hour', () => {
    const parts: [number, number][] = [
      [20, 100],
      [20, 400],
      [60, 100],
      [20, 400],
      [10, 100],
    ];
    const anomalies = anomaliesOf('latency', ...parts);
    const onsetAt = (index: number) => {
      const anomaly = anomalyAt(anomalies, index * STEP);
      return anomaly && anomaly.onset / STEP;
    };
    expect([30, 60, 75, 105].map(onsetAt)).toEqual([20, 20, null, 100]);
  });
});
