import { type Fact, nameOf } from './facts.ts';
import { agreed } from './labels.ts';

const MAX_TAGS = 50;
const LABEL_NAME = /^[A-Za-z][\w./-]{0,80}$/u;

/** What stands beside a label and is yet no label of the alert: words, links, what other fields say. */
const NOT_TAGS = new Set(
  (
    'alert alertname name title summary description details message annotations labels value values status state ' +
    'runbook runbook url dashboard panel graph source silence started starts at ends at started at since time ' +
    'receiver team contact notes error reason'
  ).split(' '),
);

/**
 * The labels that no field of an alert holds, as `name:value`. Where alerts of one message disagree about a label
 * it is left out: it is a member's, not the group's.
 */
export function tagsFrom(labels: readonly Fact[], used: ReadonlySet<Fact>): string[] {
  return agreed(labels)
    .filter((label) => !used.has(label) && isLabel(label))
    .slice(0, MAX_TAGS)
    .map(({ name, value }) => `${/^[A-Z][a-z]+$/u.test(name) ? name.toLowerCase() : name}:${value}`);
}

function isLabel({ name, value, url }: Fact): boolean {
  if (!LABEL_NAME.test(name) || NOT_TAGS.has(nameOf(name)) || /(?:^|[_.])url$/iu.test(name)) return false;
  return url === null && value.length <= 200 && !value.includes('\n') && !/^https?:/u.test(value);
}

/** Tags that stand one to a line, as `name: value` or a word. */
export function tagLines(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim().replace(/^([^\s:]{1,100}): +/u, '$1:'))
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}

/** Tags that are words, between commas, spaces or backticks. */
export function tagWords(value: string): string[] {
  return value
    .split(/[,\s`]+/u)
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS);
}
