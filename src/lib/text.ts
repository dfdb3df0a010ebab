const ELLIPSIS = '…';

/**
 * Shortens to at most `max` UTF-16 units, at a word boundary if there is one in the last quarter, and never inside a
 * surrogate pair. A cut is marked with `…` (counted in `max`), without punctuation before it.
 */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return text.length > 0 && max === 1 ? ELLIPSIS : '';
  const head = text.slice(0, max - ELLIPSIS.length);
  const lastSpace = head.search(/\s\S*$/u);
  const cut = lastSpace > max * 0.75 ? head.slice(0, lastSpace) : withoutHalfPair(head);
  return `${withoutStops(cut)}${ELLIPSIS}`;
}

function withoutStops(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const HIDDEN = /(?![\t\n])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text without what nobody sees in it but a program does: control characters, direction marks, characters of no width,
 * tag characters; and without half characters.
 */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, '').toWellFormed();
}

/** All runs of white space become one space; the ends are trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** What percent-encoded text stands for; `null` if it is malformed. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

const MAX_TYPED = 100;

/**
 * The word with the smallest edit distance from what was typed; `null` if even that is half of the word or more.
 */
export function nearest(typed: string, words: readonly string[]): string | null {
  const short = typed.slice(0, MAX_TYPED);
  const [best] = words
    .map((word) => ({ word, edits: editsBetween(short, word) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits * 2 < Math.max(best.word.length, short.length) ? best.word : null;
}

/** How many letters were replaced, left out or added. */
export function editsBetween(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (before[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = current;
  }
  return before[b.length] ?? 0;
}

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
