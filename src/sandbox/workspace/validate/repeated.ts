import type { Block } from '../entities.ts';
import type { Fault } from './explain.ts';

/** Ids that Slack wants to be unique: a block's in its message, an action's in its block. */
export function repeated(blocks: readonly Block[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  blocks.forEach((item, index) => {
    if (item.block_id) {
      if (seen.has(item.block_id)) {
        faults.push({ message: `\`block_id\` ${item.block_id} already exists`, path: [index, 'block_id'] });
      }
      seen.add(item.block_id);
    }
    const elements: unknown[] = Array.isArray(item.elements) ? item.elements : [];
    const actions = new Set<unknown>();
    elements.forEach((element, place) => {
      const id =
        typeof element === 'object' && element !== null ? Reflect.get(element, 'action_id') : undefined;
      if (id === undefined) return;
      if (actions.has(id)) {
        const path = [index, 'elements', place, 'action_id'];
        faults.push({ message: `\`action_id\` ${String(id)} already exists`, path });
      }
      actions.add(id);
    });
  });
  return faults;
}
