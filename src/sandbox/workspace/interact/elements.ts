import type { Message } from '../entities.ts';

/** Something in a message that can be acted upon. */
export interface Element {
  block_id: string;
  action_id: string;
  type: string;
  fields: Readonly<Record<string, unknown>>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Every element of a message that can be acted upon, those in attachments too. */
export function elementsOf(message: Message): Element[] {
  const blocks = [
    ...(message.blocks ?? []),
    ...(message.attachments ?? []).flatMap((attachment) => list(attachment.blocks)),
  ].filter(isObject);
  return blocks.flatMap((block) =>
    [...list(block.elements), block.accessory, block.element].flatMap((fields) => {
      if (!isObject(fields)) return [];
      const { type, action_id } = fields;
      if (typeof action_id !== 'string' || typeof type !== 'string') return [];
      return { block_id: String(block.block_id), action_id, type, fields };
    }),
  );
}

/** The options of an element, those in groups too. */
export function optionsOf({ fields }: Element): Record<string, unknown>[] {
  const grouped = list(fields.option_groups).filter(isObject);
  return [...list(fields.options), ...grouped.flatMap((group) => list(group.options))].filter(isObject);
}
