import { z } from 'zod';
import { joinedChannel } from '../conversations.ts';
import type { Channel, Message } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { setReaction } from '../messages/change.ts';
import { present } from '../messages/present.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Method, method, timestamp } from './method.ts';

const CHECKS = ['channel_not_found', 'not_in_channel', 'message_not_found'];
const CHANGE_CHECKS = [...CHECKS, 'is_archived', 'invalid_name'];

const args = z.looseObject({ channel: z.string(), timestamp });
const namedArgs = z.looseObject({ channel: z.string(), timestamp, name: z.string() });

function target(
  context: WorkspaceContext,
  { channel: id, timestamp: ts }: z.infer<typeof args>,
): [Channel, Message] {
  const channel = joinedChannel(context, id);
  const message = context.store.messages.get(channel.id, ts);
  if (!message) throw new SlackError('message_not_found');
  return [channel, message];
}

function changeable(context: WorkspaceContext, input: z.infer<typeof args>): [Channel, Message] {
  const [channel, message] = target(context, input);
  if (channel.is_archived) throw new SlackError('is_archived');
  return [channel, message];
}

const add = method({
  name: 'reactions.add',
  tokens: ['bot'],
  scopes: ['reactions:write'],
  tier: 3,
  checks: [...CHANGE_CHECKS, 'already_reacted'],
  unchecked: [
    'whether the emoji exists: only its form is',
    'how many a message may bear (`too_many_reactions`)',
  ],
  args: namedArgs,
  handle: (context, input) => {
    const [channel, message] = changeable(context, input);
    setReaction(context, channel, message, { user: context.app.bot_user_id, name: input.name, on: true });
    return {};
  },
});

const remove = method({
  name: 'reactions.remove',
  tokens: ['bot'],
  scopes: ['reactions:write'],
  tier: 2,
  checks: [...CHANGE_CHECKS, 'no_reaction'],
  unchecked: ['reactions on files'],
  args: namedArgs,
  handle: (context, input) => {
    const [channel, message] = changeable(context, input);
    setReaction(context, channel, message, { user: context.app.bot_user_id, name: input.name, on: false });
    return {};
  },
});

const get = method({
  name: 'reactions.get',
  tokens: ['bot'],
  scopes: ['reactions:read'],
  tier: 3,
  checks: CHECKS,
  unchecked: ['reactions on files', '`full`'],
  args,
  handle: (context, input) => {
    const [channel, message] = target(context, input);
    return { type: 'message', channel: channel.id, message: present(context, channel.id, message) };
  },
});

export const reactionsMethods: readonly Method[] = [add, remove, get];
