import { type Fact, factsOf, toFact } from './facts.ts';
import { richText } from './rich-text.ts';
import { type Attachment, type Block, ButtonElement, type SlackMessage, TextElement } from './schema.ts';
import { isPerson } from './sender.ts';
import { type Link, truncateMrkdwn } from './slack-text.ts';

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

/** The content of a message that has passed its schema. */
export function contentOf(message: SlackMessage): MessageContent {
  const person = isPerson(message);
  const attachments = person ? [] : message.attachments.filter((attachment) => !isUnfurl(attachment));
  const blocks = blocksText(message.blocks);
  const parts = person
    ? [message.text || blocks]
    : [...attachments.map(attachmentText), blocks, message.text];
  const body = truncateMrkdwn(distinct(parts).join('\n\n'), MAX_BODY);
  return {
    message,
    person,
    reply: message.thread_ts !== '' && message.thread_ts !== message.ts,
    names: [message.bot_profile?.name ?? '', message.username].filter((name) => name !== ''),
    attachments,
    body,
    facts: [...attachments.flatMap(fieldFacts), ...factsOf(body)],
    buttons: [...attachments.flatMap(attachmentButtons), ...message.blocks.flatMap(blockButtons)],
  };
}

/** An attachment's text from top to bottom; a field is `*Label:* value`. */
export function attachmentText(attachment: Attachment): string {
  const { pretext, title, text, blocks, fields, footer } = attachment;
  const labelled = fields.map((field) =>
    field.title === '' ? field.value : `*${field.title}:* ${field.value}`,
  );
  const words = distinct([pretext, title, text, ...labelled, blocksText(blocks), footer]);
  return words.length === 0 ? fallbackOf(attachment) : words.join('\n');
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
  if (block.type === 'context') return block.elements.map(elementText).join('   ');
  return distinct([block.text, ...block.fields.map((field) => labelFirst(field.text))]).join('\n');
}

/** A field's bold first line is its label, with or without a colon. */
function labelFirst(text: string): string {
  return text.replace(/^\*([^*\n:]{1,60})\*(?=\n)/u, '*$1:*');
}

function elementText(element: unknown): string {
  const parsed = TextElement.safeParse(element);
  return parsed.success ? parsed.data.text : '';
}

function blockButtons(block: Block): Link[] {
  const elements = block.type === 'actions' ? block.elements : [];
  const buttons = elements.flatMap((element) => ButtonElement.safeParse(element).data ?? []);
  return [...buttons, ...(block.accessory ? [block.accessory] : [])].flatMap(asLink);
}

function attachmentButtons(attachment: Attachment): Link[] {
  return [...attachment.actions.flatMap(asLink), ...attachment.blocks.flatMap(blockButtons)];
}

function asLink({ url, text }: { url: string; text: string }): Link[] {
  return /^https?:/u.test(url) ? [{ url, label: text }] : [];
}

/** The facts in an attachment's fields. */
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

function fallbackOf(attachment: Attachment): string {
  return attachment.fallback === '[no preview available]' ? '' : attachment.fallback;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text.trim() !== ''))];
}
