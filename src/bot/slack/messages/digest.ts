import { displayName } from '../../../lib/display-name.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { type Stuck, stuckIssues, typicalTime } from '../../digest/digests.ts';
import { type DigestIssueView, type DigestView, renderDigest } from '../../render/digest/digest.ts';
import type { DigestIssue } from '../../store/digests.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** A digest that is later than this says so. */
const LATE_MS = 5 * 60_000;
const OFFENDERS = 5;

/** A channel's digest, about the issues that live in it. */
export const digest: ContentSource = async (row, deps) => {
  const { channel } = row;
  const { digests, votes } = deps.store;
  const { since, until, due, by } = payloadOf('digest', row);
  const open = await digests.open(channel);
  const resolved = await digests.resolved(channel, since, until);
  const shown = (issue: DigestIssue) => issueView(issue, channel, deps);
  const stuck = ({ issue, why, from }: Stuck) => ({ ...shown(issue), why, since: from });
  const offenders = await digests.offenders(channel, since, until, OFFENDERS);
  const rendered = renderDigest({
    since,
    lateFrom: due !== null && sentAt(row, until, deps) - due > LATE_MS ? due : null,
    askedBy: by,
    open: byStatus(open),
    filed: (await digests.filed(channel, since, until)).map(shown),
    resolved: resolved.map(shown),
    medianMs: typicalTime(resolved),
    stuck: stuckIssues(open, deps.clock.now()).map(stuck),
    offenders: offenders.map((issue) => ({ ...shown(issue), times: Number(issue.times) })),
    votes: await votes.countIn(channel, since, until),
    simulated: deps.simulated,
  });
  return { kind: 'messages', parts: [rendered], channel, threadTs: row.threadTs };
};

/** When the digest was sent. If an earlier attempt may have reached Slack, that is the time of the request. */
function sentAt({ sending }: OutboxRow, askedFor: number, { clock }: ContentDeps): number {
  return sending === null ? clock.now() : askedFor;
}

function issueView(issue: DigestIssue, channel: string, { permalink }: ContentDeps): DigestIssueView {
  const { threadTs } = issue;
  return {
    number: issueNumber(issue),
    title: displayName(issue),
    url: threadTs === null ? null : permalink(channel, threadTs),
  };
}

function byStatus(issues: readonly DigestIssue[]): DigestView['open'] {
  const counts = new Map<string, number>();
  for (const { status, number } of issues) {
    const shown = number === null ? 'filing' : status;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([status, n]) => ({ status, n })).sort((a, b) => b.n - a.n);
}
