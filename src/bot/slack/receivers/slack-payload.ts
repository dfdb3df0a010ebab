import { z } from 'zod';

/** Slack's ids are letters and digits. They end up in Web API calls. */
const Id = z.string().regex(/^\w{1,100}$/u);
const Somebody = z.looseObject({ id: Id });

const Event = z.looseObject({
  // Slack never sends an event that is also an interaction or a command; Bolt would take it for either.
  type: z.literal('event_callback'),
  event: z.looseObject({
    type: z.string(),
    // A tool's message may have an empty author.
    user: z.union([Id, z.literal(''), z.looseObject({})]).nullish(),
    channel: z.union([Id, z.looseObject({})]).optional(),
    item: z.looseObject({}).optional(),
  }),
  authorizations: z.array(z.looseObject({})).optional(),
});

const Command = z.looseObject({
  event: z.undefined().optional(),
  command: z.string(),
  text: z.string(),
  user_id: Id,
  channel_id: Id,
  trigger_id: z.string(),
  response_url: z.string().optional(),
});

const Interaction = z.looseObject({
  event: z.undefined().optional(),
  command: z.undefined().optional(),
  type: z.string(),
  user: Somebody,
  team: z.looseObject({ id: Id }).nullish(),
  channel: Somebody.optional(),
  callback_id: z.string().optional(),
  actions: z
    .array(z.looseObject({ action_id: z.string(), block_id: z.string() }))
    .min(1)
    .optional(),
  view: z
    .looseObject({
      id: z.string(),
      callback_id: z.string().optional(),
      state: z.looseObject({ values: z.looseObject({}) }).optional(),
    })
    .optional(),
  response_urls: z.array(z.looseObject({})).optional(),
  response_url: z.string().optional(),
  trigger_id: z.string().optional(),
});

const Submission = z.looseObject({ view: z.looseObject({ state: z.looseObject({}) }) });

/**
 * Whether a delivery has the shape of what Slack sends. Bolt assumes so, and fails where the delivery would be retried for
 * ever; anything else that is signed is made up.
 */
export function isSlackPayload(body: Record<string, unknown>): boolean {
  if (body.type === 'view_submission' && !Submission.safeParse(body).success) return false;
  if (body.type === 'view_closed' && body.view === undefined) return false;
  return [Event, Command, Interaction].some((schema) => schema.safeParse(body).success);
}

/** Whether a delivery's body is an object at all: Bolt assumes so, and would end the process. */
export function isBody(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
