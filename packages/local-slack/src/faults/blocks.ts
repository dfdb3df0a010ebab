import type { Block } from '../entities.ts';
import { refusalFor } from '../validate/explain.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/**
 * Refuses the types of blocks that this workspace is told not to have, as Slack does before it brings them.
 *
 * @throws SlackError `invalid_blocks`, with each of them.
 */
export function refuseBlocks({ faults }: Pick<WorkspaceContext, 'faults'>, blocks: readonly Block[]): void {
  const { refusedBlocks } = faults.now();
  const found = blocks.flatMap(({ type }, index) =>
    refusedBlocks.includes(type) ? [{ message: `unsupported type: ${type}`, path: [index, 'type'] }] : [],
  );
  if (found.length > 0) throw refusalFor('invalid_blocks', found, '/blocks');
}
