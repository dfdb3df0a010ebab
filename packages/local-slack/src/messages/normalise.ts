import type { Attachment, Block, Message } from '../entities.ts';
import { newId, type Random } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** A message's permalink in Slack's form: `…/archives/C…/p<ts>`, with its thread if it is a reply. */
export function permalink(base: string, channel: string, message: Message): string {
  const url = new URL(`archives/${channel}/p${message.ts.replace('.', '')}`, base);
  if (message.thread_ts !== undefined) {
    url.searchParams.set('thread_ts', message.thread_ts);
    url.searchParams.set('cid', channel);
  }
  return url.href;
}

const NAMED_COLORS: Readonly<Record<string, string>> = {
  good: '2eb886',
  warning: 'daa038',
  danger: 'a30200',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function blocksIn(list: unknown): Block[] {
  const isBlock = (item: unknown): item is Block => isObject(item) && typeof item.type === 'string';
  return Array.isArray(list) ? list.filter(isBlock) : [];
}

/** Gives an interactive element an `action_id` if it has none. */
function withActionId(random: Random, element: unknown): unknown {
  if (!isObject(element) || element.action_id !== undefined) return element;
  const passive = ['image', 'mrkdwn', 'plain_text'];
  if (typeof element.type !== 'string' || passive.includes(element.type)) return element;
  return { ...element, action_id: newId(random, '', 5) };
}

/** What a block holds, apart from ids: two with the same are the same block to a person. */
function contentOf(block: Block): string {
  return JSON.stringify(block, (key, value) => (key === 'block_id' ? undefined : value));
}

/**
 * Blocks as Slack stores them: every one has an id, and so has whatever can be acted upon.
 *
 * @param before the blocks that these replace. A block that did not change keeps its id, so that a button pressed
 * while the message was being edited is still found.
 */
export function normaliseBlocks(
  random: Random,
  blocks: readonly Block[],
  before: readonly Block[] = [],
): Block[] {
  const unclaimed = before.map((block) => ({ id: block.block_id, content: contentOf(block) }));
  const claimId = (block: Block): string => {
    const content = contentOf(block);
    const at = unclaimed.findIndex((old) => old.content === content);
    const [same] = at < 0 ? [] : unclaimed.splice(at, 1);
    return same?.id ?? newId(random, '', 5);
  };
  return blocks.map((block) => {
    const { elements, actions, accessory, element, child_blocks } = block;
    const acts = block.type === 'actions' || block.type === 'context_actions';
    const cards = block.type === 'carousel';
    const within = before.flatMap((old) => [old.elements, old.child_blocks]).flatMap(blocksIn);
    const blocksOf = (list: unknown) => normaliseBlocks(random, blocksIn(list), within);
    return {
      ...block,
      block_id: block.block_id || claimId(block),
      ...(acts &&
        Array.isArray(elements) && { elements: elements.map((item) => withActionId(random, item)) }),
      ...(cards && { elements: blocksOf(elements) }),
      ...(child_blocks !== undefined && { child_blocks: blocksOf(child_blocks) }),
      ...(Array.isArray(actions) && { actions: actions.map((item) => withActionId(random, item)) }),
      ...(accessory !== undefined && { accessory: withActionId(random, accessory) }),
      ...(element !== undefined && { element: withActionId(random, element) }),
    };
  });
}

/** Attachments as Slack stores them: numbered from 1, colors as six hex digits without `#`. */
export function normaliseAttachments(random: Random, attachments: readonly Attachment[]): Attachment[] {
  return attachments.map((attachment, index) => {
    const { color, blocks } = attachment;
    const checked = blocksIn(blocks);
    return {
      ...attachment,
      id: index + 1,
      ...(typeof color === 'string' && { color: NAMED_COLORS[color] ?? color.replace(/^#/, '') }),
      ...(checked.length > 0 && { blocks: normaliseBlocks(random, checked) }),
      fallback: attachment.fallback ?? '[no preview available]',
    };
  });
}

/** A text as Slack takes it with a post: cut at 40,000 characters. */
export function cutText(text: string): string {
  return text.slice(0, LIMITS.postText);
}

export function fallbackText(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (isObject(block.text) && typeof block.text.text === 'string' ? block.text.text : []))
    .join(' ')
    .slice(0, LIMITS.updateText);
}

type Inline = Record<string, unknown>;

const TOKEN = /<([^<>]+)>|:([a-z0-9_+'-]+):/g;

/** What somebody typed, without Slack's escapes. */
export function literalText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** `@U1`, `#C1|name`, `!here`, `https://…|label`: the text between `<` and `>`. */
function reference(inner: string): Inline {
  const [target = '', label] = inner.split('|');
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  const url = literalText(target);
  return label === undefined ? { type: 'link', url } : { type: 'link', url, text: literalText(label) };
}

/** The `rich_text` block that Slack's clients send with what a person typed. */
export function richTextOf(text: string, blockId: string): Block {
  const elements: Inline[] = [];
  let from = 0;
  const literal = (until: number) => {
    if (until > from) elements.push({ type: 'text', text: literalText(text.slice(from, until)) });
  };
  for (const match of text.matchAll(TOKEN)) {
    literal(match.index);
    const [whole, inner, emoji] = match;
    elements.push(inner === undefined ? { type: 'emoji', name: emoji } : reference(inner));
    from = match.index + whole.length;
  }
  literal(text.length);
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}
