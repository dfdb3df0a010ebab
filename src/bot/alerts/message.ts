import { z } from 'zod';
import { oneLine } from '../../lib/text.ts';
import { type Fact, factsOf, toFact } from './facts.ts';
import { type Link, linksOf, truncateMrkdwn } from './slack-text.ts';

// Slack cuts a message's text at 40,000 characters; anything longer is not from Slack, or hostile.
const MAX_STRING = 50_000;
const MAX_URL = 4_000;
const MAX_ITEMS = 200;
/**
 * For a message's attachments, and for its blocks. An alert's facts come first; Slack allows many megabytes, and parsing
 * them all would let anyone who can post block everything else.
 */
const MOST_READ = { characters: 60_000, perString: 20_000, values: 5_000, depth: 24 };

/** Every control character but tab and newline. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

function clean(text: string): string {
  return truncateMrkdwn(text, MAX_STRING).replace(CONTROL, '').toWellFormed();
}

const words = z.string().transform(clean).catch('');
/** A longer URL is dropped, because a truncated one is useless. */
const address = z.string().max(MAX_URL).transform(clean).catch('');
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform((value) => clean(String(value)));
const unknowns = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.slice(0, MAX_ITEMS));

/** Items that do not parse are dropped; the others stay. */
function listOf<T extends z.ZodType>(item: T) {
  return unknowns.transform((items) =>
    items.flatMap((value): z.output<T>[] => {
      const parsed = item.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

function beginningOfList<T extends z.ZodType>(item: T) {
  return z.preprocess((items) => truncateJson(items, MOST_READ), listOf(item));
}

const textObject = z
  .union([z.string(), z.object({ text: z.string() }).transform((object) => object.text)])
  .transform(clean)
  .catch('');

const Button = z.object({ url: address, text: textObject });

const Block = z.object({
  type: words,
  text: textObject,
  fields: listOf(z.object({ text: textObject })),
  /** In `context`, `actions` and `rich_text`; how they are read depends on the type of block. */
  elements: unknowns,
  accessory: Button.nullable().catch(null),
  /** In `table`: each cell is `raw_text` or `rich_text`. */
  rows: z.array(z.array(z.unknown()).catch([])).catch([]),
  /** In `data_visualization`. */
  title: textObject,
});
type Block = z.output<typeof Block>;

const AttachmentField = z.object({ title: scalar.catch(''), value: scalar.catch('') });

const Attachment = z.object({
  color: words,
  pretext: words,
  author_name: words,
  title: words,
  title_link: address,
  text: words,
  fallback: words,
  footer: words,
  ts: z.coerce.number().nullable().catch(null),
  fields: listOf(AttachmentField),
  actions: listOf(Button),
  blocks: listOf(Block),
  /** Set where Slack or an app unfurled a link, or a message was shared. */
  from_url: words,
  original_url: words,
  is_app_unfurl: z.boolean().catch(false),
  is_msg_unfurl: z.boolean().catch(false),
});
export type Attachment = z.output<typeof Attachment>;

/** The parts of a Slack message that are used. A malformed part is dropped; it never fails the message. */
export const SlackMessage = z.object({
  subtype: words,
  user: words,
  username: words,
  bot_id: words,
  app_id: words,
  /** Set on what Slack's Workflow Builder posts. */
  workflow_id: words,
  thread_ts: words,
  ts: words,
  channel: words,
  text: words,
  bot_profile: z.object({ name: words, app_id: words }).nullable().catch(null),
  attachments: beginningOfList(Attachment),
  blocks: beginningOfList(Block),
  /** In `message_changed` and `message_deleted`: the message after and before. */
  message: z.unknown().optional(),
  previous_message: z.unknown().optional(),
});
export type SlackMessage = z.output<typeof SlackMessage>;

/** Who wrote a message: all that has to be read of most messages. */
const Author = SlackMessage.pick({
  subtype: true,
  user: true,
  username: true,
  bot_id: true,
  app_id: true,
  bot_profile: true,
  message: true,
});
type Author = z.output<typeof Author>;

/** Of a `context` block's elements: the texts; of an `actions` block's: the buttons that open a page. */
const TextElement = z.object({ text: textObject });
const ButtonElement = Button;

const MAX_BODY = 60_000;

/** The content of a Slack message in the order that suits alerts: attachments, then blocks, then the text. */
export interface MessageContent {
  message: SlackMessage;
  /** Written by a person, not by a tool. */
  person: boolean;
  /** A reply in a thread. */
  reply: boolean;
  /** The sender's names: the app's, and the one chosen for the webhook. */
  names: string[];
  /** Without unfurls and shared messages, which others wrote. */
  attachments: Attachment[];
  /** All mrkdwn of attachments, blocks and text, each once. */
  body: string;
  facts: Fact[];
  /** Link buttons, in blocks and in attachments. */
  buttons: Link[];
}

/** What Slack says of a message that has blocks only. */
const PLACEHOLDER = "This content can't be displayed.";

/** The content of a message that has passed its schema. */
export function contentOf(message: SlackMessage): MessageContent {
  const person = isPerson(message);
  const attachments = person ? [] : message.attachments.filter((attachment) => !isUnfurl(attachment));
  const blocks = blocksText(message.blocks);
  const text = message.text === PLACEHOLDER ? '' : message.text;
  const parts = person ? [text || blocks] : [...attachments.map(attachmentText), blocks, text];
  const body = truncateMrkdwn(distinct(parts).join('\n\n'), MAX_BODY);
  return {
    message: { ...message, text },
    person,
    reply: message.thread_ts !== '' && message.thread_ts !== message.ts,
    names: [message.bot_profile?.name ?? '', message.username].filter((name) => name !== ''),
    attachments,
    body,
    facts: [...attachments.flatMap(fieldFacts), ...factsOf(body)],
    buttons: [
      ...attachments.flatMap((one) => [...one.actions.flatMap(asLink), ...one.blocks.flatMap(blockButtons)]),
      ...message.blocks.flatMap(blockButtons),
    ],
  };
}

/** An attachment's text from top to bottom; a field is `*Label:* value`. */
export function attachmentText(attachment: Attachment): string {
  const { pretext, title, text, blocks, fields, footer } = attachment;
  const labelled = fields.map((field) =>
    field.title === '' ? field.value : `*${field.title}:* ${field.value}`,
  );
  const words = distinct([pretext, title, text, ...labelled, blocksText(blocks), footer]);
  if (words.length > 0) return words.join('\n');
  return attachment.fallback === '[no preview available]' ? '' : attachment.fallback;
}

/** An attachment's text below its title: text, fields and blocks. */
export function attachmentDetails(attachment: Attachment): string {
  return attachmentText({ ...attachment, pretext: '', title: '', fallback: '', footer: '' });
}

/** The text of blocks, a paragraph for each, so that no value runs on into the next; fields as `*Label:* value`. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockText(block: Block): string {
  if (block.type === 'rich_text') return richText(block.elements);
  if (block.type === 'markdown') return mrkdwnOf(block.text);
  if (block.type === 'table') return tableText(block.rows);
  if (block.type === 'data_visualization') return block.title;
  if (block.type === 'context')
    return block.elements.map((one) => TextElement.safeParse(one).data?.text ?? '').join('   ');
  return distinct([block.text, ...pairedFields(block.fields.map(({ text }) => text))]).join('\n');
}

const MAX_ROWS = 100;

/** A table, a row to a line, as `markdown` has it. */
function tableText(rows: readonly (readonly unknown[])[]): string {
  return rows
    .slice(0, MAX_ROWS)
    .map((cells) => `| ${cells.map(cellText).join(' | ')} |`)
    .join('\n');
}

function cellText(cell: unknown): string {
  const { type, text, elements } = Element.safeParse(cell).data ?? {};
  return (type === 'rich_text' ? richText(elements ?? []) : (text ?? '')).replace(/\s+/gu, ' ').trim();
}

/** Standard Markdown in Slack's own: `## Title`, `**bold**`, `[text](url)`. Code stays as it is. */
function mrkdwnOf(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/u)
    .map((part, at) => (at % 2 === 1 ? part : proseOf(part)))
    .join('');
}

function proseOf(markdown: string): string {
  return markdown
    .replace(
      /^ {0,3}#{1,6} +(.{1,1000}?)(?: +#+)?$/gmu,
      (_, title: string) => `*${title.replace(/\*\*|__/gu, '')}*`,
    )
    .replace(
      /!?\[([^\]\n]{0,500})\]\((https?:[^\s)]{1,2000})(?: "[^"\n]{0,200}")?\)/gu,
      (_, text: string, url: string) => (text === '' ? `<${url}>` : `<${url}|${text}>`),
    )
    .replace(/(\*\*|__)(?=\S)([^\n]{0,1000}?\S)\1/gu, '*$2*')
    .replace(/~~(?=\S)([^\n]{0,1000}?\S)~~/gu, '~$1~')
    .replace(/^(\s{0,8})[-*+] +/gmu, '$1• ');
}

/** Fields of which one is a label, in bold alone, and the next its value. */
function pairedFields(texts: readonly string[]): string[] {
  return texts.flatMap((text, at) => {
    if (at > 0 && ALONE.test(texts[at - 1] ?? '') && !ALONE.test(text)) return [];
    const [, label] = ALONE.exec(text) ?? [];
    const value = texts[at + 1] ?? '';
    return label === undefined || ALONE.test(value) ? [labelFirst(text)] : [`*${label}:* ${value}`];
  });
}

const ALONE = /^\s*\*([^*\n]{1,60}?):?\*:?\s*$/u;

/** A field's bold first line is its label, with or without a colon. */
function labelFirst(text: string): string {
  return text.replace(/^\*([^*\n:]{1,60})\*(?=\n)/u, '*$1:*');
}

function blockButtons(block: Block): Link[] {
  const elements = block.type === 'actions' ? block.elements : [];
  const buttons = elements.flatMap((element) => ButtonElement.safeParse(element).data ?? []);
  return [...buttons, ...(block.accessory ? [block.accessory] : [])].flatMap(asLink);
}

function asLink({ url, text }: { url: string; text: string }): Link[] {
  return /^https?:/u.test(url) ? [{ url, label: text }] : [];
}

export function fieldFacts(attachment: Attachment): Fact[] {
  return attachment.fields
    .filter(({ title }) => title !== '')
    .map(({ title, value }) => toFact(title, value));
}

function isUnfurl(attachment: Attachment): boolean {
  return (
    attachment.is_app_unfurl ||
    attachment.is_msg_unfurl ||
    `${attachment.from_url}${attachment.original_url}` !== ''
  );
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text.trim() !== ''))];
}

// Slack nests lists and quotes at most three levels deep.
const MAX_DEPTH = 6;

const Element = z.object({
  type: z.string().catch(''),
  text: z.string().catch(''),
  url: z.string().catch(''),
  name: z.string().catch(''),
  user_id: z.string().catch(''),
  range: z.string().catch(''),
  elements: z.array(z.unknown()).catch([]),
});

/** The elements of a `rich_text` block as mrkdwn: one line for each section and list item. */
export function richText(elements: readonly unknown[]): string {
  return elements
    .map((element) => render(element, 0))
    .join('\n')
    .trim();
}

function render(value: unknown, depth: number): string {
  const parsed = Element.safeParse(value);
  if (!parsed.success || depth > MAX_DEPTH) return '';
  const { type, text, url, name, user_id, range, elements } = parsed.data;
  const inside = () => elements.slice(0, 500).map((element) => render(element, depth + 1));
  switch (type) {
    case 'rich_text_list':
      return inside()
        .map((item) => `• ${item}`)
        .join('\n');
    case 'link':
      return text ? `<${url}|${text}>` : `<${url}>`;
    case 'emoji':
      return `:${name}:`;
    case 'user':
      return `<@${user_id}>`;
    case 'broadcast':
      return `<!${range}>`;
    default:
      return elements.length > 0 ? inside().join('') : text;
  }
}

/** Every URL of a message, in this order: links of titles, links in the text, buttons. */
export function urlsOf({ attachments, body, buttons }: MessageContent): string[] {
  const titles = attachments.map(({ title_link }) => title_link);
  const words = linksOf(body).map(({ url }) => url);
  return [...titles, ...words, ...buttons.map(({ url }) => url)].filter((url) => url !== '');
}

/** Whether the sender's name matches. */
export function isSentBy({ names }: MessageContent, sender: RegExp): boolean {
  return names.some((name) => sender.test(name.trim()));
}

/** A query parameter of a URL; `null` if it is missing or the URL is not valid. */
export function queryParameter(url: string, name: string): string | null {
  return URL.canParse(url) ? new URL(url).searchParams.get(name) : null;
}

/** Subtypes of messages that people and tools write; all others are Slack's own notices. */
const WRITTEN = new Set(['', 'bot_message', 'thread_broadcast', 'file_share', 'me_message']);

/** The author of Slack's own notices: `USLACK` since June 2026, `USLACKBOT` before. */
const SLACK_ITSELF = new Set(['USLACK', 'USLACKBOT']);

/** Whether a person or a tool wrote the message; joins, topic changes, reminders and the like are Slack's notices. */
export function isAuthored(message: Author): boolean {
  return WRITTEN.has(message.subtype) && !isFromSlack(message);
}

/** Whether a person wrote it, rather than an app, a webhook or Slack itself. */
export function isPerson(message: Author): boolean {
  const tool = message.bot_id || message.app_id || message.bot_profile || message.username;
  const isTool = tool || message.subtype === 'bot_message';
  return !isTool && /^[UW]/u.test(message.user) && !isFromSlack(message);
}

/** What an app posts bears that app's id, whichever user Slack names beside it. */
function isFromSlack({ user, bot_id }: Author): boolean {
  return SLACK_ITSELF.has(user) && !bot_id;
}

/**
 * Whether a Slack message event is a person's own message. Such a report parses as `firing`, but a channel only
 * offers to file it, unless it includes people.
 */
export function isPersonsMessage(event: unknown): boolean {
  const parsed = Author.safeParse(event);
  return parsed.success && isAuthored(parsed.data) && isPerson(parsed.data);
}

/**
 * The name shown above a tool's message: the webhook's, or else the app's. `null` for a person's message, and if the
 * message has no name.
 */
export function senderOf(event: unknown): string | null {
  const outer = Author.safeParse(event).data;
  const inner = outer?.subtype === 'message_changed' ? Author.safeParse(outer.message).data : outer;
  if (inner === undefined || isPerson(inner)) return null;
  return oneLine(inner.username) || oneLine(inner.bot_profile?.name ?? '') || null;
}

/** How much of a JSON value is kept. */
interface JsonLimits {
  /** UTF-16 code units of all strings together. */
  characters: number;
  /** UTF-16 code units of one string, so that a long one leaves room for the others. */
  perString: number;
  /** Values, nested ones included. */
  values: number;
  /** How deep values may be nested. */
  depth: number;
}

/**
 * The beginning of a JSON value, in its own order, up to the limits. The rest is never read, so the work does not grow
 * with the size of the input.
 */
export function truncateJson(value: unknown, reach: JsonLimits): unknown {
  const left = { ...reach };
  return copy(value, reach.depth, left);
}

function copy(value: unknown, depth: number, left: JsonLimits): unknown {
  left.values -= 1;
  if (typeof value === 'string') return copyString(value, left);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return copyList(value, depth - 1, left);
  const kept: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (isUsedUp(left)) break;
    kept.push([key, copy(Reflect.get(value, key), depth - 1, left)]);
  }
  return Object.fromEntries(kept);
}

function copyString(text: string, left: JsonLimits): string {
  const length = Math.min(text.length, left.perString, Math.max(0, left.characters));
  left.characters -= length;
  return length === text.length ? text : truncateMrkdwn(text, length);
}

function copyList(list: readonly unknown[], depth: number, left: JsonLimits): unknown[] {
  const kept: unknown[] = [];
  // By index, because an iterator would read one more element than allowed.
  for (let index = 0; index < list.length && !isUsedUp(left); index += 1) {
    kept.push(copy(list[index], depth, left));
  }
  return kept;
}

function isUsedUp({ characters, values }: JsonLimits): boolean {
  return characters <= 0 || values <= 0;
}
