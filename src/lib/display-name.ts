import { cutAtWord, oneLine } from './text.ts';

/** The name of an alerting rule, e.g. `HighErrorRate` or `disk_full`, which no sentence would contain. */
const RULE_NAME = /^\p{Lu}[\p{L}\p{N}]*[\p{Ll}\p{N}]\p{Lu}[\p{L}\p{N}]*$|^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u;
const SEVERITY = /^(?:critical|crit|error|warning|warn|info|page|none|high|medium|low|p[1-5]|sev[0-5])$/iu;
/** Longer than any tool writes; beyond that it is prose. */
const MAX_TITLE = 500;
const MAX_SERVICE = 80;
const MAX_LABELS = 400;

export interface Titled {
  title: string;
  service?: string | null | undefined;
}

/**
 * An issue or an alert as a person would name it: `HighErrorRate · checkout-api` for the line that Alertmanager and
 * Grafana write, `HighErrorRate checkout-api (prod checkout-7d9f eu-west-1 critical)`; any other title stays as it is.
 * It is as private, and as untrusted, as the title it is made from.
 */
export function displayName({ title, service }: Titled): string {
  const line = oneLine(title).trim();
  if (line.length > MAX_TITLE) return title;
  const { head, labels } = splitLabels(line);
  const [first = '', ...rest] = head.split(' ');
  const of = cutAtWord(oneLine(service ?? '').trim(), MAX_SERVICE);
  if (RULE_NAME.test(first)) {
    if (labels.length > 0 || isOnlyService(rest, of)) return joined(first, of || rest.join(' '));
    return title;
  }
  return labels.includes(of) ? joined(head, of) : title;
}

/** Splits off the words in brackets at the end, if they are an alert's labels: several, or a severity. */
function splitLabels(line: string): { head: string; labels: string[] } {
  const open = line.endsWith(')') ? line.lastIndexOf(' (') : -1;
  const labels = open < 1 || line.length - open > MAX_LABELS ? [] : line.slice(open + 2, -1).split(' ');
  const areLabels = labels.some((word) => SEVERITY.test(word)) || labels.length > 2;
  return areLabels ? { head: line.slice(0, open).trim(), labels } : { head: line, labels: [] };
}

/** `HighErrorRate`, `HighErrorRate checkout-api`, `HighErrorRate for checkout-api`. */
function isOnlyService(rest: readonly string[], service: string): boolean {
  const words = /^(?:for|in|of|on)$/u.test(rest[0] ?? '') ? rest.slice(1) : rest;
  return service !== '' && (words.length === 0 || words.join(' ') === service);
}

function joined(name: string, service: string): string {
  return service === '' || service === name ? name : `${name} · ${service}`;
}
