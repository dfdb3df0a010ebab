import type { ActionsBlock, KnownBlock } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { actions, button } from '../rendered.ts';
import type { ResultsView } from '../views.ts';

/** Buttons below the results, for what the message leaves out. Their value is `<version>:<issue id>`. */
export function resultsButtons({
  issueId,
  version,
  evidence,
}: Pick<ResultsView, 'issueId' | 'version' | 'evidence'>): ActionsBlock[] {
  if (issueId === '') return [];
  const value = `${version}:${issueId}`;
  return [
    actions([
      button('Everything', actionIds.everything, value),
      ...(evidence === true ? [button('Evidence', actionIds.evidence, value)] : []),
    ]),
  ];
}

/** Whether a block is that row. */
export function isResultsButtons(block: KnownBlock): boolean {
  return block.type === 'actions' && block.elements.some(({ action_id: id }) => id === actionIds.everything);
}
