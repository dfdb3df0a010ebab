import { issueNumber } from '../../../lib/issue-number.ts';
import { suggestFiling, suggestionFiled, suggestionOver } from '../../render/alerts/suggestion.ts';
import type { Rendered } from '../../render/rendered.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { ContentSource } from './source.ts';

/** *File it* under an alert, or its outcome. */
export const suggestion: ContentSource = async (row, { store }) => ({
  kind: 'messages',
  parts: [await rendered(row, store)],
  channel: row.channel,
  threadTs: row.threadTs,
});

async function rendered(row: OutboxRow, store: Store): Promise<Rendered> {
  const { alert, by, counted } = payloadOf('suggestion', row);
  if (by !== undefined && row.issueId !== null) {
    const issue = await store.issues.get(row.issueId);
    const number = issue === null ? null : issueNumber(issue);
    return suggestionFiled({ number, by, counted });
  }
  const decided = await store.alerts.find(alert.channel, alert.ts);
  const isOver = decided?.outcome === 'recovered' || decided?.kind === 'resolved';
  return isOver ? suggestionOver() : suggestFiling(alert);
}
