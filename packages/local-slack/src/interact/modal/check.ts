import { showFiles } from '../../files/in-blocks.ts';
import { checkModal, type Modal } from '../../validate/view.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';

/**
 * A modal as an app sends it, held against Slack's limits and its files.
 *
 * @throws SlackError `invalid_arguments` with every fault, `view_too_large`.
 */
export function checkedModal(context: WorkspaceContext, value: unknown): Modal {
  const modal = checkModal(value);
  showFiles(context, modal.blocks, '/view/blocks', 'invalid_arguments');
  return modal;
}
