import { z } from 'zod';
import type { Channel, Message, User } from '../entities.ts';
import { PersonError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome, SuggestOutcome } from '../page-api.ts';
import type { ActionRequest, SuggestRequest } from '../page-requests.ts';
import { isSlackbots } from '../seed.ts';
import { option, optionGroup } from '../validate/elements.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Element, elementsOf, optionsOf } from './elements.ts';
import {
  actionTs,
  channelOf,
  outcomeOf,
  personIn,
  refused,
  sendInteraction,
  whoAndWhere,
} from './payload.ts';
import { makeResponseUrl } from './reply.ts';
import { surfaceOf } from './surface.ts';
import { chosen, type ElementState, filledIn, holdsState } from './views.ts';

interface ElementMatch {
  message: Message;
  elements: Element[];
  element: Element;
  isEphemeral: boolean;
}

type Place = Pick<ActionRequest, 'as' | 'channel' | 'message_ts' | 'block_id' | 'action_id'>;

function find(context: WorkspaceContext, input: Place, user: User, channel: Channel): ElementMatch {
  const { messages } = context.store;
  const ephemeral = messages.ephemeral(input.channel, input.message_ts);
  const own = ephemeral?.to === user.id ? ephemeral.message : undefined;
  const message = own ?? messages.get(input.channel, input.message_ts);
  if (!message) throw new PersonError('That message no longer exists.');
  if (message.bot_id !== context.app.bot_id && !isSlackbots(channel))
    throw new PersonError('That message belongs to another app.');
  const elements = elementsOf(message);
  const element = elements.find(
    ({ block_id, action_id }) => block_id === input.block_id && action_id === input.action_id,
  );
  if (!element) throw new PersonError('That button is no longer in the message.');
  return { message, elements, element, isEphemeral: own !== undefined };
}

function container(channel: Channel, message: Message, is_ephemeral: boolean): object {
  return {
    type: 'message',
    message_ts: message.ts,
    channel_id: channel.id,
    is_ephemeral,
    ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
  };
}

/**
 * An element of the app's message, with the person and the place as payloads name them.
 *
 * @throws PersonError if the person does not see it, or it is not there.
 */
function onMessage(context: WorkspaceContext, input: Place): { element: Element; payload: object } {
  const { user, channel } = personIn(context, input.as, input.channel);
  const { message, element, isEphemeral } = find(context, input, user, channel);
  return {
    element,
    payload: {
      ...whoAndWhere(context, user),
      container: container(channel, message, isEphemeral),
      channel: channelOf(channel),
      ...(!isEphemeral && { message: present(context, channel.id, message) }),
    },
  };
}

/** Sends a `block_actions` payload to the app, as Slack does when somebody clicks. */
export function act(context: WorkspaceContext, input: ActionRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(context, input.as, input.channel);
    const { message, elements, element, isEphemeral } = find(context, input, user, channel);
    const { block_id, action_id, type } = element;
    const { selected_option, selected_options } = input;
    const given: ElementState = { ...input };
    if (optionsOf(element).length > 0 && !selected_option && !selected_options)
      throw new PersonError('Choose one of the options.');
    const own = holdsState(element) ? { [block_id]: { [action_id]: given } } : {};
    const choice = chosen(element, given);
    const values = filledIn(elements, context.elementStates.of(user.id, channel.id, message.ts), own);
    context.elementStates.put(user.id, channel.id, message.ts, values);
    if (isSlackbots(channel)) return context.slackbot.press({ user, channel, message, element });
    await sendInteraction(context, {
      type: 'block_actions',
      ...whoAndWhere(context, user),
      container: container(channel, message, isEphemeral),
      trigger_id: context.triggers.issue(user.id),
      channel: channelOf(channel),
      // Slack leaves out an ephemeral message, which it does not keep.
      ...(!isEphemeral && { message: present(context, channel.id, message) }),
      state: { values },
      response_url: makeResponseUrl(context, channel.id, user.id, message.ts),
      actions: [{ type, action_id, block_id, ...choice, action_ts: actionTs(context) }],
    });
  });
}

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
