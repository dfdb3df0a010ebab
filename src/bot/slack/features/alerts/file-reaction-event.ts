import { z } from 'zod';
import { fileOnRequest } from '../../../filing/on-request.ts';
import { alreadyFiled } from '../../../render/alerts/already-filed.ts';
import { notAllowed } from '../../../render/notices.ts';
import { fetchMessage } from '../../fetch-message.ts';
import { requestedMessage } from '../../listening/channel-message.ts';
import type { Register } from '../../listening/deps.ts';
import { isOwn, MessageEvent } from '../../listening/event-schema.ts';
import { postEphemeral, refusedAtLimit } from '../../listening/tell.ts';
import { issueReference } from '../issues/issue-reference.ts';

/** 🔍 and 🔎. */
const FILING = new Set(['mag', 'mag_right']);

const Reaction = z.looseObject({
  user: z.string(),
  reaction: z.string(),
  item: z.looseObject({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
});

/** 🔍 on a message files it, even in unwatched channels. Slack only reports reactions in channels that the bot is in. */
export const reactionAdded: Register = (app, deps) => {
  app.event('reaction_added', async ({ event }) => {
    const parsed = Reaction.safeParse(event);
    if (!parsed.success || !FILING.has(parsed.data.reaction)) return;
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
