import type { Pattern, SenderMap } from '../alerts/senders/map.ts';

/** What was confirmed of a sender's messages, in words. Plain text; untrusted. */
export function mapInWords({ problems, noAlert }: SenderMap): string {
  const troubles = problems.map(({ trouble, recovery }) => {
    const ends = recovery.length === 0 ? '' : `, and ${named(recovery)} ends it`;
    return `${named(trouble)} reports a problem${ends}`;
  });
  return [...troubles, ...(noAlert.length === 0 ? [] : [`${named(noAlert)} is not an alert`])].join('; ');
}

function named(patterns: readonly Pattern[]): string {
  return patterns.map((pattern) => `“${pattern.join(' / ')}”`).join(' or ');
}

/** The same as a variable, for another installation. */
export function mapAsVariable(name: string, map: SenderMap): string {
  const value = JSON.stringify({ messages: map }).replaceAll("'", "'\\''");
  return `ALERT_MAP_${name.toUpperCase()}='${value}'`;
}
