import { expect, it } from 'vitest';
import { describeFields, types } from './fields.ts';
import { FULL_ISSUE, sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describeFields(
  '2.3',
  {
    publicUuid: types.uuid,
    seedType: types.someText,
    provider: types.someText,
    providerReferenceId: types.someText,
    title: types.someText,
    description: types.someText,
    tags: types.list,
    triggeredAt: types.timestamp,
    link: types.text,
    query: types.text,
    rawPayload: types.object,
  },
  () => samples().detail.seeds,
);

it('2.3 is made from what the request said', () => {
  const { title, description, context } = FULL_ISSUE;
  expect(samples().detail.seeds).toMatchObject([
    { title, description, tags: context.tags, link: context.alertUrl, rawPayload: context },
  ]);
});
