import type { BlockAction } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { viewIds } from '../../../render/view-ids.ts';
import type { Register } from '../../listening/deps.ts';
import { readForm } from './form.ts';
import { readMetadata, viewOf } from './settings-modal.ts';

/**
 * A pattern is being typed in the settings: the modal shows under the field what is wrong with it, or what it would
 * match. Best effort: the modal may be closed by now, and the patterns are checked again when it is sent.
 */
export const typePatterns: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.typePatterns },
    async ({ ack, body }) => {
      await ack();
      const { view } = body;
      if (view?.callback_id !== viewIds.settings) return;
      try {
        const metadata = readMetadata(view.private_metadata);
        if (
          metadata === null ||
          (await deps.people.maySet(body.user.id, metadata.channel, 'remembered')) !== null
        )
          return;
        const next = await viewOf(readForm(view.state.values), metadata, deps);
        await deps.client.views.update({ view_id: view.id, view: next });
      } catch (error) {
        // Not tried again: what is typed next would be overwritten with what was typed before.
        deps.log.info({ err: error }, 'could not show what patterns match');
      }
    },
  );
};
