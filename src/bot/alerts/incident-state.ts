import type { AlertKind } from './types.ts';

const OVER = /^(?:resolved|closed?|recovered|recovery|ok|ended|cleared|deactivated|inactive)\b/iu;
const NOTED =
  /^(?:ack|acked|acknowledged?|snoozed?|un-?acknowledged|muted|silenced|suppressed|archived|assigned|reassigned|escalated|merged|updated|note|comment|priority|status|urgency|added|removed|delegated|ownership)\b/iu;
const ON =
  /^(?:triggered|re-?triggered|open(?:ed)?|re-?opened|new|created|activated|active|firing|fired|ongoing|alerting|regressed|reactivated)\b/iu;

/**
 * What a tool's word for an incident's state means, alone or at the head of a line: `Resolved`, `Acknowledged by Dana`,
 * `New alert`. `null` for a word that is no state.
 */
export function incidentKind(words: string): AlertKind | null {
  const line = words.trim();
  if (OVER.test(line)) return 'resolved';
  if (NOTED.test(line)) return 'not_an_alert';
  return ON.test(line) ? 'firing' : null;
}

/** The first of several words, the surest first, that is a state. */
export function firstKind(words: readonly (string | null)[]): AlertKind | null {
  for (const word of words) {
    const kind = incidentKind(word ?? '');
    if (kind !== null) return kind;
  }
  return null;
}
