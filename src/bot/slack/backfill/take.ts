import { backoffMs } from '../../../lib/backoff.ts';
import { arriving } from '../../../lib/tracing/spans.ts';
import { takeMessage } from '../features/alerts/messages.ts';
import { takeMention } from '../features/asking/events.ts';
import type { BackfillDeps } from './deps.ts';

const RETRY = { firstMs: 500, maxMs: 5_000 };
const TRIES = 3;

/** Whether it mentions the bot: in a channel, Slack sends such a message as a mention too. */
export function mentionsUs({ text }: { text?: string | undefined }, { listeners }: BackfillDeps): boolean {
  return text?.includes(`<@${listeners.identity.botUserId}`) === true;
}

/** Takes an event as if it had just arrived; false if that failed three times. */
export async function take(
  event: { ts: string; text?: string | undefined; channel_type?: unknown },
  deps: BackfillDeps,
): Promise<boolean> {
  const { clock, log, metrics } = deps.listeners;
  for (let tries = 1; ; tries += 1) {
    deps.signal.throwIfAborted();
    try {
      await arriving('message read after a gap', clock.now(), async () => {
        await takeMessage(event, deps.listeners);
        if (event.channel_type !== 'im' && mentionsUs(event, deps)) await takeMention(event, deps.listeners);
      });
      metrics.count('gumshoe_backfilled_messages_total', { outcome: 'taken' });
      await deps.checkpoint('backfill: taken');
      return true;
    } catch (error) {
      if (tries === TRIES) {
        log.error({ err: error, ts: event.ts }, 'could not process a missed message');
        metrics.count('gumshoe_backfilled_messages_total', { outcome: 'failed' });
        return false;
      }
      await clock.sleep(backoffMs(tries, RETRY, deps.random), deps.signal);
    }
  }
}
