import { describeFields, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describeFields(
  '2.1',
  {
    uuid: types.uuid,
    number: types.positive,
    title: types.someText,
    description: types.someText,
    severity: types.severity,
    status: types.status,
    environment: types.someText,
    triggeredAt: types.timestamp,
    seedCount: types.count,
  },
  () => samples().list.data,
);
