import type { Aggregates } from '../store/open.ts';

const HOUR_MS = 60 * 60_000;

/** How many issues one person may file within an hour, in whatever way they file them. */
export interface PersonLimit {
  filePerUserHour: number;
}

/** A person has filed as many issues as they may. */
export interface LimitReached {
  perHour: number;
  /** Milliseconds until they may file the next one. */
  waitMs: number;
}

/**
 * Whether a person has reached their limit; `null` where they may file one more issue. Alerts have an allowance of
 * their own (`MAX_ISSUES_PER_DAY`), and neither uses up the other.
 */
export async function limitReached(
  tx: Pick<Aggregates, 'issues'>,
  by: string,
  { filePerUserHour }: PersonLimit,
  now: number,
): Promise<LimitReached | null> {
  const since = now - HOUR_MS;
  const oldest = await tx.issues.nthFiledBy(by, since, filePerUserHour);
  return oldest === null ? null : { perHour: filePerUserHour, waitMs: oldest - since };
}
