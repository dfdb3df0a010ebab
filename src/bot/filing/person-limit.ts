import type { Aggregates } from '../store/open.ts';

const HOUR_MS = 60 * 60_000;

/** How many issues one person may file in an hour, by any means. */
export interface PersonLimit {
  filePerUserHour: number;
}

/** A person has filed as many issues as they may. */
export interface LimitReached {
  perHour: number;
  /** Milliseconds until they may file the next one. */
  waitMs: number;
}

/** Why nothing was filed for a person: their limit, or a private channel whose members have to agree first. */
export type FilingRefusal = LimitReached | { needsConsent: string };

/**
 * The limit if a person has reached it; `null` if they may file another issue. Alerts have their own limit
 * (`MAX_ISSUES_PER_DAY`); the two are independent.
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
