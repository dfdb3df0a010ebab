import type { Organization } from '../../contract/client/client.ts';
import { queuedLine, queuedLineIntent } from '../store/intents/channel-intents.ts';
import { type OutboxKey, queuedLineKey } from '../store/intents/keys.ts';
import { QUEUED_CAUSES, type QueuedLine, queuedLineOf } from '../store/intents/payloads.ts';
import type { Aggregates } from '../store/open.ts';
import type { StoredProblem } from '../store/problems.ts';
import { refreshIssue } from './throttle.ts';

/** A restarting service is back within this time, and nobody needs to know. */
const NOTICE_DELAY_MS = 60_000;
const AT_ONCE = 500;
/** What a card says while its alert is queued; the reason is posted once, in the channel. */
export const QUEUED = 'Waiting for the investigation service; will be filed automatically.';
/** Prefix of the private organization's problems in the store: `private_service:key`. */
const PRIVATE = 'private_';

/**
 * Tells each channel in one message that its alerts are queued for the service, and keeps that message current. Alerts
 * that arrive while it is open join it.
 */
export async function notifyQueued(tx: Aggregates, now: number): Promise<void> {
  await notifyOf('default', tx, now);
  await notifyOf('private', tx, now);
}

/** Each organization has its own key, which can be rejected on its own. */
async function notifyOf(organization: Organization, tx: Aggregates, now: number): Promise<void> {
  const lines = await tx.queued.lines(organization);
  const problem = causeOf(organization, await tx.problems.open());
  if (problem !== null) {
    for (const line of await joinLines(organization, tx, lines, now)) await wantLine(tx, line, problem, now);
  }
  for (const { key } of lines) {
    if (problem !== null) await stuckAgain(tx, key, problem);
    // Its counts may have changed; a message with the same content is not edited.
    await tx.outbox.again(key);
  }
}

/** The service answered for an issue: the message it was queued under says so, and how many are left. */
export async function leaveLine(tx: Aggregates, line: OutboxKey | null, now: number): Promise<void> {
  if (line === null) return;
  const stored = await storedLine(tx, line);
  if (stored === null) return;
  if (stored.back === null) return tx.outbox.replacePayload(queuedLine(line, { ...stored, back: now }));
  if ((await tx.queued.counts(line)).queued === 0) await tx.outbox.again(line);
}

function causeOf(organization: Organization, open: readonly StoredProblem[]): Cause | null {
  const prefix = organization === 'private' ? PRIVATE : '';
  for (const name of QUEUED_CAUSES) {
    const problem = open.find((one) => one.name === prefix + name);
    if (problem) return { name, since: problem.since };
  }
  return null;
}

interface Cause {
  name: QueuedLine['cause'];
  since: number;
}

interface Line {
  /** Named after the first alert in it, so that it is found again if our record of it is lost. */
  key: OutboxKey;
  channel: string;
  /** When that alert was posted, in milliseconds. */
  since: number;
}

/** @returns the messages that something joined */
async function joinLines(
  organization: Organization,
  tx: Aggregates,
  lines: readonly { key: OutboxKey; channel: string }[],
  now: number,
): Promise<Iterable<Line>> {
  const open = new Map(lines.map((line) => [line.channel, { ...line, since: now }]));
  const joined = new Map<string, Line>();
  for (const { id, channel, createdAt, threadTs } of await tx.queued.pending(AT_ONCE, organization)) {
    if (channel.startsWith('D')) continue;
    if (!open.has(channel) && createdAt > now - NOTICE_DELAY_MS) continue;
    const since = threadTs === null ? createdAt : Number(threadTs) * 1_000;
    const line = open.get(channel) ?? { key: queuedLineKey(id), channel, since };
    open.set(channel, line);
    joined.set(channel, line);
    await tx.queued.join(id, line.key, QUEUED);
    await refreshIssue(tx, id);
  }
  return joined.values();
}

async function wantLine(tx: Aggregates, line: Line, { name, since }: Cause, at: number): Promise<void> {
  await tx.outbox.want(queuedLineIntent(line, { cause: name, since, back: null }, at));
}

/** The service was back, and is failing again: the remaining alerts are queued again. */
async function stuckAgain(tx: Aggregates, key: OutboxKey, { name, since }: Cause): Promise<void> {
  const stored = await storedLine(tx, key);
  if (stored === null || stored.back === null || since <= stored.back) return;
  await tx.outbox.replacePayload(queuedLine(key, { cause: name, since, back: null }));
}

/** `null` too if the stored line is damaged: what is queued under it is filed all the same. */
async function storedLine(tx: Aggregates, key: OutboxKey): Promise<QueuedLine | null> {
  const row = await tx.outbox.get(key);
  return row === null ? null : queuedLineOf(row);
}
