import type { Channel, Message, User } from '../entities.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome } from '../page-api.ts';
import type { ActionRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { chosen } from './choice.ts';
import { type Element, elementsOf, optionsOf } from './elements.ts';
import { type ElementState, filledIn, holdsState } from './modal/state.ts';
import { actionTs, channelOf, sendInteraction, whoAndWhere } from './payload.ts';
import { outcomeOf, personIn } from './person.ts';
import { PersonError } from './person-error.ts';
import { makeResponseUrl } from './response-url.ts';

interface ElementMatch {
  message: Message;
  elements: Element[];
  element: Element;
  isEphemeral: boolean;
}

type Place = Pick<ActionRequest, 'as' | 'channel' | 'message_ts' | 'block_id' | 'action_id'>;

function find(context: WorkspaceContext, input: Place, user: User): ElementMatch {
  const { messages } = context.store;
  const ephemeral = messages.ephemeral(input.channel, input.message_ts);
  const own = ephemeral?.to === user.id ? ephemeral.message : undefined;
  const message = own ?? messages.get(input.channel, input.message_ts);
  if (!message) throw new PersonError('That message no longer exists.');
  if (message.bot_id !== context.app.bot_id) throw new PersonError('That message belongs to another app.');
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
export function onMessage(context: WorkspaceContext, input: Place): { element: Element; payload: object } {
  const { user, channel } = personIn(context, input.as, input.channel);
  const { message, element, isEphemeral } = find(context, input, user);
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
    const { message, elements, element, isEphemeral } = find(context, input, user);
    const { block_id, action_id, type } = element;
    const { selected_option, selected_options } = input;
    const given: ElementState = { ...input };
    if (optionsOf(element).length > 0 && !selected_option && !selected_options)
      throw new PersonError('Choose one of the options.');
    const own = holdsState(element) ? { [block_id]: { [action_id]: given } } : {};
    const choice = chosen(element, given);
    const values = filledIn(elements, context.elementStates.of(user.id, channel.id, message.ts), own);
    context.elementStates.put(user.id, channel.id, message.ts, values);
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
