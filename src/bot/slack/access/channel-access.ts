import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../../shared/log.ts';
import { classifySlackError } from '../errors.ts';
import { eventScopes, methodScopes } from '../ids.ts';

export type ChannelAccess =
  | { ok: true; isPrivate: boolean }
  /** A direct message, or a group direct message. */
  | { ok: false; why: 'no_channel' }
  | { ok: false; why: 'not_in_channel' }
  | { ok: false; why: 'archived' }
  | { ok: false; why: 'missing_scope'; scopes: readonly string[] };

const Needed = z.object({ needed: z.string().default('') });

/** What a watched channel needs besides reading its messages. */
const POSTING = [...methodScopes['chat.postMessage'], ...methodScopes['reactions.add']];

/**
 * Asks Slack about a channel with one call, `conversations.info`, whose response also lists the granted scopes.
 * Rejects if Slack cannot be reached.
 */
export async function channelAccess(client: WebClient, id: string): Promise<ChannelAccess> {
  if (id.startsWith('D')) return { ok: false, why: 'no_channel' };
  try {
    const { channel, response_metadata: metadata } = await client.conversations.info({ channel: id });
    if (channel?.is_im === true || channel?.is_mpim === true) return { ok: false, why: 'no_channel' };
    if (channel?.is_archived === true) return { ok: false, why: 'archived' };
    if (channel?.is_member !== true) return { ok: false, why: 'not_in_channel' };
    const isPrivate = channel.is_private === true;
    const reading = eventScopes[isPrivate ? 'message.groups' : 'message.channels'];
    const granted = metadata?.scopes;
    const scopes = [...reading, ...POSTING].filter((scope) => granted?.includes(scope) === false);
    return scopes.length > 0 ? { ok: false, why: 'missing_scope', scopes } : { ok: true, isPrivate };
  } catch (error) {
    const scopes = missingScopes(error);
    if (scopes !== null) return { ok: false, why: 'missing_scope', scopes };
    const failure = classifySlackError(error);
    // To the bot, a private channel that it is not in does not exist.
    if (failure.kind === 'refused' && failure.error === 'channel_not_found') {
      return { ok: false, why: 'not_in_channel' };
    }
    throw error;
  }
}

/** The scopes that a call lacked, according to Slack; `null` if it failed for another reason. */
export function missingScopes(error: unknown): readonly string[] | null {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return null;
  const { needed } = Needed.parse(error.data);
  return needed.split(',').flatMap((scope) => scope.trim() || []);
}

/** Whether a channel is certainly private now; false if Slack does not say so. */
export async function isPrivateNow(
  channel: string,
  {
    isPrivateChannel,
    log,
  }: { isPrivateChannel: (channel: string) => Promise<boolean>; log: Pick<Logger, 'warn'> },
): Promise<boolean> {
  try {
    return await isPrivateChannel(channel);
  } catch (error) {
    log.warn({ err: error, channel }, 'could not find out from Slack whether a channel is private');
    return false;
  }
}

/**
 * Whether Slack says that a channel is private now (`conversations.info`). False for direct messages, group direct
 * messages, and channels that the bot is not in. Rejects if Slack cannot be reached.
 */
export async function isPrivateChannel(client: WebClient, id: string): Promise<boolean> {
  if (id.startsWith('D')) return false;
  try {
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_im === true || channel?.is_mpim === true) return false;
    return channel?.is_private === true && channel.is_member !== false;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && failure.error === 'channel_not_found') return false;
    throw error;
  }
}

/** Whether Slack says that a channel is public now. One that Slack does not find is private, or deleted. */
export async function isPublicNow(client: WebClient, channel: string): Promise<boolean> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    return found?.is_private === false && found.is_im !== true && found.is_mpim !== true;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && failure.error === 'channel_not_found') return false;
    throw error;
  }
}
