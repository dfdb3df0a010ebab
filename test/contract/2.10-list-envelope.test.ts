import { z } from 'zod';
import { describePart, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describePart(
  '2.10',
  {
    object: z.literal('list'),
    data: types.list,
    has_more: z.boolean(),
    after: types.uuid.optional(),
    before: types.uuid.optional(),
  },
  () => [samples().list],
  'the envelope',
);
