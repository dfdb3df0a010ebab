import type { Metrics } from '../../shared/metrics.ts';
import { isFirstResult } from '../../store/intents/keys.ts';
import type { OutboxRow } from '../../store/outbox.ts';

type Posted = Pick<OutboxRow, 'key' | 'kind' | 'questionId'>;

/**
 * Measures how long people waited for a message, by the times that Slack gave the messages: so neither a restart nor
 * another replica in between falsifies it. To be called when the message is first in Slack.
 *
 * @param ts of the message
 * @param threadTs of what it belongs under: for a card or results, the alert
 */
export function observeWait(
  { key, kind, questionId }: Posted,
  { ts, threadTs }: { ts: string; threadTs: string | null },
  metrics: Pick<Metrics, 'observe'>,
): void {
  const since = (earlier: string) => Math.max(0, Number(ts) - Number(earlier));
  if (kind === 'card' && threadTs !== null) metrics.observe('gumshoe_alert_to_card_seconds', since(threadTs));
  if (kind === 'result' && threadTs !== null && isFirstResult(key))
    metrics.observe('gumshoe_alert_to_verdict_seconds', since(threadTs));
  const written = kind === 'answer' ? writtenTs({ questionId }) : null;
  if (written !== null) metrics.observe('gumshoe_question_to_first_word_seconds', since(written));
}

/** The `ts` of the message in which a question was asked; `null` if it was asked otherwise. */
export function writtenTs({ questionId }: Pick<OutboxRow, 'questionId'>): string | null {
  return /:(\d+\.\d+)$/u.exec(questionId ?? '')?.[1] ?? null;
}
