import type { DigestIssue } from '../store/digests.ts';

const HOUR_MS = 60 * 60_000;
/** After this long, an investigation counts as stuck (DESIGN section 4, *Watching*). */
const INVESTIGATING_MS = HOUR_MS / 2;
const OPEN_MS = 72 * HOUR_MS;

/** An issue that nobody seems to be working on, and since when. */
export interface Stuck {
  issue: DigestIssue;
  why: 'investigating' | 'open';
  from: number;
}

/** The open issues that have been under investigation for too long, or ready to fix for days; in the order given. */
export function stuckIssues(open: readonly DigestIssue[], now: number): Stuck[] {
  return open.flatMap((issue): Stuck[] => {
    const { status, investigatingSince, createdAt } = issue;
    if (status === 'muted') return [];
    if (status === 'investigating') {
      return now - investigatingSince > INVESTIGATING_MS
        ? [{ issue, why: 'investigating', from: investigatingSince }]
        : [];
    }
    return now - createdAt > OPEN_MS ? [{ issue, why: 'open', from: createdAt }] : [];
  });
}

/** The median time from filing to resolving, in milliseconds; `null` if there are none. */
export function typicalTime(resolved: readonly DigestIssue[]): number | null {
  const times = resolved
    .map(({ createdAt, statusSince }) => Math.max(0, statusSince - createdAt))
    .sort((a, b) => a - b);
  const upper = times[Math.floor(times.length / 2)];
  const lower = times[Math.floor((times.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
