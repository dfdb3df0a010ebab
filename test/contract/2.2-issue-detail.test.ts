import { expect, it } from 'vitest';
import { describeFields, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describeFields(
  '2.2',
  {
    uuid: types.uuid,
    number: types.positive,
    title: types.someText,
    description: types.someText,
    severity: types.severity,
    status: types.status,
    environment: types.someText,
    triggeredAt: types.timestamp,
    createdAt: types.timestamp,
    updatedAt: types.timestamp,
    seedCount: types.count,
    seeds: types.list,
    latestVersion: types.positive,
    versions: types.list,
  },
  () => [samples().detail, samples().byNumber, samples().updated],
);

it('2.2 triggeredAt is the earliest of the seeds, latestVersion the last of the versions', () => {
  expect(samples().detail).toMatchObject({
    triggeredAt: '2026-03-17T11:58:00.000Z',
    seedCount: 1,
    seeds: [{ triggeredAt: '2026-03-17T11:58:00.000Z' }],
    latestVersion: 2,
    versions: [{ version: 1 }, { version: 2 }],
  });
});
