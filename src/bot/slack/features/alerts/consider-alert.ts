import { considerMessage } from '../../../filing/consider.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type MessageEvent, messageOf } from '../../listening/event-schema.ts';
import { offerToFile } from './offer-to-file.ts';
import { seenOf } from './seen-of.ts';

/** A message in a watched channel: parsed and decided on. */
export async function considerAlert(event: MessageEvent, raw: unknown, deps: ListenerDeps): Promise<void> {
  const read = seenOf(event, raw, deps);
  const author = messageOf(event).user;
  const reports = read.byPerson && read.alert.kind === 'firing' && author !== undefined;
  const byStranger = reports && (await deps.people.refusal(author)) !== null;
  const seen = byStranger ? { ...read, byStranger } : read;
  const { channel, ts, alert } = seen;
  const decided = await considerMessage(seen, deps);
  const { decision, reason, issueId } = decided;
  deps.metrics.count('gumshoe_alerts_total', { decision, format: alert.format });
  deps.log.info({ channel, ts, decision, reason, issue: issueId }, 'a message was decided on');
  if (decision === 'filed') deps.wakeups.filed();
  if (decision === 'repeat' || decision === 'recovered') deps.wakeups.status();
  deps.wakeups.outbox();
  if (decided.offerToAuthor === true && author !== undefined && seen.threadTs === null && !seen.edited) {
    await offerToFile(seen, author, deps);
  }
}
