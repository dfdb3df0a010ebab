import { describe, expect, it } from 'vitest';
import { curvesOf, type Metric, readMetric } from '../../../../src/bot/render/charts/metric.ts';
import { measureOf, written } from '../../../../src/bot/render/charts/units.ts';

const AT = Date.UTC(2026, 5, 2, 23, 50);
const MINUTE = 60_000;

function metricOf(series: { attributes: Record<string, string>; values: (number | null)[] }[]): Metric {
  return {
    name: 'm',
    description: '',
    unit: '',
    leftOut: 0,
    series: series.map(({ attributes, values }) => ({
      attributes: new Map(Object.entries(attributes)),
      samples: values.map((value, i) => ({ at: AT + i * MINUTE, value })),
    })),
  };
}

describe('what is read of an artifact', () => {
  it('the newest 20,000 points, and how many older ones there are', () => {
    const dataPoints = Array.from({ length: 25_000 }, (_, second) => ({
      timeUnixNano: `${1_780_000_000 + second}000000000`,
      asInt: second,
    }));
    const read = readMetric({ type: 'metric', data: { name: 'm', dataPoints } });
    expect(read?.leftOut).toBe(5_000);
    expect(read?.series.map(({ samples }) => [samples.length, samples[0]?.value])).toEqual([[20_000, 5_000]]);
  });

  it('doubles, and integers as strings, by their attributes and in the order of time', () => {
    const point = (second: number, value: object, host: string) => ({
      timeUnixNano: `${1_780_000_000 + second}000000000`,
      attributes: [{ key: 'host', value: { stringValue: host } }],
      ...value,
    });
    const read = readMetric({
      type: 'metric',
      data: {
        name: 'm',
        unit: ' ms ',
        dataPoints: [
          point(2, { asDouble: 'NaN' }, 'a'),
          point(1, { asInt: '7' }, 'a'),
          point(1, { asDouble: 1.5 }, 'b'),
          { asDouble: 1 },
          'nonsense',
        ],
      },
    });
    expect(read).toEqual({
      name: 'm',
      description: '',
      leftOut: 0,
      unit: 'ms',
      series: [
        {
          attributes: new Map([['host', 'a']]),
          samples: [
            { at: 1_780_000_001_000, value: 7 },
            { at: 1_780_000_002_000, value: null },
          ],
        },
        { attributes: new Map([['host', 'b']]), samples: [{ at: 1_780_000_001_000, value: 1.5 }] },
      ],
    });
  });
});

describe('curves', () => {
  it('are named after the attributes that differ', () => {
    const curves = curvesOf(
      metricOf([
        { attributes: { service: 's', host: 'a', zone: '1' }, values: [1] },
        { attributes: { service: 's', host: 'b' }, values: [1] },
      ]),
    );
    expect(curves.map(({ name }) => name)).toEqual(['a · 1', 'b · –']);
  });

  it('are of what was measured', () => {
    const curves = curvesOf(metricOf([{ attributes: {}, values: [1, 2, null, 3] }]));
    expect(curves[0]?.points.map(({ value }) => value)).toEqual([1, 2, 3]);
  });
});

describe('units', () => {
  it.each([
    ['ms', 980, '980 ms'],
    ['ms', 1500, '1.5 s'],
    ['s', 0.0042, '4.2 ms'],
    ['s', 5_443_200, '63 d'],
    ['seconds', 300, '5 min'],
    ['%', 42, '42%'],
    ['1', 0.256, '25.6%'],
    ['By', 1536, '1.5 KiB'],
    ['MiBy', 2048, '2 GiB'],
    ['By/s', 1_048_576, '1 MiB/s'],
    ['{request}/s', 420, '420'],
    ['{message}', 37_859, '37.9k'],
    ['count', 12, '12'],
    ['Cel', 21.4, '21.4 °C'],
    ['ms', 0, '0 ms'],
  ])('%s: %d is %s', (unit, value, expected) => {
    expect(written(value, measureOf(unit, { least: 0, most: value }))).toBe(expected);
  });

  it.each([
    ['{request}/s', 'requests/s'],
    ['rps', 'requests/s'],
    ['1/s', 'per second'],
    ['{query}', 'queries'],
    ['widgets', 'widgets'],
    ['valueOf', 'valueOf'],
    ['__proto__', '__proto__'],
    ['1', ''],
  ])('%s is called “%s”', (unit, caption) => {
    expect(measureOf(unit, { least: 0, most: 100 }).caption).toBe(caption);
  });
});
