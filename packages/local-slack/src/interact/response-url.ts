import { newHex } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { applyReply } from './reply.ts';

/** A fresh `response_url`: five answers within half an hour. */
export function makeResponseUrl(
  context: WorkspaceContext,
  channel: string,
  user: string,
  message_ts: string | null,
): string {
  const id = newHex(context.random, 16);
  const expires_at = Math.floor(context.clock.now()) + LIMITS.responseLife;
  context.store.responses.add({ id, channel, user, message_ts, uses: 0, expires_at });
  return `${context.origin()}/response/${id}`;
}

/**
 * An answer that an app sends to a `response_url`.
 *
 * @throws SlackError `invalid_url`, `expired_url`, `used_url`, or any refusal of the content.
 */
export function answerResponseUrl(context: WorkspaceContext, id: string, body: unknown): void {
  const target = context.store.responses.get(id);
  const channel = target && context.store.channels.get(target.channel);
  if (!target || !channel) throw new SlackError('invalid_url');
  if (context.clock.now() > target.expires_at) throw new SlackError('expired_url');
  if (target.uses >= LIMITS.responseUses) throw new SlackError('used_url');
  applyReply(context, { channel, user: target.user, message_ts: target.message_ts }, body);
  context.store.responses.use(id);
}
