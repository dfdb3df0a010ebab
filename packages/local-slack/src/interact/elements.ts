import type { Block, Message } from '../entities.ts';

/** Something in a message or a modal that can be acted upon, or filled in. */
export interface Element {
  block_id: string;
  action_id: string;
  type: string;
  fields: Readonly<Record<string, unknown>>;
  /** Of the element of an `input` block: whether it may stay empty, and whether it tells the app at once. */
  input: { optional: boolean; dispatches: boolean } | null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Every element of the blocks that can be acted upon or filled in. */
export function elementsIn(blocks: readonly Record<string, unknown>[]): Element[] {
  return blocks.flatMap((block) => [...ownElements(block), ...elementsIn(blocksIn(block))]);
}

/** The blocks that a block holds: of a container, and the cards of a carousel. */
function blocksIn(block: Record<string, unknown>): Record<string, unknown>[] {
  const cards = block.type === 'carousel' ? list(block.elements) : [];
  return [...list(block.child_blocks), ...cards].filter(isObject);
}

function ownElements(block: Record<string, unknown>): Element[] {
  const { optional = false, dispatch_action = false } = block;
  const input =
    block.type === 'input' ? { optional: optional === true, dispatches: dispatch_action === true } : null;
  const { elements, actions, accessory, element } = block;
  return [...list(elements), ...list(actions), accessory, element].flatMap((fields) => {
    if (!isObject(fields)) return [];
    const { type, action_id } = fields;
    if (typeof action_id !== 'string' || typeof type !== 'string') return [];
    return { block_id: String(block.block_id), action_id, type, fields, input };
  });
}

/** Every element of a message that can be acted upon, those in attachments too. */
export function elementsOf(message: Message): Element[] {
  const attached = (message.attachments ?? []).flatMap((attachment) => list(attachment.blocks));
  const blocks: Block[] = message.blocks ?? [];
  return elementsIn([...blocks, ...attached.filter(isObject)]);
}

/** The options of an element, those in groups too. */
export function optionsOf({ fields }: Element): Record<string, unknown>[] {
  const grouped = list(fields.option_groups).filter(isObject);
  return [...list(fields.options), ...grouped.flatMap((group) => list(group.options))].filter(isObject);
}
