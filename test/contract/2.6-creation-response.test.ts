import { describePart, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describePart(
  '2.6',
  {
    uuid: types.uuid,
    number: types.positive,
    status: types.status,
    title: types.someText,
    description: types.someText,
    severity: types.severity,
    createdAt: types.timestamp,
    updatedAt: types.timestamp,
    triggeredAt: types.timestamp,
    latestVersion: types.positive,
    environment: types.someText,
  },
  () => [samples().created],
  'the answer',
);
