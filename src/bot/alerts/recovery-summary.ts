/** What is told of a problem that is over: how long it lasted, what it was like, that it is well again. */
const PAST =
  /\b(?:was|were|had been)\b(?! not\b)|\bha(?:s|ve) been (?:\w+ )?(?:resolved|restored|fixed|cleared|closed|down for)\b|\b(?:lasted|recovered|restored|returned to|came back|(?:is|are|now) back|back (?:up|online|to normal))\b|^(?:down ?time|duration|resolved|outage)\b|\bis resolved\b|\b(?:up|reachable|healthy|responding|working) again\b/iu;
/** A reading of now, as checks and rules give it. */
const NOW = /^(?:\d{3} - |(?:PING |HTTP |DISK |\w+ )?OK\b|Threshold Crossed)/u;

/** Whether a recovery's words tell of the past: they are no error's message, since nothing is wrong now. */
export function tellsOfThePast(words: string): boolean {
  return PAST.test(words) && !NOW.test(words);
}
