import { z } from 'zod';
import type { Register } from '../../listening/deps.ts';
import { presentDetails } from './details.ts';

const Requested = z.looseObject({
  user: z.string(),
  trigger_id: z.string(),
  external_ref: z.looseObject({ id: z.string() }),
});

/** A person opened or refreshed the flexpane of an issue. */
export const entityDetailsRequested: Register = (app, deps) => {
  app.event('entity_details_requested', async ({ event }) => {
    const { success, data } = Requested.safeParse(event);
    if (!success) return deps.log.warn('Slack asked for the details of a Work Object without its reference');
    await presentDetails({ userId: data.user, triggerId: data.trigger_id, ref: data.external_ref.id }, deps);
  });
};
