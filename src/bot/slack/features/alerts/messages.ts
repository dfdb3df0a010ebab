import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import { isPersonsMessage } from '../../../alerts/message.ts';
import type { Deps } from '../../../deps.ts';
import { considerMessage } from '../../../filing/carry-out.ts';
import { type Occurrence, seenOfRow } from '../../../filing/occurrence.ts';
import { fileOnRequest } from '../../../filing/on-request.ts';
import { alreadyFiled } from '../../../render/alerts/already-filed.ts';
import { offerFiling } from '../../../render/alerts/suggestion.ts';
import { messageUnknownHere, notAllowed } from '../../../render/notices.ts';
import type { Channel } from '../../../store/channels.ts';
import type { Identity } from '../../app.ts';
import { fetchMessage } from '../../fetch-message.ts';
import { filingReactions } from '../../ids.ts';
import type { Register } from '../../listening/feature.ts';
import {
  channelMessage,
  isOwn,
  isReply,
  isThreadReply,
  MessageEvent,
  messageOf,
  requestedMessage,
} from '../../listening/messages.ts';
import { postEphemeral, refusedAtLimit } from '../../listening/notify.ts';
import { onButton } from '../../listening/press.ts';
import { continueConversation } from '../asking/events.ts';
import { issueReference } from '../issues/find.ts';

const MessageDelivery = z.object({
  type: z.literal('event_callback'),
  event: MessageEvent.extend({ type: z.literal('message') }),
});

export const message: Register = (app, deps) => {
  app.event('message', async ({ event }) => takeMessage(event, deps));
};

/**
 * Handles a message, live or from the history: files an alert, or continues the conversation of a reply. Handling the
 * same message twice changes nothing.
 *
 * @param raw the `message` event as Slack sends it
 */
export async function takeMessage(raw: unknown, deps: Deps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success) {
    deps.log.warn({ issues: parsed.error.issues.length }, 'skipped a message event that cannot be read');
    return;
  }
  const event = parsed.data;
  const { channel } = event;
  const follows = whatFollows(event, await deps.store.channels.get(channel), deps.identity);
  if (follows.learns !== null) await deps.store.channels.learn(channel, follows.learns.isPrivate);
  if (follows.mayContinue) await continueConversation(event, deps);
  if (follows.mayBeAlert) await considerAlert(event, raw, deps);
}

/**
 * Whether anything can follow from a delivery. What people say to each other in channels that are not watched is never
 * stored: nothing would be done with it.
 */
export async function canMatter(body: Record<string, unknown>, { store, identity }: Deps): Promise<boolean> {
  const delivered = MessageDelivery.safeParse(body);
  if (!delivered.success) return true;
  const { event } = delivered.data;
  const channel = await store.channels.get(event.channel);
  if (channel.watched) return true;
  const { learns, mayContinue } = whatFollows(event, channel, identity);
  return learns !== null || mayContinue;
}

/** What a message may lead to in its channel. */
function whatFollows(
  event: MessageEvent,
  { watched, isPrivate }: Pick<Channel, 'watched' | 'isPrivate'>,
  identity: Identity,
): { learns: Pick<Channel, 'isPrivate'> | null; mayContinue: boolean; mayBeAlert: boolean } {
  const { channel_type, subtype } = event;
  // Our own messages tell this too: an issue may live in a channel that is not watched.
  const isNews = channel_type !== undefined && isPrivate !== (channel_type !== 'channel');
  const learns = isNews ? { isPrivate: !isPrivate } : null;
  const subject = messageOf(event);
  if (subtype === 'message_deleted' || isOwn(subject, identity)) {
    return { learns, mayContinue: false, mayBeAlert: false };
  }
  // Checked last: it is the most expensive check, and most messages are posted where nothing is watched.
  const isPersons = () => isPersonsMessage(subject);
  return {
    learns,
    mayContinue: subtype !== 'message_changed' && (channel_type === 'im' || isReply(subject)) && isPersons(),
    mayBeAlert: watched && !(isThreadReply(subject) && isPersons()),
  };
}

async function considerAlert(event: MessageEvent, raw: unknown, deps: Deps): Promise<void> {
  const read = channelMessage(event, raw, deps);
  const author = messageOf(event).user;
  const reports = read.byPerson && read.alert.kind === 'firing' && author !== undefined;
  const byExternalUser = reports && (await deps.people.refusal(author)) !== null;
  const seen = byExternalUser ? { ...read, byExternalUser } : read;
  const { channel, ts, alert } = seen;
  const decided = await considerMessage(seen, deps);
  const { decision, reason, issueId } = decided;
  deps.metrics.count('gumshoe_alerts_total', { decision, format: alert.format });
  deps.log.info({ channel, ts, decision, reason, issue: issueId }, 'decided on a message');
  if (decided.offerToAuthor === true && author !== undefined && seen.threadTs === null && !seen.edited) {
    await offerToFile(seen, author, deps);
  }
}

/** Offers *File it* under a person's report, visible to its author only. Best effort, like any ephemeral message. */
async function offerToFile(
  { channel, ts }: Pick<Occurrence, 'channel' | 'ts'>,
  author: string,
  { client, people, log }: Deps,
): Promise<void> {
  try {
    if ((await people.refusal(author)) !== null) return;
    const { text, blocks } = offerFiling({ channel, ts });
    await client.chat.postEphemeral({ channel, user: author, text, blocks });
  } catch (error) {
    log.warn({ err: error, channel, ts }, 'could not offer somebody to file their message');
  }
}

const Reaction = z.looseObject({
  user: z.string(),
  reaction: z.string(),
  item: z.looseObject({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
});

/** 🔍 on a message files it, even in unwatched channels. Slack only reports reactions in channels that the bot is in. */
export const reactionAdded: Register = (app, deps) => {
  app.event('reaction_added', async ({ event }) => {
    const parsed = Reaction.safeParse(event);
    if (!parsed.success || !filingReactions.has(parsed.data.reaction)) return;
    const { user, item } = parsed.data;
    if (user === deps.identity.botUserId) return;
    const { channel, ts } = item;
    const raw = await fetchMessage(deps.client, channel, ts);
    const seen = raw === null ? null : requestedMessage(raw, channel, deps);
    const message = MessageEvent.safeParse({ ...raw, channel });
    if (seen === null || !message.success || isOwn(message.data, deps.identity)) return;
    const where = { channel, user, threadTs: seen.threadTs };
    const refusal = await deps.people.refusal(user);
    if (refusal) return postEphemeral(notAllowed(refusal), where, deps);
    const requested = await fileOnRequest(seen, user, deps);
    if (requested.became === 'refused') {
      return postEphemeral(refusedAtLimit(requested.limit, deps), where, deps);
    }
    const { issueId, became } = requested;
    const issue = became === 'filed' ? null : await deps.store.issues.get(issueId);
    if (issue) await postEphemeral(alreadyFiled(await issueReference(issue, channel, deps)), where, deps);
  });
};

/** *File it* under a person's report, or under an alert in a channel that only suggests. */
export const fileIt: Register = onButton('fileIt', async ({ value, userId, respond, body }, deps) => {
  const [channel = '', ts = ''] = value.split(':');
  // The button is in the message's own channel; a value that names another channel is forged.
  const row = body.channel?.id === channel ? await deps.store.alerts.find(channel, ts) : null;
  if (!row) return messageUnknownHere();
  const requested = await fileOnRequest(seenOfRow(row, deps.permalink(channel, ts)), userId, deps);
  if (requested.became === 'refused') return refusedAtLimit(requested.limit, deps);
  const { issueId, became } = requested;
  // A private offer is removed once it is used; a suggestion in the thread is edited in place.
  if (body.container.is_ephemeral === true) await takeAway(respond, deps);
  const issue = became === 'filed' ? null : await deps.store.issues.get(issueId);
  return issue && alreadyFiled(await issueReference(issue, channel, deps));
});

/** Best effort: a response URL expires after half an hour. */
async function takeAway(respond: RespondFn, { log }: Deps): Promise<void> {
  try {
    await respond({ delete_original: true });
  } catch (error) {
    log.warn({ err: error }, 'could not remove an offer: its response URL rejected the call');
  }
}
