import { z } from 'zod';
import { presentView } from '../interact/present-view.ts';
import { checkModal } from '../validate/view.ts';
import { json, type Method, method } from './method.ts';

const open = method({
  name: 'views.open',
  tokens: ['bot'],
  scopes: [],
  tier: 4,
  checks: ['invalid_arguments', 'invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id'],
  args: z.looseObject({ trigger_id: z.string(), view: json }),
  handle: (world, args) => {
    const modal = checkModal(args.view);
    const user = world.triggers.exchange(args.trigger_id);
    return { view: presentView(world, world.views.open(user, modal)) };
  },
});

export const viewsMethods: readonly Method[] = [open];
