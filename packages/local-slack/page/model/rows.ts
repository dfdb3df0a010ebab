import type { PageMessage } from '../../src/page-api.ts';
import { withShortcodes } from '../../src/page-emoji.ts';
import { lowercaseDay, slackFileAddress, withLowercaseDays } from './texts.ts';

const GROUP_MS = 5 * 60_000;

/** One line of a message list. */
export type Row =
  | { kind: 'day'; key: string; at: number }
  /** `follows`: by the author of the message above and soon after, so without name and avatar. */
  | { kind: 'message'; key: string; message: PageMessage; follows: boolean };

/** Milliseconds since the epoch of a Slack `ts`. */
export function millis(ts: string): number {
  return Math.round(Number.parseFloat(ts) * 1000) || 0;
}

/** A list as `reader` sees it: by day and author, without others' ephemeral messages. */
export function rowsOf(messages: readonly PageMessage[], reader: string): Row[] {
  const rows: Row[] = [];
  let above: PageMessage | null = null;
  for (const message of messages) {
    if (message.ephemeral_to !== undefined && message.ephemeral_to !== reader) continue;
    const at = millis(message.ts);
    const isNewDay = above === null || !isSameDay(millis(above.ts), at);
    if (isNewDay) rows.push({ kind: 'day', key: `day-${message.ts}`, at });
    const follows = above !== null && !isNewDay && isSameBreath(above, message);
    rows.push({ kind: 'message', key: message.ts, message: seenBy(message, reader), follows });
    above = message;
  }
  return rows;
}

/** A message in blocks is shown on its own, with its author. */
function isCard(message: PageMessage): boolean {
  return message.bot_id !== undefined && message.blocks !== undefined;
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

function isSameBreath(above: PageMessage, message: PageMessage): boolean {
  return (
    above.user === message.user &&
    above.bot_id === message.bot_id &&
    above.username === message.username &&
    above.ephemeral_to === message.ephemeral_to &&
    above.reply_count === undefined &&
    message.subtype !== 'thread_broadcast' &&
    !isCard(message) &&
    millis(message.ts) - millis(above.ts) < GROUP_MS
  );
}

/** A message as `reader` sees it: while it streams in a channel, only its recipient sees it grow. */
export function seenBy(message: PageMessage, reader: string): PageMessage {
  const { streaming: _, streaming_to: recipient, began = '', ...rest } = message;
  if (recipient === undefined || recipient === reader) return message;
  return { ...rest, text: began, blocks: began === '' ? [] : [{ type: 'markdown', text: began }] };
}

const LINE_OF_TABLE = /^\s*\|/;
const RULE_OF_TABLE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** The blocks of a message that is still streaming, without the bare pipes of an unfinished table. */
export function withoutBegunTable(blocks: readonly unknown[]): unknown[] {
  return blocks.map((block) => {
    const isMarkdown = typeof block === 'object' && block !== null && 'text' in block && 'type' in block;
    if (!isMarkdown || block.type !== 'markdown' || typeof block.text !== 'string') return block;
    return { ...block, text: withoutBareHead(block.text) };
  });
}

/** A table starts once the line below its header is complete, with as many columns. In code, pipes are just pipes. */
function withoutBareHead(text: string): string {
  const isInCode = text.split('```').length % 2 === 0;
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  let first = last;
  while (first >= 0 && LINE_OF_TABLE.test(lines[first] ?? '')) first -= 1;
  first += 1;
  const [head = '', rule = ''] = lines.slice(first);
  const isTable = RULE_OF_TABLE.test(rule) && cells(head) === cells(rule);
  return isInCode || isTable || first > last ? text : lines.slice(0, first).join('\n');
}

function cells(line: string): number {
  return line
    .trim()
    .replaceAll('\\|', '')
    .split('|')
    .filter((cell) => cell !== '').length;
}

// The library decodes `&lt;` before it looks for `<@…>`, `<!…>` and `<http…|…>`, and looks for them in plain text
// too. A joiner (of no width) after the bracket keeps escaped text what it is: text.
const OPENING = '<\u2060';

// Slack has one level of quotes. The library nests them, and takes minutes for a line of a thousand signs.
const NESTED_QUOTE = /^(?:[ \t]*(?:>|&gt;)){2,}/gm;

// Slack takes code literally. The library takes a star in it for the end of bold text around it, and
// leaves `&amp;` there as it is.
const CODE = /```[\s\S]+?```|`[^`\n]+`/g;
const LITERAL = /(```[\s\S]+?```|`[^`\n]+`)/;
/** The line breaks at the ends of a block of code are no lines of it. */
const FENCE_LINE = /^```\n|\n```$/g;
const STAR_IN_CODE = '\u2217';

// The library reads markup in plain text as well, and Markdown's links in Slack's markup. What is written as an entity
// is just a character. An emoji's shortcode keeps its underscores.
const SIGNS = /:[a-z0-9_+'-]+:|[*_~`[]|^>/gm;
// The library takes some characters in an address for markup, so they are escaped; a label has them as entities.
const BARE_LINK = /<(https?:[^|>\s]+)>/g;
// Markdown's bold and struck text are no markup of Slack's: their signs are seen, as in Grafana's alerts.
const DOUBLED = /\*{2,}|_{2,}|~{2,}/g;
const TOKEN = /(<[^<>\n]*>)/;
// The library takes any two colons for the ends of an emoji's name, and with them those of the emoji that follows.
const COLONS = /:[a-z0-9_+'-]+:|:(?!\/\/)/g;
/** In an address, those after the scheme's. */
const PORTS = /(?<=<[a-z]+:[^<>|\n]*):/g;
const LABEL = /(?<=<[^<>|\n]+)\|[^<>\n]*(?=>)/g;
const LINK_OPENING = /\[(?=[^\]\n]*\]\()/g;

// A screen reader's outline: whatever an answer begins with stands under its page's first two levels. Slack, too, shows
// all of them in one size.
const MARKDOWN_HEADING = /^#{1,6}(?=[ \t])/gm;
const FENCED = /(```[\s\S]*?(?:```|$))/;

/**
 * Blocks as `slack-blocks-to-jsx` should get them: escaped brackets stay text, and emoji become the
 * shortcodes that the page draws. Anything but a text object is passed on unchanged, malformed or not.
 */
export function prepared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepared);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, prepared(field)]);
  const copy: Record<string, unknown> = Object.fromEntries(fields);
  const { type, text, timestamp, format } = copy;
  const address = type === 'image' ? slackFileAddress(copy.slack_file) : null;
  if (address !== null) return { ...copy, image_url: address };
  if (type === 'date' && typeof timestamp === 'number' && typeof format === 'string')
    return { ...copy, format: lowercaseDay(format, timestamp, Date.now()) };
  if (typeof text !== 'string') return copy;
  // For Slack, `verbatim` only turns off automatic links; for the library, all markup.
  if (type === 'mrkdwn') return { ...copy, verbatim: false, text: preparedMrkdwn(text) };
  if (type === 'plain_text') return { ...copy, text: literal(withShortcodes(text)) };
  if (type === 'markdown') {
    const words = withShortcodes(text).replaceAll(NESTED_QUOTE, '> ').replaceAll(CODE, unescaped);
    return { ...copy, text: outside(FENCED, words, (part) => part.replaceAll(MARKDOWN_HEADING, '###')) };
  }
  return copy;
}

/** Slack shows escaped brackets as what they stand for in Markdown's code, too; Markdown itself does not. */
function unescaped(code: string): string {
  return code.replaceAll('&lt;', OPENING).replaceAll('&gt;', '>');
}

function labelled(_link: string, address: string): string {
  return `<${address.replaceAll('*', '%2A')}|${withEntities(address)}>`;
}

function literal(text: string): string {
  return withEntities(text.replaceAll('<', OPENING));
}

function withEntities(text: string): string {
  return text.replaceAll(SIGNS, (sign) => (sign.length > 1 ? sign : `&#${sign.charCodeAt(0)};`));
}

function single(colon: string): string {
  return colon.length > 1 ? colon : '&#58;';
}

/** `kept` has one group, around everything that it matches. */
function outside(kept: RegExp, text: string, change: (part: string) => string): string {
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

function preparedMrkdwn(text: string): string {
  return outside(LITERAL, withLowercaseDays(withShortcodes(text), Date.now()), (part) =>
    outside(TOKEN, part, (words) => words.replaceAll(DOUBLED, withEntities).replaceAll(COLONS, single))
      .replaceAll(LABEL, (label) => label.replaceAll(COLONS, single))
      .replaceAll(PORTS, single)
      .replaceAll(LINK_OPENING, '&#91;')
      .replaceAll(BARE_LINK, labelled),
  )
    .replaceAll(CODE, (code) => code.replaceAll('*', STAR_IN_CODE))
    .replaceAll(NESTED_QUOTE, '&gt; ')
    .replaceAll('&lt;', OPENING)
    .replaceAll(/(?<!^)&gt;/gm, '>')
    .replaceAll(CODE, (code) => code.replaceAll('&amp;', '&').replaceAll(FENCE_LINE, '```'));
}
