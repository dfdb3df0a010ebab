import { describe, expect, it } from 'vitest';
import { curvesOf, type Metric, readMetric } from '../../../../src/bot/render/pictures/metric.ts';
import {
  measureOf,
  spanOf,
  timeLabel,
  timeTicks,
  written,
} from '../../../../src/bot/render/pictures/units.ts';

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
    const { curves, by } = curvesOf(
      metricOf([
        { attributes: { service: 's', host: 'a', zone: '1' }, values: [1] },
        { attributes: { service: 's', host: 'b' }, values: [1] },
      ]),
    );
    expect(by).toEqual(['host', 'zone']);
    expect(curves.map(({ label }) => label)).toEqual(['a · 1', 'b · –']);
  });

  it('end and begin again where a value or a sample is missing', () => {
    const metric = metricOf([{ attributes: {}, values: [1, 2, null, 3, 4, 5, 6, 7] }]);
    metric.series[0]?.samples.splice(5, 2);
    const { curves } = curvesOf(metric);
    expect(curves[0]?.parts.map((part) => part.map(({ value }) => value))).toEqual([[1, 2], [3, 4], [7]]);
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

describe('times', () => {
  const labels = (span: number) =>
    timeTicks({ least: AT, most: AT + span }, 7).map((at) => timeLabel(at, span));

  it('are round, in UTC', () => {
    expect(labels(20 * MINUTE)).toEqual(['23:50', '23:55', '00:00', '00:05', '00:10']);
  });

  it('are dates over long spans, and have seconds over short ones', () => {
    expect(labels(4 * 1440 * MINUTE)).toEqual(['3 Jun', '4 Jun', '5 Jun', '6 Jun']);
    expect(labels(20_000)).toEqual(['23:50:00', '23:50:05', '23:50:10', '23:50:15', '23:50:20']);
    expect(labels(900 * 1440 * MINUTE)).toEqual(['18 Dec 2026', '18 Dec 2027']);
  });

  it('name a span with as many dates as it needs', () => {
    expect(spanOf(AT, AT + 5 * MINUTE)).toBe('23:50–23:55 UTC on 2 Jun 2026');
    expect(spanOf(AT, AT + 15 * MINUTE)).toBe('2 Jun 2026 23:50 to 3 Jun 2026 00:05 UTC');
  });
});
