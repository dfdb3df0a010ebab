import type { Store } from '../../store/open.ts';
import { slackTs } from '../timestamp.ts';

/** Anything older is only counted. */
const TOO_OLD_MS = 6 * 60 * 60_000;
/** Slack does not deliver in order: what was posted just before the newest message may be missing too. */
const OVERLAP_MS = 60_000;
/** Nobody waits longer than this for an answer, and conversations idle for longer are not read. */
export const TALK_MS = 7 * 24 * 60 * 60_000;
const MOST_ISSUES = 200;
const MOST_MESSAGES = 50;

/** Which part of a channel's history is read, as `ts`. */
export interface Range {
  /** The newest message that was taken when it arrived. */
  gapFrom: string;
  /** A little before that: anything after it may have been missed. */
  unsureFrom: string;
  /** Messages before this are only counted. */
  tooOldBefore: string;
  /** Reading starts here, which includes messages that open issues are based on and that may have been edited since. */
  readFrom: string;
}

export async function rangeOf(channel: string, gapFrom: string, store: Store, now: number): Promise<Range> {
  const tooOldBefore = slackTs(now - TOO_OLD_MS);
  const unsureFrom = slackTs(Math.floor(Number(gapFrom) * 1_000) - OVERLAP_MS);
  const firing = await oldestFiring(channel, store, now);
  const begin = firing !== null && firing < unsureFrom ? firing : unsureFrom;
  return { gapFrom, unsureFrom, tooOldBefore, readFrom: begin > tooOldBefore ? begin : tooOldBefore };
}

/** The oldest recent message in this channel that belongs to an issue that is still firing. */
async function oldestFiring(channel: string, store: Store, now: number): Promise<string | null> {
  const since = slackTs(now - TOO_OLD_MS);
  let oldest: string | null = null;
  for (const issue of await store.issues.firingSince(now - TOO_OLD_MS, MOST_ISSUES)) {
    for (const row of await store.alerts.ofIssue(issue.id, MOST_MESSAGES)) {
      const counts = row.channel === channel && row.ts >= since && row.threadTs === null;
      if (counts && (oldest === null || row.ts < oldest)) oldest = row.ts;
    }
  }
  return oldest;
}
