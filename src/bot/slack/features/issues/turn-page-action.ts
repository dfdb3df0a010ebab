import type { BlockAction } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { notAllowed, windowIsStale } from '../../../render/notices.ts';
import type { Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { tellPerson } from '../../listening/tell.ts';
import { issuePage, PageWish } from './issue-page.ts';

/** *Previous* and *Next* under `/issue list`: replaces the message with that page. */
const turning =
  (name: 'previousIssues' | 'nextIssues'): Register =>
  (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, respond }) => {
        await ack();
        const refusal = await deps.people.refusal(body.user.id);
        if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
        const [action] = body.actions;
        const value = action && 'value' in action ? action.value : undefined;
        const wish = readModalState(PageWish, value);
        if (wish === null) return tellPerson(respond, windowIsStale(), deps);
        const shown = await issuePage(wish, { userId: body.user.id, channel: body.channel?.id ?? '' }, deps);
        // A failure does not replace the page that is shown.
        if ('refused' in shown) return tellPerson(respond, shown.refused, deps);
        try {
          await respond({ text: shown.page.text, blocks: shown.page.blocks, replace_original: true });
        } catch (error) {
          deps.log.warn(
            { err: error },
            'could not show a page of issues: its response URL rejected the call',
          );
        }
      },
    );
  };

export const previousIssues: Register = turning('previousIssues');
export const nextIssues: Register = turning('nextIssues');
