import type { RespondFn } from '@slack/bolt';
import type { Deps } from '../../deps.ts';
import type { FilingRefusal } from '../../filing/on-request.ts';
import { filedEnough, notAllowed } from '../../render/notices.ts';
import { simplerForms } from '../../render/plain.ts';
import type { Rendered } from '../../render/rendered.ts';
import { needsConsent } from '../../render/settings/naming.ts';
import { classifySlackError, refusesBlocks } from '../errors.ts';
import type { MessageEvent } from './messages.ts';

/**
 * Replies to the person who acted, and only to them; in a simpler form if Slack rejects the blocks. Best effort: a
 * response URL is valid for half an hour.
 *
 * @param replaces the message whose button was pressed
 */
export async function notifyPerson(
  respond: RespondFn,
  rendered: Rendered,
  { log }: { log: Deps['log'] },
  replaces = false,
): Promise<void> {
  let refusal: unknown;
  for (const { text, blocks } of [rendered, ...simplerForms(rendered)]) {
    try {
      await respond({ text, blocks, response_type: 'ephemeral', replace_original: replaces });
      return;
    } catch (error) {
      refusal = error;
    }
  }
  log.warn({ err: refusal }, 'could not reply to a person: the response URL rejected the call');
}

/** Whether somebody may not use Gumshoe. They are told so privately, once per thread. */
export async function isRefused(
  { channel, ts, thread_ts }: Pick<MessageEvent, 'channel' | 'ts' | 'thread_ts'>,
  user: string,
  deps: Deps,
): Promise<boolean> {
  const refusal = await deps.people.refusal(user);
  if (refusal === null) return false;
  if (deps.once(`refused ${channel} ${thread_ts ?? ts} ${user}`)) {
    await postEphemeral(notAllowed(refusal), { channel, user, threadTs: thread_ts ?? null }, deps);
  }
  return true;
}

/** The reply to a person who has reached their limit; counted as a refusal. */
export function refusedAtLimit(limit: FilingRefusal, { metrics }: Deps): Rendered {
  if ('needsConsent' in limit) {
    metrics.count('gumshoe_refused_people_total', { reason: 'needs_consent' });
    return needsConsent(limit.needsConsent);
  }
  metrics.count('gumshoe_refused_people_total', { reason: 'filed_enough' });
  return filedEnough(limit);
}

/** Sends a message that only that person sees. Best effort, like all ephemeral messages in Slack. */
export async function postEphemeral(
  rendered: Rendered,
  { channel, user, threadTs }: { channel: string; user: string; threadTs: string | null },
  { client, log }: Deps,
): Promise<void> {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  for (const { text, blocks } of [rendered, ...simplerForms(rendered)]) {
    try {
      await client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
      return;
    } catch (error) {
      log.warn({ err: error }, 'could not reply to somebody privately');
      if (!refusesBlocks(classifySlackError(error))) return;
    }
  }
}
