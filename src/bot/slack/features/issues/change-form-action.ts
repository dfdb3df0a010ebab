import type { BlockAction } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { viewIds } from '../../../render/view-ids.ts';
import type { Register } from '../../listening/deps.ts';
import { readNewIssue } from './new-issue-form.ts';
import { newIssueViewOf, readNewIssueMetadata } from './new-issue-modal.ts';

/**
 * A button or menu that changes the fields of the new-issue form: shows the new fields and keeps what was typed. Best
 * effort, since the modal may be closed by now.
 */
const changing =
  (name: 'moreContext' | 'chooseEnvironment'): Register =>
  (app, deps) => {
    app.action<BlockAction>({ type: 'block_actions', action_id: actionIds[name] }, async ({ ack, body }) => {
      await ack();
      const { view } = body;
      if (view?.callback_id !== viewIds.newIssue) return;
      const remembered = readNewIssueMetadata(view.private_metadata);
      if (remembered === null || (await deps.people.refusal(body.user.id)) !== null) return;
      const { channel, unfolded } = remembered;
      const metadata = { channel, unfolded: unfolded || name === 'moreContext' };
      try {
        const next = await newIssueViewOf(readNewIssue(view.state.values), metadata, deps);
        await deps.client.views.update({ view_id: view.id, view: next });
      } catch (error) {
        deps.log.info({ err: error }, 'could not show more fields in a modal');
      }
    });
  };

/** *More context* shows the fields that few issues need. */
export const moreContext: Register = changing('moreContext');
/** *Another…* shows a field for the environment's name; any other choice hides it. */
export const chooseEnvironment: Register = changing('chooseEnvironment');
