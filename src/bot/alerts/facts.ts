import { linksOf, plainText, truncateMrkdwn } from './slack-text.ts';

/** A labelled value of a message: `*Severity:* high`, ` - env = prod`, a field of an attachment. */
export interface Fact {
  /** As written. Compare with {@link normalizedName}. */
  name: string;
  value: string;
  /** The first link of the value. */
  url: string | null;
}

const MAX_LINES = 1_000;
const MAX_LINE = 4_000;
const BULLET = /^(?:[•●▪◦∙‣*–—-]\s+|(?:>|&gt;) ?)/u;
const LABEL = /^[A-Za-z][\w .()/#&+-]{0,39}$/u;

/** A label's name for comparison: `server_name`, `Server name` and `server-name` are the same. */
export function normalizedName(label: string): string {
  return label
    .toLowerCase()
    .replace(/[\s_.-]+/gu, ' ')
    .trim();
}

/** A fact from a label and its value in mrkdwn. */
export function toFact(name: string, mrkdwn: string): Fact {
  return {
    name: name.trim(),
    value: unwrapped(plainText(mrkdwn).trim()),
    url: linksOf(mrkdwn)[0]?.url ?? null,
  };
}

/** Every labelled value in a mrkdwn text, in order, without the prose around them. Values are plain text. */
export function factsOf(mrkdwn: string): Fact[] {
  const drafts: Draft[] = [];
  for (const line of mrkdwn.split('\n', MAX_LINES)) readLine(truncateMrkdwn(line, MAX_LINE).trim(), drafts);
  return drafts.filter(({ raw }) => raw !== '').map(({ name, raw }) => toFact(name, raw));
}

interface Draft {
  name: string;
  raw: string;
  /** The value of a bold label, or of one alone on its line, may continue on the next lines. */
  open: boolean;
}

function readLine(line: string, drafts: Draft[]): void {
  const above = drafts.at(-1);
  if (line === '') {
    if (above?.raw) above.open = false;
    return;
  }
  let before: Draft | undefined = above?.open ? above : undefined;
  let glue = '\n';
  // Two or more spaces separate labels on the same line.
  for (const piece of line.replace(BULLET, '').split(/ {2,}|\t/u)) {
    const found = labelled(piece.trim());
    if (found) drafts.push(found);
    else if (before) append(before, piece.trim(), glue);
    if (found) before = found;
    glue = ' ';
  }
}

function append(draft: Draft, text: string, glue: string): void {
  if (text !== '') draft.raw = draft.raw === '' ? text : `${draft.raw}${glue}${text}`;
}

function labelled(piece: string): Draft | null {
  return bold(piece) ?? quoted(piece) ?? colon(piece);
}

/** `*Label:* value` and `*Label*: value`. */
function bold(piece: string): Draft | null {
  if (!piece.startsWith('*')) return null;
  const end = piece.indexOf('*', 1);
  if (end < 2) return null;
  const inside = piece.slice(1, end).trim();
  const rest = piece.slice(end + 1).trim();
  const name = inside.endsWith(':') ? inside.slice(0, -1).trim() : inside;
  if (name === inside && !rest.startsWith(':')) return null;
  const raw = name === inside ? rest.slice(1).trim() : rest;
  return LABEL.test(name) ? { name, raw, open: true } : null;
}

/** ``severity `critical` ``: a word and a value in backticks. */
function quoted(piece: string): Draft | null {
  const [, name, raw] = /^([A-Za-z][\w./-]{0,60}) (`[^`]+`)$/u.exec(piece) ?? [];
  return name === undefined || raw === undefined ? null : { name, raw, open: false };
}

/** `Label: value` and `label = value`; the colon of a URL does not count. */
function colon(piece: string): Draft | null {
  const equals = / ?= /u.exec(piece.slice(0, 80))?.index ?? -1;
  const colons = /:(?:\s|$)/u.exec(piece.slice(0, 80))?.index ?? -1;
  const at = equals >= 0 && (colons < 0 || equals < colons) ? equals : colons;
  if (at <= 0) return null;
  const name = piece.slice(0, at).trim();
  if (!LABEL.test(name) || name.split(' ').length > 4) return null;
  const raw = piece.slice(at).replace(/^ ?[:=]\s*/u, '');
  return { name, raw, open: raw === '' };
}

const MARKS = ['```', '`', '*', '"'];

function unwrapped(value: string): string {
  for (const mark of MARKS) {
    const inside = value.slice(mark.length, -mark.length);
    if (value.length > 2 * mark.length && value === `${mark}${inside}${mark}` && !inside.includes(mark))
      return inside.trim();
  }
  return value;
}
