import type { Channel, User } from '../entities.ts';
import { subscribed } from '../events/kinds.ts';
import { presentOnPage } from '../messages/present.ts';
import type { PageMessage, PageState, PageUser } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** A conversation of two bears the person's name. */
function nameOf(context: WorkspaceContext, channel: Channel): string {
  const person = channel.im_user === null ? undefined : context.store.users.get(channel.im_user);
  return person?.name ?? channel.name;
}

/** What sets a person apart from a member. */
function roleOf({ is_admin, is_restricted, is_stranger }: User): Pick<PageUser, 'role'> {
  if (is_stranger) return { role: 'external' };
  if (is_restricted) return { role: 'guest' };
  return is_admin ? { role: 'admin' } : {};
}

/** `GET /state`. */
export function pageState(context: WorkspaceContext): PageState {
  const { store, app, team, manifest } = context;
  return {
    team: { id: team.id, name: team.name },
    users: store.users.all().map((user) => ({
      id: user.id,
      name: user.name,
      real_name: user.real_name,
      is_bot: user.is_bot,
      color: `#${user.color}`,
      ...roleOf(user),
    })),
    channels: store.channels.all().map((channel) => ({
      id: channel.id,
      name: nameOf(context, channel),
      topic: channel.topic,
      is_im: channel.is_im,
      is_private: channel.is_private,
      ...(channel.is_private && !channel.is_im && { members: store.channels.members(channel.id) }),
      bot_is_member: store.channels.isMember(channel.id, app.bot_user_id),
    })),
    commands: manifest.commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      ...(usage_hint !== undefined && { usage_hint }),
    })),
    shortcuts: [...manifest.shortcuts],
    bot: { user_id: app.bot_user_id, name: app.name, online: context.online(), has_home: manifest.home },
    ...(manifest.agent && {
      agent: {
        description: manifest.agent.description,
        is_stoppable: subscribed(context, 'agent_session_stopped'),
      },
    }),
  };
}

/** `GET /messages`: oldest first. */
export function pageMessages(
  context: WorkspaceContext,
  channel: string,
  thread: string | undefined,
): PageMessage[] {
  const { messages, reactions } = context.store;
  const all = thread === undefined ? reactions.inChannel(channel) : null;
  return messages
    .shown(channel, thread)
    .map(({ message, ephemeralTo }) =>
      presentOnPage(context, channel, message, ephemeralTo, all ? (all.get(message.ts) ?? []) : undefined),
    );
}
