import { z } from 'zod';
import { openIm } from '../conversations.ts';
import type { Attachment, Block, BotProfile, Channel, Message, Metadata, User } from '../entities.ts';
import { SlackError } from '../errors.ts';
import { announceMessage } from '../events/announce.ts';
import { newId, newUuid } from '../ids.ts';
import type { PostInput } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { cutText, fallbackText, normaliseAttachments, normaliseBlocks, richTextOf } from './normalise.ts';
import { presentOnPage } from './present.ts';

/** A message to be; `blocks` and `attachments` have passed `validate/`. */
export interface Draft {
  channel: Channel;
  author: Author;
  text: string;
  blocks?: readonly Block[] | undefined;
  attachments?: readonly Attachment[] | undefined;
  thread_ts?: string | undefined;
  broadcast?: boolean | undefined;
  metadata?: Metadata | undefined;
  /** The files that it shows. */
  file_ids?: readonly string[] | undefined;
  /** The only person who sees it. */
  ephemeralTo?: string | undefined;
  /** Of a stream, which may begin with nothing: called before anybody sees it. */
  streaming?: ((ts: string) => void) | undefined;
}

/**
 * Where a reply goes: the thread of the message it names. A reply to a deleted message lands at the
 * top level, as in Slack.
 *
 * @throws SlackError `thread_not_found` if there never was such a message.
 */
function threadOf(context: WorkspaceContext, channel: string, ts: string | undefined): Message | undefined {
  if (ts === undefined) return undefined;
  const { messages } = context.store;
  const parent = messages.get(channel, ts);
  if (parent) return parent.thread_ts === undefined ? parent : messages.get(channel, parent.thread_ts);
  if (messages.wasDeleted(channel, ts)) return undefined;
  throw new SlackError('thread_not_found');
}

/**
 * Stores a message, shows it on the page and tells the app.
 *
 * @throws SlackError `no_text`, `thread_not_found`.
 */
export function postMessage(context: WorkspaceContext, draft: Draft): Message {
  const { store, random, clock } = context;
  const { channel, blocks = [], attachments = [], file_ids = [] } = draft;
  if (
    !draft.streaming &&
    draft.text === '' &&
    [blocks, attachments, file_ids].every(({ length }) => length === 0)
  )
    throw new SlackError('no_text');
  const root = threadOf(context, channel.id, draft.thread_ts);
  const text = cutText(draft.text);
  const message: Message = {
    type: 'message',
    text: text === '' ? fallbackText(blocks) : text,
    ...authorFields(context, draft.author, text),
    ts: store.messages.nextTs(clock.now()),
    ...(blocks.length > 0 && { blocks: normaliseBlocks(random, blocks) }),
    ...(attachments.length > 0 && { attachments: normaliseAttachments(random, attachments) }),
    ...(file_ids.length > 0 && { file_ids: [...file_ids] }),
    ...(root && { thread_ts: root.ts, ...(root.user !== undefined && { parent_user_id: root.user }) }),
    ...(root && draft.broadcast && { subtype: 'thread_broadcast' }),
    ...(draft.metadata && { metadata: draft.metadata }),
    ...(draft.streaming && { streaming_state: 'in_progress' }),
  };
  draft.streaming?.(message.ts);
  store.messages.insert(channel.id, message, draft.ephemeralTo);
  for (const id of file_ids) store.files.share(id, { channel: channel.id, ts: message.ts });
  context.page.emit({
    type: 'message',
    channel: channel.id,
    message: presentOnPage(context, channel.id, message, draft.ephemeralTo),
  });
  if (draft.ephemeralTo !== undefined) return message;
  if (root) showAgain(context, channel.id, root);
  announceMessage(context, channel, message);
  if (draft.author.kind === 'person') context.slackbot.hear(channel, message);
  return message;
}

/** Tells the page that a message looks different now: edited, reacted to, replied to. */
export function showAgain(context: WorkspaceContext, channel: string, message: Message): void {
  context.page.emit({ type: 'message_changed', channel, message: presentOnPage(context, channel, message) });
}

/**
 * Adds a member; a `channel_join` message in the channel says so.
 *
 * @returns whether they were not a member before.
 */
export function joinChannel(
  context: WorkspaceContext,
  channel: Channel,
  user: string,
  inviter?: string,
): boolean {
  if (!context.store.channels.join(channel.id, user)) return false;
  const message: Message = {
    type: 'message',
    subtype: 'channel_join',
    user,
    text: `<@${user}> has joined the channel`,
    ...(inviter !== undefined && { inviter }),
    ts: context.store.messages.nextTs(context.clock.now()),
  };
  context.store.messages.insert(channel.id, message);
  const shown = presentOnPage(context, channel.id, message);
  context.page.emit({ type: 'message', channel: channel.id, message: shown });
  announceMessage(context, channel, message);
  return true;
}

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
function authorFields(context: WorkspaceContext, author: Author, text: string): Partial<Message> {
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

/** What others send has passed Slack already: only its outer shape matters. */
export const Blocks = z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() }));
export const Attachments = z.array(z.record(z.string(), z.unknown()));

/** A channel by its id or name, or a person's conversation with the app by the person's id. */
export function channelOf(context: WorkspaceContext, ref: string): Channel {
  const { channels, users } = context.store;
  const person = users.get(ref);
  if (person && !person.is_bot) return openIm(context, person.id);
  const channel = channels.get(ref) ?? channels.named(ref.replace(/^#/, ''));
  if (!channel) throw new SlackError('channel_not_found');
  return channel;
}

function authorOf(context: WorkspaceContext, { app, user, username, icon }: PostInput): Author {
  if (app) return { kind: 'other_app', ...app };
  if (user === undefined) return { kind: 'webhook', username: username ?? 'incoming-webhook', icon };
  const person = context.store.users.get(user);
  if (!person) throw new SlackError('user_not_found');
  return { kind: 'person', user: person };
}

/**
 * Posts as a person, an incoming webhook or another app. What those send has passed Slack already, so
 * it is not held to the limits.
 *
 * @throws SlackError `channel_not_found`, `is_archived`, `user_not_found`, `no_text`, `thread_not_found`.
 */
export async function postAs(context: WorkspaceContext, input: PostInput): Promise<{ ts: string }> {
  const channel = channelOf(context, input.channel);
  if (channel.is_archived) throw new SlackError('is_archived');
  const message = postMessage(context, {
    channel,
    author: authorOf(context, input),
    text: input.text ?? '',
    blocks: input.blocks && Blocks.parse(input.blocks),
    attachments: input.attachments && Attachments.parse(input.attachments),
    thread_ts: input.thread_ts,
    broadcast: input.reply_broadcast,
  });
  return { ts: message.ts };
}
