import { renderSign, type SignView } from '../../render/alerts/sign.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { AlertRow } from '../../store/alerts.ts';
import { heldKey } from '../../store/intents/keys.ts';
import { type IntentKind, payloadOf } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { readReason } from '../../store/reasons.ts';
import type { Content, ContentOf } from '../delivery/content.ts';
import { readSent } from '../delivery/sent.ts';
import { answer, threadNotice } from './answers.ts';
import { card, shortCard, verdict } from './cards.ts';
import { alert, announcement, digest, held, reaction, suggestion } from './in-channels.ts';
import { file, notice, result } from './results.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** In the thread of a message without a card of its own: what became of it. */
const sign: ContentSource = async (row, deps) => {
  const { alert } = payloadOf('sign', row);
  const decided = await deps.store.alerts.find(alert.channel, alert.ts);
  const became = decided === null ? null : becameOf(decided);
  if (decided === null || became === null) return { kind: 'nothing' };
  const rendered = renderSign({
    became,
    reason: readReason(decided.reason),
    issue: await issueFor(decided, deps),
    heldUrl: became === 'held' ? await heldUrl(decided, deps) : null,
  });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

function becameOf({ decision, outcome }: AlertRow): SignView['became'] | null {
  if (outcome === 'dismissed' || outcome === 'recovered') return outcome;
  if (decision === 'held') return 'held';
  if (decision === 'filed') return 'filed';
  return decision === 'repeat' ? 'counted' : null;
}

/** Where its issue lives, as far as its channel may know. */
async function issueFor(
  { issueId, channel }: AlertRow,
  { store, mayRead, permalink }: ContentDeps,
): Promise<SignView['issue']> {
  const issue = issueId === null ? null : await store.issues.get(issueId);
  if (issue === null || !(await mayRead({ channel }, issue))) return null;
  const url = issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs);
  return { number: issueNumber(issue), url };
}

async function heldUrl(
  { holdId, channel }: AlertRow,
  { store, permalink }: ContentDeps,
): Promise<string | null> {
  const held = holdId === null ? null : await store.outbox.get(heldKey(holdId));
  const ts = held === null ? undefined : readSent(held.sent)?.[0]?.ts;
  return ts === undefined ? null : permalink(channel, ts);
}

const sources: Partial<Record<IntentKind, ContentSource>> = {
  alert,
  announcement,
  answer,
  aside: threadNotice,
  card,
  digest,
  file,
  held,
  notice,
  reaction,
  result,
  short_card: shortCard,
  sign,
  suggestion,
  verdict,
};

/** Renders each kind of intent at the moment it is sent. */
export function createMessages(deps: ContentDeps): ContentOf {
  return async (row: OutboxRow): Promise<Content> => {
    const source = sources[row.kind];
    return source ? source(row, deps) : { kind: 'nothing' };
  };
}
