import type { RespondFn } from '@slack/bolt';
import type { Deps } from '../../deps.ts';
import type { FilingRefusal } from '../../filing/on-request.ts';
import { filedEnough, notAllowed } from '../../render/notices.ts';
import { asPlainText } from '../../render/plain.ts';
import type { Rendered } from '../../render/rendered.ts';
import { needsConsent } from '../../render/settings/naming.ts';
import type { MessageEvent } from './messages.ts';

/**
 * Replies to the person who acted, and only to them; as text if Slack rejects the blocks. Best effort: a
 * response URL is valid for half an hour.
 */
export async function notifyPerson(
  respond: RespondFn,
  rendered: Rendered,
  { log }: { log: Deps['log'] },
): Promise<void> {
  const say = (what: { text: string; blocks?: Rendered['blocks'] }) =>
    respond({ ...what, response_type: 'ephemeral', replace_original: false });
  try {
    await say({ text: rendered.text, blocks: rendered.blocks }).catch(() => say(asPlainText(rendered)));
  } catch (error) {
    log.warn({ err: error }, 'could not reply to a person: the response URL rejected the call');
  }
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
  { text, blocks }: Rendered,
  { channel, user, threadTs }: { channel: string; user: string; threadTs: string | null },
  { client, log }: Deps,
): Promise<void> {
  try {
    const thread = threadTs === null ? {} : { thread_ts: threadTs };
    await client.chat.postEphemeral({ channel, user, text, blocks, ...thread });
  } catch (error) {
    log.warn({ err: error }, 'could not reply to somebody privately');
  }
}
