/** Phrases about a problem that is over: how long it lasted, what it was, that the service is back. */
const PAST =
  /\b(?:was|were|had been)\b(?! not\b)|\bha(?:s|ve) been (?:\w+ )?(?:resolved|restored|fixed|cleared|closed|down for)\b|\b(?:lasted|recovered|restored|returned to|came back|(?:is|are|now) back|back (?:up|online|to normal))\b|^(?:down ?time|duration|resolved|outage)\b|\bis resolved\b|\b(?:up|reachable|healthy|responding|working) again\b/iu;
/** A current measurement, as checks and rules report it. */
const NOW = /^(?:\d{3} - |(?:PING |HTTP |DISK |\w+ )?OK\b|Threshold Crossed)/u;

/** Whether a recovery's text describes the past problem; it is then not a current error message. */
export function isRecoverySummary(words: string): boolean {
  return PAST.test(words) && !NOW.test(words);
}
