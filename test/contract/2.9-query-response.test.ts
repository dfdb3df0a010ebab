import { describePart, types } from './fields.ts';
import { sharedWorld } from './world.ts';

const world = sharedWorld();

describePart(
  '2.9',
  { conversation_id: types.uuid, answer: types.someText, artifacts: types.list },
  () => [world().answer],
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
  () => world().answer.artifacts,
  'Artifact of a query response',
);
