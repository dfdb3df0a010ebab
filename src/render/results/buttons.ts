import type { ActionsBlock } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { actions, button } from '../rendered.ts';

/** Below what was found: what a message leaves out. The buttons' value is `<version>:<issue id>`. */
export function resultsButtons({ issueId, version }: { issueId: string; version: number }): ActionsBlock[] {
  if (issueId === '') return [];
  return [actions([button('Everything', actionIds.everything, `${version}:${issueId}`)])];
}
