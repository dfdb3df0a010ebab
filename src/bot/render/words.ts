import { oneLine } from '../../lib/text.ts';
import { clean, literal } from './escape.ts';

const STATUS: Record<string, string> = {
  filing: '⏳ Filing',
  investigating: '🔍 Investigating',
  ready_to_fix: '🛠️ Ready to fix',
  no_cause: '🔎 Investigated, no cause found',
  not_investigated: '⚠️ Not investigated',
  symptom: '🔗 Symptom',
  resolved: '✅ Resolved',
  muted: '🔕 Muted',
  failed: '⚠️ Failed',
  deleted: '🗑️ Deleted',
};

const SEVERITY: Record<string, string> = { high: '🔴 High', medium: '🟠 Medium', low: '🟡 Low' };

/** Precedes everything from the embedded service in a real Slack. */
export const SIMULATED = 'Simulated: not your systems';

/** A status, as shown; one that the contract does not list is shown as it is. Safe mrkdwn. */
export function statusWords(status: string): string {
  return literal(plainStatus(status));
}

/** The same for plain text, where nothing is escaped. */
export function plainStatus(status: string): string {
  return (Object.hasOwn(STATUS, status) && STATUS[status]) || known(status);
}

/** A severity, as shown; unknown ones are shown as they are. Safe mrkdwn. */
export function severityWords(severity: string): string {
  return literal(plainSeverity(severity));
}

/** The same for plain text, where nothing is escaped. */
export function plainSeverity(severity: string): string {
  return (Object.hasOwn(SEVERITY, severity) && SEVERITY[severity]) || known(severity);
}

/** A severity without its emoji, for use in a sentence. Safe mrkdwn. */
export function severityName(severity: string): string {
  return severityWords(severity).replace(/^\P{L}+/u, '');
}

/** `1 step`, `3 steps`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

function known(value: string): string {
  return oneLine(clean(value)) || 'not stated';
}
