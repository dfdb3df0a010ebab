import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import type { SuggestOutcome } from '../page-api.ts';
import type { SuggestRequest } from '../page-requests.ts';
import { option, optionGroup } from '../validate/text.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { onMessage } from './action.ts';
import type { Element } from './elements.ts';
import { sendInteraction, whoAndWhere } from './payload.ts';
import { refused } from './person.ts';
import { PersonError } from './person-error.ts';
import { surfaceOf } from './surface.ts';

/** What Slack waits for where the element does not say. */
const MIN_QUERY_LENGTH = 3;

const Answer = z.union([
  z.object({ options: z.array(option).max(LIMITS.options) }),
  z.object({ option_groups: z.array(optionGroup).max(LIMITS.optionGroups) }),
]);

/** The element, and its place as the payload gives it. */
function placeOf(
  context: WorkspaceContext,
  input: SuggestRequest,
): { element: Element | undefined; payload: object } {
  const { as, view_id, channel = '', message_ts = '', block_id, action_id } = input;
  if (view_id === undefined) return onMessage(context, { as, channel, message_ts, block_id, action_id });
  const { user, elements, fill } = surfaceOf(context, as, view_id);
  const element = elements.find((one) => one.block_id === block_id && one.action_id === action_id);
  const container = { type: 'view', view_id };
  return { element, payload: { ...whoAndWhere(context, user), container, view: fill({}) } };
}

async function ask(context: WorkspaceContext, input: SuggestRequest): Promise<SuggestOutcome> {
  const { block_id, action_id, value } = input;
  const { element, payload } = placeOf(context, input);
  if (!element?.type.endsWith('external_select')) throw new PersonError('That list no longer exists.');
  const least = Number(element.fields.min_query_length ?? MIN_QUERY_LENGTH);
  if (value.length < least) throw new PersonError(`Type at least ${least} characters.`);
  const body = await sendInteraction(context, {
    type: 'block_suggestion',
    ...payload,
    block_id,
    action_id,
    value,
  });
  const answer = Answer.safeParse(body);
  if (!answer.success) throw new PersonError('The app did not answer with options that Slack understands.');
  return { ok: true, options: [], option_groups: [], ...answer.data };
}

/**
 * Sends a `block_suggestion` payload to the app.
 *
 * @returns the options that it acknowledges it with, or a sentence for the person.
 */
export async function suggest(context: WorkspaceContext, input: SuggestRequest): Promise<SuggestOutcome> {
  try {
    return await ask(context, input);
  } catch (cause) {
    return refused(cause);
  }
}
