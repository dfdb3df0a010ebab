import { z } from 'zod';
import { describeFields, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describeFields(
  '2.4',
  {
    uuid: types.uuid,
    version: types.positive,
    status: z.string().regex(/^[A-Z]+$/u),
    description: types.someText,
  },
  () => samples().detail.versions,
);
