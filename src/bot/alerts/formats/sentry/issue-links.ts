import { isSentBy } from '../../urls.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Reading } from '../../message-content.ts';

const ISSUE = /\/issues\/(\d+)(?:[/?#]|$)/u;

/** Whether Sentry sent it, by its name: other tools post about Sentry's issues as well (guide, section 1). */
export function isSentrys(reading: Reading): boolean {
  return isSentBy(reading, /^sentry(?: \([^)]{0,60}\))?$/iu);
}

/** The number of the issue that an address leads to. */
export function issueOf(url: string): string | null {
  return ISSUE.exec(url)?.[1] ?? null;
}

/** An issue's identity: its number, whichever organisation's address it stands in. */
export function issuePrint(number: string): string {
  return fingerprintOf('sentry', 'issue', number);
}

/** An address without what differs from one delivery to the next; `alert`, the incident of a metric alert, stays. */
export function pageOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  const alert = searchParams.get('alert');
  return `${origin}${pathname}${alert === null ? '' : `?alert=${encodeURIComponent(alert)}`}`;
}
