import { parseAlert } from '../../../alerts/parse.ts';
import { considerMessage } from '../../../filing/consider.ts';
import type { ListenerDeps } from '../deps.ts';
import { type MessageEvent, messageOf } from './schema.ts';

/** A message in a watched channel: parsed and decided on. */
export async function considerAlert(
  event: MessageEvent,
  raw: unknown,
  what: { edited: boolean; persons: boolean },
  deps: ListenerDeps,
): Promise<void> {
  const { ts } = messageOf(event);
  const alert = parseAlert(raw);
  const { decision, reason, issueId } = await considerMessage(
    {
      channel: event.channel,
      ts,
      permalink: deps.permalink(event.channel, ts),
      alert,
      byPerson: what.persons,
      edited: what.edited,
    },
    deps,
  );
  deps.metrics.count('gumshoe_alerts_total', { decision, format: alert.format });
  deps.log.info({ channel: event.channel, ts, decision, reason, issue: issueId }, 'a message was decided on');
  if (decision === 'filed') deps.rings.filed();
  deps.rings.outbox();
}
