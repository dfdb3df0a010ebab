import { isPersonsMessage } from '../../../alerts/sender.ts';
import { ask } from '../../../asking/ask.ts';
import { isQuestion, questionIn } from '../../../asking/reply.ts';
import { notAllowed } from '../../../render/notices.ts';
import { usageMention } from '../../../render/usage.ts';
import type { ListenerDeps } from '../deps.ts';
import { whisper } from '../whisper.ts';
import { MessageEvent } from './schema.ts';

/**
 * A mention, live or from the history, asks the agent: in its thread, or in one that it starts. It may be taken as a
 * `message` too: one question.
 *
 * @param raw the event as Slack sends it
 */
export async function takeMention(raw: unknown, deps: ListenerDeps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success || !isPersonsMessage(parsed.data)) return;
  const { channel, ts, thread_ts, user, text = '' } = parsed.data;
  if (user === undefined) return;
  const refusal = await deps.people.refusal(user);
  const where = { channel, user, threadTs: thread_ts ?? null };
  if (refusal) return whisper(notAllowed(refusal), where, deps);
  const question = questionIn(text, deps.identity.botUserId);
  if (!isQuestion(question)) return whisper(usageMention(), where, deps);
  const threadTs = thread_ts ?? ts;
  await ask(
    { id: `${channel}:${ts}`, channel, threadTs, asker: user, text: question },
    { ...deps, ...deps.asking },
  );
  deps.rings.asked();
  deps.rings.outbox();
}
