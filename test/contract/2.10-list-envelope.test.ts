import { z } from 'zod';
import { describePart, types } from './fields.ts';
import { sharedWorld } from './world.ts';

const world = sharedWorld();

describePart(
  '2.10',
  {
    object: z.literal('list'),
    data: types.list,
    has_more: z.boolean(),
    after: types.uuid.optional(),
    before: types.uuid.optional(),
  },
  () => [world().list],
  'the envelope',
);
