import { type Fact, normalizedName } from './facts.ts';
import { consistentFacts } from './labels.ts';

const MAX_TAGS = 50;
const LABEL_NAME = /^[A-Za-z][\w./-]{0,80}$/u;

/** Names that are not labels of the alert: texts, links, and what has a field of its own. */
const NOT_TAGS = new Set(
  (
    'alert alertname name title summary description details message annotations labels value values status state ' +
    'runbook runbook url dashboard panel graph source silence started starts at ends at started at since time ' +
    'receiver team contact notes error reason'
  ).split(' '),
);

/**
 * The labels that no field of the alert holds, as `name:value`. A label with different values within one message is left
 * out: it belongs to a member of the group, not to the group.
 */
export function tagsFrom(labels: readonly Fact[], used: ReadonlySet<Fact>): string[] {
  return consistentFacts(labels)
    .filter((label) => !used.has(label) && isLabel(label))
    .slice(0, MAX_TAGS)
    .map(({ name, value }) => `${/^[A-Z][a-z]+$/u.test(name) ? name.toLowerCase() : name}:${value}`);
}

function isLabel({ name, value, url }: Fact): boolean {
  if (!LABEL_NAME.test(name) || NOT_TAGS.has(normalizedName(name)) || /(?:^|[_.])url$/iu.test(name))
    return false;
  return url === null && value.length <= 200 && !value.includes('\n') && !/^https?:/u.test(value);
}

/** Tags on lines of their own, as `name: value` or a word. */
export function tagLines(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim().replace(/^([^\s:]{1,100}): +/u, '$1:'))
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}

/** Tags separated by commas, spaces or backticks. */
export function tagWords(value: string): string[] {
  return value
    .split(/[,\s`]+/u)
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}
