import type { BotProfile, Message, User } from '../entities.ts';
import { newId, newUuid } from '../ids.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { richTextOf } from './rich-text.ts';

/** Who writes a message. */
export type Author =
  | { kind: 'app'; username?: string | undefined; icon?: string | undefined }
  | { kind: 'person'; user: User }
  /** An incoming webhook: a name and an icon, no user. */
  | { kind: 'webhook'; username: string; icon?: string | undefined }
  | { kind: 'other_app'; app_id: string; name: string };

function profile(context: WorkspaceContext, id: string, app_id: string, name: string): BotProfile {
  return {
    id,
    app_id,
    name,
    deleted: false,
    updated: Math.floor(context.clock.now() / 1000),
    team_id: context.team.id,
    icons: { image_48: `${context.pageUrl}icon.svg` },
  };
}

/** An id that is always the same for the same name. */
function idFor(prefix: string, name: string): string {
  return prefix + Buffer.from(name).toString('hex').toUpperCase().slice(0, 9).padEnd(9, '0');
}

const icons = (icon: string | undefined) =>
  icon === undefined ? {} : { icons: { emoji: `:${icon.replaceAll(':', '')}:` } };

/** What the author adds to a message, as Slack shapes each kind. */
export function authorFields(context: WorkspaceContext, author: Author, text: string): Partial<Message> {
  const { app, team, random } = context;
  switch (author.kind) {
    case 'person':
      return {
        user: author.user.id,
        team: author.user.team_id,
        client_msg_id: newUuid(random),
        ...(text !== '' && { blocks: [richTextOf(text, newId(random, '', 5))] }),
      };
    case 'webhook':
      return {
        subtype: 'bot_message',
        bot_id: idFor('B', author.username),
        username: author.username,
        ...icons(author.icon),
      };
    case 'other_app': {
      const bot_id = idFor('B', author.name);
      return {
        user: idFor('U', author.name),
        bot_id,
        app_id: author.app_id,
        bot_profile: profile(context, bot_id, author.app_id, author.name),
        team: team.id,
      };
    }
    case 'app': {
      const bot_profile = profile(context, app.bot_id, app.id, app.name);
      const shared = { bot_id: app.bot_id, app_id: app.id, bot_profile, team: team.id };
      if (author.username === undefined) return { user: app.bot_user_id, ...shared, ...icons(author.icon) };
      return { subtype: 'bot_message', username: author.username, ...shared, ...icons(author.icon) };
    }
  }
}
