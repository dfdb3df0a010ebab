import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeFields, describePart, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

const Point = z.looseObject({ attributes: z.array(z.looseObject({ value: types.object })) });
const Metric = z.looseObject({
  type: z.literal('metric'),
  data: z.looseObject({ dataPoints: z.array(Point) }),
});
const metrics = () => samples().artifacts.flatMap((artifact) => Metric.safeParse(artifact).data ?? []);
const points = () => metrics().flatMap(({ data }) => data.dataPoints);

describeFields(
  '2.8',
  {
    metricType: types.someText,
    name: types.someText,
    description: types.someText,
    unit: types.someText,
    dataPoints: types.list,
  },
  () => metrics().map(({ data }) => data),
);

describePart(
  '2.8',
  {
    id: types.someText,
    provider: types.someText,
    providerUrl: types.text,
    summary: types.someText,
    createdAt: types.timestamp,
    updatedAt: types.timestamp,
    type: types.someText,
    data: types.object,
  },
  () => samples().artifacts,
  'common fields',
);

describePart(
  '2.8',
  {
    attributes: types.list,
    startTimeUnixNano: types.nanoseconds,
    timeUnixNano: types.nanoseconds,
    asDouble: z.number(),
    exemplars: types.list,
    flags: types.count,
  },
  points,
  'DataPoint',
);

describePart(
  '2.8',
  { key: types.someText, value: types.object },
  () => points().flatMap(({ attributes }) => attributes),
  'KeyValue',
);

it('2.8 KeyValue: a value has one of the members that the contract lists', () => {
  const values = points().flatMap(({ attributes }) => attributes.map(({ value }) => Object.keys(value)));
  expect(new Set(values.flat())).toEqual(new Set(['stringValue']));
});

it('2.8 type: the kinds of this service are among six', () => {
  const kinds = samples().artifacts.map(
    (artifact) => z.looseObject({ type: z.string() }).parse(artifact).type,
  );
  expect(['metric', 'logs', 'trace', 'change']).toEqual(expect.arrayContaining(kinds));
  expect(kinds).toContain('metric');
});
