import { describeFields, types } from './fields.ts';
import { sharedWorld } from './world.ts';

const world = sharedWorld();

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
  () => world().list.data,
);
