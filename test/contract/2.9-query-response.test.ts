import { describePart, types } from './fields.ts';
import { sampleAnswers } from './sample-answers.ts';

const samples = sampleAnswers();

describePart(
  '2.9',
  { conversation_id: types.uuid, answer: types.someText, artifacts: types.list },
  () => [samples().answer],
  'the answer',
);

describePart(
  '2.9',
  {
    id: types.someText,
    tool_name: types.someText,
    data_type: types.someText,
    provider: types.someText,
    summary: types.someText,
  },
  () => samples().answer.artifacts,
  'Artifact of a query response',
);
