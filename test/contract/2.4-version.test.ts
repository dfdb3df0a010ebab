import { z } from 'zod';
import { describeFields, types } from './fields.ts';
import { sharedWorld } from './world.ts';

const world = sharedWorld();

describeFields(
  '2.4',
  {
    uuid: types.uuid,
    version: types.positive,
    status: z.string().regex(/^[A-Z]+$/u),
    description: types.someText,
  },
  () => world().detail.versions,
);
