import { replaceCredentials } from '../../lib/credentials.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';

// Control characters but tab and newline, and those that change the direction of what follows them: an
// override in an alert's title would turn our own words around.
const UNWANTED = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const LOOKALIKES: Record<string, string> = { '*': '\u2217', _: '\u02cd', '~': '\u223c', '`': '\u02cb' };

/** Untrusted text without credentials, control characters, half surrogate pairs and foreign line ends. */
export function clean(text: string): string {
  return replaceCredentials(text.toWellFormed(), () => '[redacted]')
    .replace(/\r\n?|[\u2028\u2029]/gu, '\n')
    .replace(UNWANTED, '');
}

/** Escapes what Slack reads as the start of a mention, a link or an entity; formatting characters stay. */
export function escapeControls(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes what a `markdown` block reads as the start of a mention; `&` stays, since addresses need it. */
export function escapeAngles(markdown: string): string {
  return markdown.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Code in backticks, on one line: in it Slack reads nothing, so that it needs no change to be harmless. */
const CODE = /(?<!`)(`[^`\n]+`)(?!`)/u;

/**
 * Untrusted text as mrkdwn that reads literally: code in backticks is code, exactly as it is. mrkdwn has no escape for `*`, `_`,
 * `~` and a single backtick, so one that could format is replaced by a character that looks the same; inside a word
 * (`http_requests`) and between spaces (`a * b`) it cannot, and stays copyable. A quote mark that starts a line likewise.
 */
export function literal(text: string): string {
  return clean(text)
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? escapeControls(part) : withoutMarks(part, index > 0)))
    .join('');
}

/** The same on one line, cut at a word. */
export function quoted(text: string, max: number): string {
  return literal(cutAtWord(oneLine(clean(text)), max));
}

/** @param isAfter whether it continues after code, and so does not begin a line */
function withoutMarks(text: string, isAfter: boolean): string {
  if (isAfter) return withoutMarks(`)${text}`, false).slice(1);
  const defused = text
    .replace(/`/gu, lookalike)
    .replace(
      /(?<![\p{L}\p{N}*_~])[*_~]+|[*_~]+(?![\p{L}\p{N}*_~])/gu,
      (run, offset: number, whole: string) =>
        isAlone(whole, offset, run.length) ? run : run.replace(/./gu, lookalike),
    )
    .replace(/^[^\S\n]*>+/gmu, (quote) => quote.replaceAll('>', '\u203a'));
  return escapeControls(defused);
}

/** Untrusted text in bold, on one line, and code in it as code; empty for empty text. */
export function bold(text: string): string {
  return clean(text)
    .replace(/\s+/gu, ' ')
    .split(CODE)
    .map((part, index) => {
      if (index % 2 === 1) return escapeControls(part);
      const inner = withoutMarks(part, index > 0)
        .trim()
        .replaceAll('*', '\u2217');
      return inner === '' ? '' : `*${inner}*`;
    })
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * The words of a button, an option or a cell. Slack reads nothing in plain text; what would be a mention elsewhere
 * does not even look like one.
 */
export function label(text: string): string {
  return text.toWellFormed().replace(/<(?=[!@#]|[a-z]+:)/giu, '\u2039');
}

/** A mention of a person that notifies; `someone` where `id` is no Slack user id. */
export function userMention(id: string): string {
  const key = /^mcp:([\w-]{1,40})$/u.exec(id)?.[1];
  if (key !== undefined) return `the agent \`${key}\``;
  // A system that says so, such as an Alertmanager or a status page.
  if (id.startsWith('from:')) return literal(id.slice('from:'.length));
  return /^[UW][A-Z0-9]{1,30}$/u.test(id) ? `<@${id}>` : 'someone';
}

/** A link to a channel; `that channel` where `id` is no Slack channel id. */
export function channelMention(id: string): string {
  return /^[CDG][A-Z0-9]{1,30}$/u.test(id) ? `<#${id}>` : 'that channel';
}

function lookalike(character: string): string {
  return LOOKALIKES[character] ?? character;
}

function isAlone(text: string, offset: number, length: number): boolean {
  return (
    /^\s?$/u.test(text.charAt(offset - 1)) && /^\s?$/u.test(text.charAt(offset + length)) && length === 1
  );
}

/** Only what a text says, to find what is said twice: letters and digits in lower case, where it has any. */
export function bare(text: string | undefined): string {
  const words = (text ?? '').trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, '') || words;
}

const NOTE_ROOM = 48;
const FENCE = '```';

/**
 * Shortens text that is escaped already to at most `max` characters: at a word, never within an entity,
 * a `<…>` token or a character; and says how many characters are missing.
 */
export function cutEscaped(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= NOTE_ROOM) return max < 1 ? '' : `${whole(text.slice(0, max - 1)).trimEnd()}…`;
  const head = whole(atWord(text.slice(0, max - NOTE_ROOM))).trimEnd();
  const note = `… shortened: ${text.length - head.length} more characters`;
  return isInsideFence(head) ? `${head}\n${FENCE}\n${note}` : `${head}${note}`;
}

/** Shortens escaped text to at most `max` UTF-8 bytes, as `cutEscaped` does. */
export function cutEscapedBytes(text: string, max: number): string {
  let room = Math.min(text.length, max);
  let cut = cutEscaped(text, room);
  while (Buffer.byteLength(cut) > max) {
    room = Math.min(room - 1, Math.floor((room * max) / Buffer.byteLength(cut)));
    cut = cutEscaped(text, room);
  }
  return cut;
}

function atWord(text: string): string {
  const space = text.search(/\s\S*$/u);
  return space > text.length * 0.75 ? text.slice(0, space) : text;
}

function whole(text: string): string {
  const open = text.lastIndexOf('<');
  const outsideToken = open > text.lastIndexOf('>') ? text.slice(0, open) : text;
  return outsideToken.replace(/&[a-z]{0,3}$/u, '').replace(/[\ud800-\udbff]$/, '');
}

function isInsideFence(text: string): boolean {
  return text.split(FENCE).length % 2 === 0;
}
