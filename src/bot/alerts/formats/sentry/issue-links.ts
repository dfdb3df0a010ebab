import { fingerprintOf } from '../../fingerprint.ts';
import type { MessageContent } from '../../message-content.ts';
import { isSentBy } from '../../urls.ts';

const ISSUE = /\/issues\/(\d+)(?:[/?#]|$)/u;

/** Whether Sentry sent it, by its name, because other tools post about Sentry's issues too. */
export function isFromSentry(content: MessageContent): boolean {
  return isSentBy(content, /^sentry(?: \([^)]{0,60}\))?$/iu);
}

/** The number of the issue that a URL links to. */
export function issueNumberIn(url: string): string | null {
  return ISSUE.exec(url)?.[1] ?? null;
}

/** An issue's identity: its number, in whichever organisation's URL. */
export function issueFingerprint(number: string): string {
  return fingerprintOf('sentry', 'issue', number);
}

/** A URL without the parts that change with every delivery; `alert`, a metric alert's incident, stays. */
export function stableUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  const alert = searchParams.get('alert');
  return `${origin}${pathname}${alert === null ? '' : `?alert=${encodeURIComponent(alert)}`}`;
}
