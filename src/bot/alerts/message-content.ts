import { type Fact, fact, factsOf } from './facts.ts';
import { richText } from './rich-text.ts';
import { type Attachment, type Block, ButtonElement, type SlackMessage, TextElement } from './schema.ts';
import { isPerson } from './sender.ts';
import { cutMrkdwn, type Link } from './slack-text.ts';

const MAX_BODY = 60_000;

/** A Slack message in the order of reading that suits alerts: attachments, then blocks, then the text. */
export interface Reading {
  message: SlackMessage;
  /** A person's own words, not a tool's. */
  person: boolean;
  /** The reply to another message. */
  reply: boolean;
  /** What the sender calls itself: the app's name, and the name that the webhook's owner chose. */
  names: string[];
  /** Without unfurls and shared messages, which are somebody else's words. */
  attachments: Attachment[];
  /** All mrkdwn of attachments, blocks and text, each once. */
  body: string;
  facts: Fact[];
  /** Buttons that open a page, of blocks and of attachments. */
  buttons: Link[];
}

/** Reads a message that has passed its schema. */
export function readMessage(message: SlackMessage): Reading {
  const person = isPerson(message);
  const attachments = person ? [] : message.attachments.filter((attachment) => !isUnfurl(attachment));
  const blocks = blocksText(message.blocks);
  const parts = person
    ? [message.text || blocks]
    : [...attachments.map(attachmentText), blocks, message.text];
  const body = cutMrkdwn(distinct(parts).join('\n\n'), MAX_BODY);
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

/** An attachment's own words in the order of reading; a field is `*Label:* value`. */
export function attachmentText(attachment: Attachment): string {
  const { pretext, title, text, blocks, fields, footer } = attachment;
  const labelled = fields.map((field) =>
    field.title === '' ? field.value : `*${field.title}:* ${field.value}`,
  );
  const words = distinct([pretext, title, text, ...labelled, blocksText(blocks), footer]);
  return words.length === 0 ? fallbackOf(attachment) : words.join('\n');
}

/** An attachment's words below its title: its text, its fields and its blocks. */
export function detailsOf(attachment: Attachment): string {
  return attachmentText({ ...attachment, pretext: '', title: '', fallback: '', footer: '' });
}

/** The words of blocks, each block a paragraph, so that no label goes on in the next one; fields as `*Label:* value`. */
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

/** A field's first line in bold is its label, with a colon or without. */
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

/** What an attachment's fields say. */
export function fieldFacts(attachment: Attachment): Fact[] {
  return attachment.fields.filter(({ title }) => title !== '').map(({ title, value }) => fact(title, value));
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
