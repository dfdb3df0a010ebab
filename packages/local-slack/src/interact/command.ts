import { type FailureReason, VERIFICATION_TOKEN } from '../deliver.ts';
import type { Channel, Message, User } from '../entities.ts';
import { PersonError, SlackError } from '../errors.ts';
import { channelType } from '../events/announce.ts';
import { uploadAs } from '../files/upload.ts';
import { setReaction } from '../messages/change.ts';
import { postMessage } from '../messages/post.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome } from '../page-api.ts';
import type {
  CommandRequest,
  MessageRequest,
  ReactionRequest,
  ShortcutRequest,
  StopRequest,
  UploadRequest,
} from '../page-requests.ts';
import { stopForPerson } from '../streams.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import {
  actionTs,
  channelOf,
  describe,
  outcomeOf,
  personIn,
  personOf,
  sendInteraction,
  whoAndWhere,
} from './payload.ts';
import { applyReply, makeResponseUrl } from './reply.ts';

/** How a command's payload names a conversation. */
function channelName(channel: Channel): string {
  const names = { channel: channel.name, group: 'privategroup', im: 'directmessage' } as const;
  return names[channelType(channel)];
}

function failure(command: string, reason: FailureReason): PersonError {
  if (reason === 'timeout') {
    return new PersonError(`${command} failed because the app did not respond (operation_timeout).`);
  }
  return new PersonError(`${command} failed: the app could not be reached or refused it (dispatch_failed).`);
}

/** `#alerts` and `@alice`, where there is such a channel or person, as `should_escape` has them. */
function withMentions({ store }: WorkspaceContext, text: string): string {
  const mention = (typed: string, sign: string, name: string) => {
    const found =
      sign === '#' ? store.channels.named(name) : store.users.all().find((user) => user.name === name);
    return found === undefined ? typed : `<${sign}${found.id}|${found.name}>`;
  };
  return text.replaceAll(/(?<![\w&])([#@])([\p{L}\p{N}._-]+)/gu, mention);
}

/** Sends a slash command to the app, and shows what it answers with its acknowledgement. */
export function runCommand(context: WorkspaceContext, input: CommandRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(context, input.as, input.channel);
    const { command } = input;
    const known = context.manifest.commands.find((one) => one.command === command);
    if (known === undefined) {
      throw new PersonError(`${command} is not a valid command: no app in this workspace has it.`);
    }
    const text = input.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const ack = await context.send('slash_commands', {
      token: VERIFICATION_TOKEN,
      team_id: context.team.id,
      team_domain: context.team.domain,
      channel_id: channel.id,
      channel_name: channelName(channel),
      user_id: user.id,
      user_name: user.name,
      command,
      text: known.should_escape === true ? withMentions(context, text) : text,
      api_app_id: context.app.id,
      is_enterprise_install: 'false',
      response_url: makeResponseUrl(context, channel.id, user.id, null),
      trigger_id: context.triggers.issue(user.id),
    });
    if (!ack.ok) throw failure(command, ack.reason);
    if (ack.body === undefined || Object.keys(ack.body).length === 0) return;
    try {
      applyReply(context, { channel, user: user.id, message_ts: null }, ack.body);
    } catch (cause) {
      if (!(cause instanceof SlackError)) throw cause;
      throw new PersonError(`${command} failed: Slack refused the app's answer, ${describe(cause)}.`);
    }
  });
}

function messageFor(context: WorkspaceContext, channel: Channel, ts: string): Message {
  const message = context.store.messages.get(channel.id, ts);
  if (message) return message;
  const ephemeral = context.store.messages.ephemeral(channel.id, ts);
  throw new PersonError(
    ephemeral ? 'A message that only you can see has no shortcuts.' : 'That message no longer exists.',
  );
}

function shared(context: WorkspaceContext, user: User, callback_id: string): object {
  return {
    ...whoAndWhere(context, user),
    callback_id,
    trigger_id: context.triggers.issue(user.id),
    action_ts: actionTs(context),
  };
}

function ofMessage(context: WorkspaceContext, input: ShortcutRequest): object {
  const { as, callback_id, channel: channelId = '', message_ts = '' } = input;
  const { user, channel } = personIn(context, as, channelId);
  const message = messageFor(context, channel, message_ts);
  return {
    type: 'message_action',
    ...shared(context, user, callback_id),
    channel: channelOf(channel),
    message_ts: message.ts,
    message: present(context, channel.id, message),
    response_url: makeResponseUrl(context, channel.id, user.id, null),
  };
}

/**
 * Sends a `message_action` or a `shortcut` payload to the app. The app need not be in the channel: Slack
 * hands it the message all the same.
 */
export function runShortcut(context: WorkspaceContext, input: ShortcutRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const type = input.message_ts === undefined ? 'global' : 'message';
    const known = context.manifest.shortcuts.some(
      (shortcut) => shortcut.callback_id === input.callback_id && shortcut.type === type,
    );
    if (!known)
      throw new PersonError(`No app in this workspace has the ${type} shortcut ${input.callback_id}.`);
    const payload =
      type === 'message'
        ? ofMessage(context, input)
        : { type: 'shortcut', ...shared(context, personOf(context, input.as), input.callback_id) };
    await sendInteraction(context, payload);
  });
}

export function say(
  context: WorkspaceContext,
  { as, channel: id, text, thread_ts }: MessageRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    postMessage(context, { channel, author: { kind: 'person', user }, text, thread_ts });
  });
}

/** Posts for the page, with files. */
export function uploadFromPage(context: WorkspaceContext, input: UploadRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(context, input.as, input.channel);
    await uploadAs(context, {
      channel: channel.id,
      user: user.id,
      text: input.text,
      ...(input.thread_ts !== undefined && { thread_ts: input.thread_ts }),
      files: input.files.map(({ name, content }) => ({ name, content: Buffer.from(content, 'base64') })),
    });
  });
}

export function react(
  context: WorkspaceContext,
  { as, channel: id, message_ts, name, on }: ReactionRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    const message = context.store.messages.get(channel.id, message_ts);
    if (!message) throw new PersonError('That message no longer exists.');
    setReaction(context, channel, message, { user: user.id, name, on });
  });
}

/** Slack's own way to stop a stream; the app's next call fails. */
export function stopAsPerson(
  context: WorkspaceContext,
  { as, channel: id, ts }: StopRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(context, as, id);
    const recipient = context.store.streams.get(channel.id, ts)?.recipient ?? user.id;
    if (recipient !== user.id) throw new PersonError('Only the person it answers can stop it.');
    if (!stopForPerson(context, channel, ts)) throw new PersonError('That message is no longer streaming.');
  });
}
