import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Organization } from '../../lib/issue-number.ts';
import type { Blocker } from '../store/blockers.ts';
import type { Aggregates } from '../store/open.ts';

/** A service that is restarted comes back within that, and nobody needs to hear of it. */
const NOTICE_DELAY_MS = 60_000;
const AT_ONCE = 500;
/** What a card says while its alert waits: the why is told once, in the channel. */
export const WAITS = 'Waiting for the investigation service; will be filed automatically.';
/** How the private organisation's troubles are called in the store: `private_service:key`. */
const PRIVATE = 'private_';
/** What keeps alerts from being filed, the plainest cause first. */
const CAUSES = ['service:key', 'service:right:issues.create', 'service:down'] as const;

/** What the line of a channel says besides its counts; moments in milliseconds. */
export const WaitingLine = z.object({
  what: z.literal('waiting'),
  cause: z.enum(CAUSES),
  since: z.number(),
  /** When the service took one of them again; `null` while it does not. */
  back: z.number().nullable(),
});
type WaitingLine = z.infer<typeof WaitingLine>;

/**
 * Tells each channel in one line that its alerts wait for the service, and keeps that line current. Alerts that come
 * while a line is open join it.
 */
export async function tellWaiting(tx: Aggregates, now: number): Promise<void> {
  await tellOf('default', tx, now);
  await tellOf('private', tx, now);
}

/** Each organisation has a key of its own, which is refused by itself. */
async function tellOf(organization: Organization, tx: Aggregates, now: number): Promise<void> {
  const lines = await tx.waiting.lines(organization);
  const trouble = causeOf(organization, await tx.blockers.open());
  if (trouble !== null) {
    for (const line of await joinLines(organization, tx, lines, now)) await wantLine(tx, line, trouble, now);
  }
  for (const { key } of lines) {
    if (trouble !== null) await standsStillAgain(tx, key, trouble);
    // Its counts may have changed; a message that says the same is not edited.
    await tx.outbox.again(key);
  }
}

/** The service answered for an issue: the line that it waits in says so, and how many are left. */
export async function leaveLine(tx: Aggregates, line: string | null, now: number): Promise<void> {
  if (line === null) return;
  const said = await lineOf(tx, line);
  if (said === null) return;
  if (said.back === null) return tx.outbox.retell(line, JSON.stringify({ ...said, back: now }));
  if ((await tx.waiting.counts(line)).waiting === 0) await tx.outbox.again(line);
}

function causeOf(organization: Organization, open: readonly Blocker[]): Cause | null {
  const prefix = organization === 'private' ? PRIVATE : '';
  for (const name of CAUSES) {
    const trouble = open.find((one) => one.name === prefix + name);
    if (trouble) return { name, since: trouble.since };
  }
  return null;
}

interface Cause {
  name: (typeof CAUSES)[number];
  since: number;
}

interface Line {
  /** Named by the first that waits in it, so that it is found again should our record of it be lost. */
  key: string;
  channel: string;
  /** When the alert of that one was posted, in milliseconds. */
  since: number;
}

/** @returns the lines that something joined */
async function joinLines(
  organization: Organization,
  tx: Aggregates,
  lines: readonly { key: string; channel: string }[],
  now: number,
): Promise<Iterable<Line>> {
  const open = new Map(lines.map((line) => [line.channel, { ...line, since: now }]));
  const joined = new Map<string, Line>();
  for (const { id, channel, createdAt, threadTs } of await tx.waiting.untold(AT_ONCE, organization)) {
    if (channel.startsWith('D')) continue;
    if (!open.has(channel) && createdAt > now - NOTICE_DELAY_MS) continue;
    const since = threadTs === null ? createdAt : Number(threadTs) * 1_000;
    const line = open.get(channel) ?? { key: `waiting:${id}`, channel, since };
    open.set(channel, line);
    joined.set(channel, line);
    await tx.waiting.join(id, line.key, WAITS);
    await tx.outbox.refreshCards(id);
  }
  return joined.values();
}

async function wantLine(
  tx: Aggregates,
  { key, channel, since: from }: Line,
  { name, since }: Cause,
  at: number,
): Promise<void> {
  const payload = JSON.stringify({ what: 'waiting', cause: name, since, back: null } satisfies WaitingLine);
  await tx.outbox.want({ key, kind: 'announcement', channel, threadTs: null, payload, at, since: from });
}

/** It was back, and has failed since: what is left waits again. */
async function standsStillAgain(tx: Aggregates, key: string, { name, since }: Cause): Promise<void> {
  const said = await lineOf(tx, key);
  if (said === null || said.back === null || since <= said.back) return;
  await tx.outbox.retell(key, JSON.stringify({ ...said, cause: name, since, back: null }));
}

/** `null` too for a line that cannot be read: what waits in it is filed all the same. */
async function lineOf(tx: Aggregates, key: string): Promise<WaitingLine | null> {
  const row = await tx.outbox.get(key);
  return row === null ? null : decodeStored(WaitingLine, row.payload);
}
