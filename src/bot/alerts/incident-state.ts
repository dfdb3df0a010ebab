import type { AlertKind } from './types.ts';

const OVER = /^(?:resolved|closed?|recovered|recovery|ok|ended|cleared|deactivated|inactive)\b/iu;
const NOTED =
  /^(?:ack|acked|acknowledged?|snoozed?|un-?acknowledged|muted|silenced|suppressed|archived|assigned|reassigned|escalated|merged|updated|note|comment|priority|status|urgency|added|removed|delegated|ownership)\b/iu;
const ON =
  /^(?:triggered|re-?triggered|open(?:ed)?|re-?opened|new|created|activated|active|firing|fired|ongoing|alerting|regressed|reactivated)\b/iu;

/**
 * The kind of alert for a tool's incident state, alone or at the start of a line: `Resolved`, `Acknowledged by Dana`,
 * `New alert`. `null` if the text is not a state.
 */
export function incidentKind(words: string): AlertKind | null {
  const line = words.trim();
  if (OVER.test(line)) return 'resolved';
  if (NOTED.test(line)) return 'not_an_alert';
  return ON.test(line) ? 'firing' : null;
}

/** The kind for the first of several texts that is a state; the most reliable text comes first. */
export function firstIncidentKind(words: readonly (string | null)[]): AlertKind | null {
  for (const word of words) {
    const kind = incidentKind(word ?? '');
    if (kind !== null) return kind;
  }
  return null;
}
