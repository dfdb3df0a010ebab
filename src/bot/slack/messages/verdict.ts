import { InvestigationResults } from '../../../contract/answers.ts';
import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { messageOfCard } from '../../filing/file.ts';
import { renderVerdict } from '../../render/results/verdict.ts';
import { endedKey, type OutboxKey } from '../../store/intents/keys.ts';
import { endingOf, payloadOf } from '../../store/intents/payloads.ts';
import type { Store } from '../../store/open.ts';
import { homeFor } from './short-card.ts';
import type { ContentSource } from './source.ts';
import { isAwaited } from './thread.ts';

/** In a second channel's thread: the investigation's verdict. */
export const verdict: ContentSource = async (row, deps) => {
  const { store, simulated } = deps;
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  const { version, card } = payloadOf('verdict', row);
  const number = issue === null ? null : issueNumber(issue);
  if (!issue || number === null || !(await standsFor(issue.id, card, store))) return { kind: 'nothing' };
  if (isAwaited(await store.outbox.get(card))) return { kind: 'later' };
  const body = await store.results.get(issue.id, version);
  const home = await homeFor(issue, row.channel, deps);
  const rendered = renderVerdict({
    number,
    version,
    results: body === null ? null : InvestigationResults.parse(JSON.parse(body)),
    failed: body === null && (await failed(issue.id, version, store)),
    home,
    unsaid: home === null ? [issue.title, displayName(issue)] : [],
    simulated,
  });
  const { settings } = await store.channels.get(row.channel);
  return {
    kind: 'messages',
    parts: [rendered],
    channel: row.channel,
    threadTs: row.threadTs,
    broadcast: settings.broadcast,
  };
};

/** Whether the message of the short card still counts for the issue. */
async function standsFor(issueId: string, card: OutboxKey, store: Store): Promise<boolean> {
  const row = await store.outbox.get(card);
  if (row === null) return false;
  const place = messageOfCard(row);
  if (place === null) return false;
  return (await store.alerts.find(place.channel, place.ts))?.issueId === issueId;
}

async function failed(issueId: string, version: number, store: Store): Promise<boolean> {
  const told = await store.outbox.get(endedKey(issueId, version));
  return told !== null && endingOf(told) === 'failed';
}
