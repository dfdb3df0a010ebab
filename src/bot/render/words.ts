import { oneLine } from '../../lib/text.ts';
import { literal } from './escape.ts';

const STATUS: Record<string, string> = {
  filing: '⏳ Filing',
  investigating: '🔍 Investigating',
  ready_to_fix: '🛠️ Ready to fix',
  resolved: '✅ Resolved',
  muted: '🔕 Muted',
  failed: '⚠️ Failed',
  deleted: '🗑️ Deleted',
};

const SEVERITY: Record<string, string> = { high: '🔴 High', medium: '🟠 Medium', low: '🟡 Low' };

/** What stands before everything that the embedded service says to a real Slack. */
export const SIMULATED = 'Simulated: not your systems';

/** A status as people read it; one that the document does not name is shown as it is. Safe mrkdwn. */
export function statusWords(status: string): string {
  return (Object.hasOwn(STATUS, status) && STATUS[status]) || known(status);
}

/** A severity as people read it; unknown ones are shown as they are. Safe mrkdwn. */
export function severityWords(severity: string): string {
  return (Object.hasOwn(SEVERITY, severity) && SEVERITY[severity]) || known(severity);
}

/** A severity without its sign, as it is within a sentence. Safe mrkdwn. */
export function severityName(severity: string): string {
  return severityWords(severity).replace(/^\P{L}+/u, '');
}

/** `1 step`, `3 steps`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

function known(value: string): string {
  const shown = literal(oneLine(value));
  return shown === '' ? 'not stated' : shown;
}
